"""``draftlift fix``: one text translated, and what is left of it in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from draftlift.analysis import Analysis, Finding, Schema, Settings, analyse
from draftlift.analysis.placing import token_span
from draftlift.cli.files import Source
from draftlift.cli.formats.text import counted, line, place
from draftlift.normalize import Inert
from draftlift.syntax.tree import at, resolve
from draftlift.text import Edit, LineIndex, apply_edits

_TOLD_OF_SCHEMAS = ("legacy-dialect", "unsupported-dialect", "translation-refused")
"""Rules whose findings say that a schema is left alone, which is said in its own line."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What became of a text: the edits, the text after them, and what is known of the text before and after."""

    source: Source
    edits: tuple[Edit, ...]
    text: str
    before: Analysis
    after: Analysis

    @property
    def done(self) -> int:
        """How many schemas were translated."""
        return sum(_is_old(schema) for schema in self.before.schemas) - self.left

    @property
    def left(self) -> int:
        """How many schemas are left in an older dialect, or in one that is not known."""
        return sum(_is_old(schema) for schema in self.after.schemas)

    @property
    def others(self) -> list[Finding]:
        """What asks for an error status and is not said of a schema that is left."""
        return _others(self.after)

    @property
    def status(self) -> int:
        """The exit status that the text asks for, after it was changed."""
        return int(bool(_serious(self.after)))


def fix(source: Source, settings: Settings, inert: Inert) -> Fixed:
    """Translate every schema that can be translated with all verdicts kept; none in a text whose syntax is broken."""
    before = analyse(source.text, source.language, settings)
    edits = () if before.tree.problems else before.fix_all(inert)
    if not edits:
        return Fixed(source, (), source.text, before, before)
    text = apply_edits(source.text, edits)
    return Fixed(source, edits, text, before, analyse(text, source.language, settings))


def remainder(fixed: Fixed) -> Iterator[str]:
    """A line for each schema that is left alone, with the place and the reason, and for each other problem."""
    analysis = fixed.after
    index = LineIndex(fixed.text)
    problems = analysis.tree.problems
    if analysis.tools and problems:
        where = place(fixed.source, index, problems[0].start)
        yield f"{where}: left alone, since the syntax of the file is broken here: {problems[0].message}"
    for number, schema in enumerate(analysis.schemas):
        if _is_old(schema) and not problems:
            offset, reason = _why_left(analysis, number)
            whose = (
                f"`{schema.site.field}` of tool `{schema.site.tool}`" if schema.site.tool else f"`{schema.site.field}`"
            )
            yield f"{place(fixed.source, index, offset)}: left alone: {whose}: {reason}"
    for finding in _others(analysis):
        yield line(fixed.source, index, finding)


def outcome(done: int, left: int, others: int, *, shown_only: bool) -> str:
    """How many schemas were translated and left alone, and how many other problems are left, in words."""
    parts = []
    if done:
        parts.append(f"{counted(done, 'schema')} {'would be ' if shown_only else ''}translated to 2020-12")
    if left:
        parts.append(f"{left:,} left alone" if done else f"{counted(left, 'schema')} left alone")
    if others:
        parts.append(f"{counted(others, 'other problem')} left")
    return ", ".join(parts)


def _serious(analysis: Analysis) -> list[Finding]:
    return [finding for finding in analysis.findings if finding.severity in ("error", "warning")]


def _others(analysis: Analysis) -> list[Finding]:
    """Serious findings but those that say once more why a schema is left alone."""
    left = {
        (schema.site.document, schema.site.pointer): {refusal.pointer for refusal in schema.result.refusals}
        for schema in analysis.schemas
        if schema.result is not None and _is_old(schema)
    }
    broken = {problem.start for problem in analysis.tree.problems[:1]}

    def is_told(finding: Finding) -> bool:
        for depth in range(len(finding.pointer) + 1):
            refused = left.get((finding.document, finding.pointer[:depth]))
            if refused is not None and (finding.rule in _TOLD_OF_SCHEMAS or finding.pointer[depth:] in refused):
                return True
        return finding.span.start in broken

    return [finding for finding in _serious(analysis) if not is_told(finding)]


def _is_old(schema: Schema) -> bool:
    return schema.result is not None and schema.result.status != "unchanged"


def _why_left(analysis: Analysis, number: int) -> tuple[int, str]:
    """Where a schema that is left has its first obstacle, and what it is."""
    schema = analysis.schemas[number]
    assert schema.result is not None and schema.site.node is not None
    root = resolve(schema.site.node)
    refusals = schema.result.refusals
    if refusals:
        node = at(root, refusals[0].pointer) or schema.site.node
        more = f"; {counted(len(refusals) - 1, 'more place')}" if len(refusals) > 1 else ""
        return token_span(node, "key").start, f"{refusals[0].message} (`draftlift explain {refusals[0].id}`{more})"
    node = at(root, ("$schema",)) or schema.site.node
    if schema.result.status == "unsupported":
        return node.start, f"its dialect {schema.declared!r} is not known"
    return node.start, f"this text cannot be edited here, because {schema.withheld or 'it is broken'}"
