"""What an author reads on demand: the page of a rule or reason, and the hover at a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from draftlift.analysis import Analysis, Finding, Fix, Schema
from draftlift.analysis.placing import token_span
from draftlift.change.operations import InsertMember, MoveMembers, Operation, RemoveMember, RenameKey
from draftlift.judge.outcome import Agreement, Cut, Trial
from draftlift.normalize import REASONS
from draftlift.rules import RULES
from draftlift.rules.base import PAGES
from draftlift.schema.dialects import DRAFT_2020_12, Dialect
from draftlift.schema.keyword_notes import MEANING, THEN_AND_NOW
from draftlift.schema.survey import Place
from draftlift.syntax.pointer import Pointer, to_text
from draftlift.syntax.tree import Node, at, resolve
from draftlift.text import Edit, Span, apply_edits, line_start

_MOST_LINES = 24
_MOST_CHARACTERS = 4000
_MOST_OF_A_NAME = 120
_MOST_CHANGES = 12
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_LINE_END = re.compile(r"\r\n|\n|\r")
# Rules whose why is told by the dialects part of a hover already.
_TOLD_BY_DIALECT = frozenset(("translation-refused",))


@dataclass(frozen=True, slots=True)
class Hover:
    """What to show about one token: ``head``, what comes of ``trial`` where there is one, and ``tail``."""

    span: Span
    head: tuple[str, ...]
    trial: Trial | None
    tail: tuple[str, ...]

    def markdown(self, outcome: Agreement | Cut | None) -> str:
        """The text, with the outcome of the trial; None where nothing came of it."""
        tried = () if outcome is None else (f"**Tried out**: {outcome.sentence}.",)
        return "\n\n".join((*self.head, *tried, *self.tail))


def page(id_: str) -> str | None:
    """The Markdown page of a rule or of a reason for a refusal; None where nothing has this id."""
    rule = RULES.get(id_)
    if rule is not None:
        title, _, body = rule.doc.strip().partition("\n")
        return f"# {rule.id}\n\n{title}\n\nSeverity: {rule.severity}.\n{body.rstrip()}\n"
    reason = REASONS.get(id_)
    if reason is not None:
        return (
            f"# {reason.id}\n\n{reason.title}.\n\n## Why no faithful translation exists\n\n{reason.why}\n\n"
            f"## Example\n\n{reason.example}\n\n## What frees the schema\n\n{reason.frees}\n"
        )
    return None


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """What to show at an offset: the keyword in both dialects, what the translation does here or why there is none.

    None where there is nothing to say: outside of schemas, and on names and data inside them. Nothing is tried out here.
    """
    findings = [finding for finding in analysis.findings if finding.span.start <= offset < finding.span.end]
    located = _locate(analysis, offset)
    head: list[str] = []
    trial = None
    span = findings[0].span if findings else None
    if located is not None:
        schema, place, keyword, node = located
        span = token_span(node, "key") if node.key_start <= offset < node.key_end else token_span(node, "value")
        refused = schema.result is not None and any(
            refusal.pointer == (*place.pointer, keyword) for refusal in schema.result.refusals
        )
        head += _about_keyword(schema, place, keyword, refused=refused)
        head += _about_change(analysis, schema, place, keyword)
        if (*place.pointer, keyword) == ("$schema",):
            trial = _trial(schema)
    tail = tuple(_about_findings(findings, told=located is not None))
    if span is None or not (head or tail):
        return None
    return Hover(span, tuple(head), trial, tail)


def _trial(schema: Schema) -> Trial | None:
    """The trial of a schema's translation, where there is one."""
    if schema.translation is None or schema.result is None or schema.dialect is None:
        return None
    return Trial(schema.value, schema.result.schema, schema.dialect)


# -- finding the place -------------------------------------------------------------------------------------------------


def _locate(analysis: Analysis, offset: int) -> tuple[Schema, Place, str, Node] | None:
    """The schema, subschema and keyword whose key or scalar value is at an offset."""
    for schema in analysis.schemas:
        node = schema.site.node
        if node is None or schema.survey is None or not node.properties_start <= offset <= node.end:
            continue
        found = _descend(resolve(node), offset)
        if found is None:
            return None
        pointer, target = found
        place = schema.survey.by_pointer.get(pointer[:-1])
        if place is None or place.data or not isinstance(pointer[-1], str) or not isinstance(place.schema, dict):
            return None
        if pointer[-1] not in place.schema:
            return None  # it has no value yet
        return schema, place, pointer[-1], target
    return None


def _descend(node: Node, offset: int) -> tuple[Pointer, Node] | None:
    """The pointer from a node to the member whose key or scalar value token is at an offset."""
    pointer: list[str | int] = []
    while node.kind in ("object", "array"):
        for index, child in enumerate(node.value):  # noqa: B007 - used behind the loop
            start = child.key_start if child.key_start >= 0 else child.start
            if start <= offset < max(child.end, child.key_end):
                break
        else:
            return None
        pointer.append(child.key if node.kind == "object" else index)
        if child.key_start <= offset < child.key_end or child.kind not in ("object", "array"):
            return (tuple(pointer), child) if node.kind == "object" else None
        node = child
    return None


# -- texts -------------------------------------------------------------------------------------------------------------


def _about_keyword(schema: Schema, place: Place, keyword: str, *, refused: bool) -> Iterator[str]:
    dialect = schema.dialect
    if dialect is None or keyword not in MEANING or place.foreign:
        return
    value = place.schema[keyword]
    known = keyword in dialect.keywords
    form = "tuple" if keyword == "items" and isinstance(value, list) else keyword
    if keyword in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
        form = "flag"
    hides = keyword == "$ref" and not dialect.ref_hides_siblings
    fragment = keyword == "$id" and not (isinstance(value, str) and "#" in value)
    if form in THEN_AND_NOW and dialect is not DRAFT_2020_12 and known and not hides and not fragment:
        then, now = THEN_AND_NOW[form]
        yield f"**`{keyword}`** in {dialect.name}: {then}.\n\n**In 2020-12**: {now}."
    elif known:
        yield f"**`{keyword}`** {MEANING[keyword]}.{'' if refused else _same(keyword, dialect)}"
    elif keyword in DRAFT_2020_12.keywords:
        yield f"**`{keyword}`** is unknown to {dialect.name}, which ignores it. In 2020-12 it {MEANING[keyword]}."
    else:
        yield f"**`{keyword}`** is ignored by {dialect.name}. In the dialect that has it, it {MEANING[keyword]}."


def _same(keyword: str, dialect: Dialect) -> str:
    if dialect is DRAFT_2020_12 or keyword == "$schema" or keyword not in DRAFT_2020_12.keywords:
        return ""
    return f" It is the same in {dialect.name} and in 2020-12."


def _about_change(analysis: Analysis, schema: Schema, place: Place, keyword: str) -> Iterator[str]:
    result = schema.result
    if result is None:
        return
    pointer = (*place.pointer, keyword)
    if result.refusals:
        here = [refusal for refusal in result.refusals if refusal.pointer == pointer]
        for refusal in here:
            reason = REASONS[refusal.id]
            yield f"**Why the schema is left alone**: {reason.title[0].lower()}{reason.title[1:]}. {reason.why}"
            yield f"**What frees it**: {reason.frees} ([{reason.id}]({PAGES}/refusals/{reason.id}.md))"
        if not here and pointer == ("$schema",):
            yield _refused_places(schema)
        return
    fix = schema.translation
    if fix is None:
        return
    if pointer == ("$schema",):
        yield _changes(result.operations)
    elif _touches(result.operations, pointer):
        shown = _before_and_after(analysis, schema, place, fix)
        if shown:
            yield shown


def _refused_places(schema: Schema) -> str:
    assert schema.result is not None
    refusals = schema.result.refusals
    lines = [f"- {_code(refusal.pointer_text)}: {_prose(refusal.message)}" for refusal in refusals[:_MOST_CHANGES]]
    if len(refusals) > _MOST_CHANGES:
        lines.append(f"- and {len(refusals) - _MOST_CHANGES} more")
    return "**Not translated**, since it could change which values pass:\n\n" + "\n".join(lines)


def _changes(operations: tuple[Operation, ...]) -> str:
    others = [operation for operation in operations if operation.pointer != ("$schema",)]
    if not others:
        return "**The translation** changes this declaration and nothing else."
    lines = [f"- {_in_words(operation)}" for operation in others[:_MOST_CHANGES]]
    if len(others) > _MOST_CHANGES:
        lines.append(f"- and {len(others) - _MOST_CHANGES} more")
    return "**The translation** changes this declaration, and:\n\n" + "\n".join(lines)


def _in_words(operation: Operation) -> str:
    place = _code(to_text(operation.pointer))
    if isinstance(operation, RenameKey):
        return f"{place} becomes {_code(operation.new_key)}"
    if isinstance(operation, RemoveMember):
        return f"{place} goes"
    if isinstance(operation, MoveMembers):
        members = operation.members
        names = ", ".join(_code(str(pointer[-1])) for pointer in members[:_MOST_CHANGES])
        more = f" and {len(members) - _MOST_CHANGES} more" if len(members) > _MOST_CHANGES else ""
        return f"{names}{more} of {_code(to_text(members[0][:-1]))} move to {_code('/'.join(operation.path))}"
    if isinstance(operation, InsertMember):
        return f"{place} gets {_code(operation.key)}"
    return f"{place} becomes {_code(str(operation.value))}"


def _touches(operations: tuple[Operation, ...], pointer: Pointer) -> bool:
    """Whether any operation is about the member at a pointer, or about the limit that its flag belongs to."""
    wanted = (pointer, (*pointer[:-1], _BOUNDS.get(str(pointer[-1]), "")))
    touched = [operation.pointer for operation in operations if not isinstance(operation, MoveMembers)]
    for operation in operations:
        if isinstance(operation, MoveMembers):
            touched += [part for member in operation.members for part in (member, member[:-1])]
    return any(part in touched for part in wanted)


def _before_and_after(analysis: Analysis, schema: Schema, place: Place, fix: Fix) -> str:
    """The subschema's own text as it is and as it will be; empty where it is long or cannot be cut out."""
    node = at(resolve(schema.site.node), place.pointer) if schema.site.node is not None else None
    if node is None:
        return ""
    node = resolve(node)
    text = analysis.tree.text
    start, end = node.start, node.end
    if node.style == "block":
        end = next((at for at in range(end, len(text)) if text[at] in "\r\n"), len(text))  # a comment behind it as well
    if _is_long(text[start:end]):
        return ""
    inside = [edit for edit in fix.edits if start <= edit.end and edit.start <= end]
    if any(edit.start < start or edit.end > end for edit in inside):
        return ""
    before = text[start:end]
    after = apply_edits(before, [Edit(edit.start - start, edit.end - start, edit.new_text) for edit in inside])
    column = start - line_start(text, start)
    blocks = [_dedented(part, column if node.style == "block" else None) for part in (before, after)]
    if _is_long(blocks[1]):
        return ""
    now, translated = (_fenced(block, analysis.tree.language) for block in blocks)
    return f"**Now**\n{now}\n**Translated**\n{translated}"


def _dedented(text: str, column: int | None) -> str:
    lines = _LINE_END.split(text)
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    cut = min(indents, default=0) if column is None else min([column, *indents])
    return "\n".join([lines[0], *(line[cut:] for line in lines[1:])]).rstrip()


# -- Markdown: what a user wrote is shown, and means nothing in it -----------------------------------------------------


def _is_long(text: str) -> bool:
    return len(text) > _MOST_CHARACTERS or len(_LINE_END.findall(text)) >= _MOST_LINES


def _ticks(text: str, least: int) -> str:
    """More backticks than stand in a row anywhere in a text."""
    return "`" * max(least, *(len(run) + 1 for run in re.findall("`+", text)), 0)


def _fenced(block: str, language: str) -> str:
    """A block of code, whatever fences stand in it."""
    fence = _ticks(block, 3)
    return f"{fence}{language}\n{block}\n{fence}"


def _code(text: str) -> str:
    """A name or pointer as code within a line, whatever stands in it; cut in the middle where it is long."""
    text = _LINE_END.sub(" ", text)
    if len(text) > _MOST_OF_A_NAME:
        text = f"{text[: _MOST_OF_A_NAME // 2]}…{text[-_MOST_OF_A_NAME // 2 :]}"
    ticks = _ticks(text, 1)
    room = " " if not text.strip() or text[0] in "` " or text[-1] in "` " else ""
    return f"{ticks}{room}{text}{room}{ticks}"


def _prose(message: str) -> str:
    """A sentence of ours that quotes a user, without links, images and tags."""
    parts = re.split(r"((?<!`)(`+)(?!`).+?(?<!`)\2(?!`))", message, flags=re.DOTALL)
    return "".join(
        part if at % 3 == 1 else re.sub(r"[\[\]<>]", r"\\\g<0>", part) for at, part in enumerate(parts) if at % 3 != 2
    )


# -- rules -------------------------------------------------------------------------------------------------------------


def _about_findings(findings: list[Finding], *, told: bool) -> Iterator[str]:
    seen: set[str] = set()
    for finding in findings:
        if finding.rule in seen or finding.rule in _TOLD_BY_DIALECT:
            continue
        seen.add(finding.rule)
        link = f"[{finding.rule}]({PAGES}/rules/{finding.rule}.md)"
        rule = RULES[finding.rule]
        if told and rule.dialect_rule and finding.rule != "legacy-dialect":
            yield f"Rule: {link}"
        else:
            yield f"**Why it matters**: {_section(rule.doc, 'Why it matters')} ({link})"


def _section(doc: str, heading: str) -> str:
    """The text under a heading of a page, on one line."""
    body = doc.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return " ".join(body.split())
