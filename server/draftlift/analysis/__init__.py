"""One text in, everything draftlift knows about it out: ``analyse`` is what both front ends call.

Invariants: pure (no I/O, no clock, no environment); the result is frozen; spans and edits are code points of the text;
an exception in one rule or at one site is logged and costs that rule at that site only; a fix is never offered where the
text of its site has a syntax problem, nor where its edits cannot be told exactly.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from draftlift import gc_pause
from draftlift.change.operations import Operation, ReplaceValue, apply_to_value, below
from draftlift.fixes.anchors import SharedAnchor, shared_anchors, shared_spans
from draftlift.fixes.edits import CannotEditError, to_edits
from draftlift.normalize import Inert, Result, normalize
from draftlift.rules import KEYWORD_RULES, SCHEMA_RULES, TREE_RULES, shared_anchor
from draftlift.rules.base import LATEST, Repair, Report, Revision, Rule, Severity, Tag, Token, Translation, View
from draftlift.schema.dialects import DRAFT_2020_12, LEGACY, Dialect, dialect_of_uri
from draftlift.schema.survey import Survey, survey
from draftlift.syntax import read
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Language, Node, NotJsonError, Tree, at, resolve, to_value, walk
from draftlift.text import Edit, Span, apply_edits
from draftlift.tools.find import find_sites, may_hold_sites
from draftlift.tools.model import Site

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set about rules.

    ``ignore`` are the ids of those that do not run, ``severities`` those that differ from the rules' own, ``target`` is
    the revision of MCP that tools are written for.
    """

    ignore: frozenset[str] = frozenset()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    target: Revision = LATEST


@dataclass(frozen=True, slots=True)
class Fix:
    """One change of the text that an author can take.

    ``edits`` are sorted and do not overlap. ``safe`` means that no verdict changes and no decision is taken, so that
    fix-all and ``draftlift fix`` apply it; ``asks_first`` that an editor must have it confirmed. ``operations`` say the same
    as ``edits``, document by document, on pointers from the document's root: see ``proves``.
    """

    title: str
    edits: tuple[Edit, ...]
    operations: tuple[tuple[int, Operation], ...]
    preferred: bool = False
    safe: bool = False
    asks_first: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to tell the author.

    ``pointer`` leads from the root of document number ``document``; ``span`` covers the token, within one line.
    """

    rule: str
    severity: Severity
    message: str
    tool: str | None
    document: int
    pointer: Pointer
    token: Token
    span: Span
    tags: tuple[Tag, ...] = ()
    fixes: tuple[Fix, ...] = ()
    related: tuple[tuple[Span, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """One schema of the text, and what its translation would be.

    ``dialect`` is None where the declared one is unknown; ``survey`` and ``result`` are None where nothing usable
    stands. ``shared`` are the spans of the document that YAML aliases share. ``translation`` is None where there is none
    or the text cannot take it.
    """

    site: Site
    value: Any
    declared: object
    dialect: Dialect | None
    survey: Survey | None
    result: Result | None
    broken: bool
    shared: tuple[Span, ...] = ()
    translation: Fix | None = None
    offers: dict[Translation, Fix | None] = field(default_factory=dict, repr=False)
    """The other translations that were offered, each worked out once."""


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """All that was found in one text. ``tools`` counts the tools and requests; findings are in text order."""

    tree: Tree
    schemas: tuple[Schema, ...]
    findings: tuple[Finding, ...]
    tools: int
    shared: tuple[SharedAnchor, ...] = ()

    def schema_at(self, offset: int) -> Schema | None:
        """The schema that an offset of the text lies in, key and closing bracket included; None outside of all."""
        found = None
        for schema in self.schemas:
            node = schema.site.node
            if node is not None and (node.key_start if node.key_start >= 0 else node.start) <= offset <= node.end:
                found = schema  # an inner one comes after the outer
        return found

    def fix_all(self, inert: Inert = "refuse") -> tuple[Edit, ...]:
        """The edits of every translation that keeps all verdicts, proved on the text: see ``proves``."""
        chosen = []
        for schema in self.schemas:
            fix = schema.translation
            if fix is None and inert == "remove":
                fix = _translation_fix(self.tree, schema, Translation("remove"), "")
            if fix is not None:
                chosen.append(fix)
        together = _together(chosen)
        if together is None or proves(self.tree, together):
            return together.edits if together is not None else ()
        proven = _together(fix for fix in chosen if proves(self.tree, fix))
        return proven.edits if proven is not None and proves(self.tree, proven) else ()


class StoppedError(Exception):
    """An analysis was given up, since nobody needs it any more."""


def analyse(
    text: str,
    language: Language,
    settings: Settings | None = None,
    *,
    is_of_tools: bool = False,
    is_needed: Callable[[], bool] = lambda: True,
) -> Analysis:
    """Analyse a text, which may be half-typed. Never raises, but StoppedError where ``is_needed`` comes to say no.

    ``is_of_tools`` says that the text is known to be about tools, so that its syntax matters even if none is seen.
    """
    if not is_of_tools and not may_hold_sites(text):
        return Analysis(Tree(language, text, (), ()), (), (), 0)
    with gc_pause.paused():
        return _analyse(text, language, settings or Settings(), is_of_tools, is_needed)


def _analyse(
    text: str, language: Language, settings: Settings, is_of_tools: bool, is_needed: Callable[[], bool]
) -> Analysis:
    tree = read(text, language)
    sites = find_sites(tree)
    broken = _broken(tree, sites)
    shared_text = shared_spans(tree)
    schemas = []
    for site in sites:
        if not is_needed():
            raise StoppedError
        schemas.append(_schema(site, broken=id(site.holder) in broken, shared=shared_text))
    schemas, shared = _with_translations(tree, schemas)
    findings: list[Finding] = []
    for schema in schemas:
        if not is_needed():
            raise StoppedError
        found = _schema_findings(tree, schema, settings)
        findings += (finding for finding in found if not (schema.broken and _is_touched(tree, finding.span)))
    findings = list({(f.rule, f.span, f.tool, f.message): f for f in findings}.values())  # one text, used twice
    if sites or is_of_tools:
        for rule in TREE_RULES:
            if rule.id not in settings.ignore and rule.check_tree is not None:
                findings += _tree_findings(tree, sites, rule, settings)
        if shared_anchor.RULE.id not in settings.ignore:
            findings += _shared_anchor_findings(shared, schemas, settings)
    findings.sort(key=lambda finding: (finding.span, finding.rule))
    holders = {id(site.holder) for site in sites}
    return Analysis(tree, tuple(schemas), tuple(findings), len(holders), tuple(shared))


# -- schemas -----------------------------------------------------------------------------------------------------------


def _schema(site: Site, *, broken: bool, shared: tuple[Span, ...]) -> Schema:
    if site.node is None:
        return Schema(site, None, None, DRAFT_2020_12, None, None, broken, shared)
    try:
        value = to_value(site.node, skip_missing=broken)
    except NotJsonError:
        return Schema(site, None, None, None, None, None, True, shared)
    declared = value.get("$schema") if isinstance(value, dict) else None
    dialect = DRAFT_2020_12 if not isinstance(declared, str) else dialect_of_uri(declared)
    if dialect is None or not isinstance(value, dict):
        result = Result(value, "unsupported" if dialect is None else "unchanged")
        return Schema(site, value, declared, dialect, None, result, broken, shared)
    try:
        found = survey(value, dialect)
        result = normalize(value, surveyed=found)
    except Exception:
        _log.exception("cannot look at %s of %s", site.field, site.tool)
        return Schema(site, value, declared, dialect, None, None, True, shared)
    return Schema(site, value, declared, dialect, found, result, broken, shared)


def _broken(tree: Tree, sites: list[Site]) -> set[int]:
    """The ids of the holders whose text is broken."""
    if not tree.problems or not sites:
        return set()
    starts = sorted({site.holder.start for site in sites})
    following = dict(zip(starts, [*starts[1:], len(tree.text)], strict=True))
    return {id(site.holder) for site in sites if _is_broken(tree, site, following[site.holder.start])}


def _is_broken(tree: Tree, site: Site, following: int) -> bool:
    """Whether a syntax problem touches the object that holds the schema, or what may still belong to it.

    ``following`` is where the next such object begins.
    """
    start, end = site.holder.start, site.holder.end
    if site.holder.style == "block" or tree.text[end - 1 : end] != "}":
        end = max(end, following)
    return any(problem.start <= end and start <= problem.end for problem in tree.problems)


def _is_touched(tree: Tree, span: Span) -> bool:
    """Whether a token is itself what is not typed to its end yet."""
    return any(problem.start <= span.end and span.start <= problem.end for problem in tree.problems)


def _with_translations(tree: Tree, schemas: list[Schema]) -> tuple[list[Schema], list[SharedAnchor]]:
    fixes = {
        index: fix
        for index, schema in enumerate(schemas)
        if (fix := _translation_fix(tree, schema, Translation(), "Translate this schema to 2020-12")) is not None
    }
    shared = shared_anchors(tree, [schema.site for schema in schemas], {i: fix.edits for i, fix in fixes.items()})
    for anchor in shared:
        if anchor.agreed and len(anchor.sites) > 1:
            together = _together(fixes[index] for index in anchor.sites)
            assert together is not None
            title = f"Translate the {len(anchor.sites)} schemas that share `&{anchor.name}` to 2020-12"
            for index in anchor.sites:
                fixes[index] = replace(together, title=title, preferred=True)
    left = []
    for anchor in shared:
        if not anchor.agreed or not all(index in fixes and proves(tree, fixes[index]) for index in anchor.sites):
            left.append(anchor)
            for index in anchor.sites:
                fixes.pop(index, None)
    return [replace(schema, translation=fixes.get(index)) for index, schema in enumerate(schemas)], left


def _translation_fix(tree: Tree, schema: Schema, wanted: Translation, title: str) -> Fix | None:
    """The fix for a translation, or None where there is none or the text cannot take it."""
    if schema.broken or schema.site.node is None or not isinstance(schema.value, dict):
        return None
    result = _translate(schema, wanted)
    if result is None or result.status != "translated":
        return None
    operations = result.operations
    if wanted.assume is not None:
        # The schema declares nothing, or 2020-12: what it says of its dialect is right afterwards.
        operations = tuple(op for op in operations if op != ReplaceValue(("$schema",), DRAFT_2020_12.uri))
    keeps_verdicts = wanted.assume is None and not wanted.counting
    return _fix(
        tree,
        schema,
        Repair(title, operations, preferred=keeps_verdicts and wanted.inert == "refuse", asks_first=not keeps_verdicts),
        safe=keeps_verdicts,
    )


def _translate(schema: Schema, wanted: Translation) -> Result | None:
    if wanted == Translation():
        return schema.result
    value, found = schema.value, schema.survey
    if wanted.assume is not None:
        value, found = {**value, "$schema": wanted.assume.uri}, None
    return normalize(value, inert=wanted.inert, counting=wanted.counting, surveyed=found)


def _fix(tree: Tree, schema: Schema, repair: Repair, *, safe: bool = False) -> Fix | None:
    """A repair by operations as a fix, or None where the text cannot take it."""
    assert isinstance(repair.change, tuple)
    if schema.broken:
        return None
    site = schema.site
    root = site.holder if repair.base == "holder" or site.node is None else resolve(site.node)
    pointer = site.pointer[:-1] if root is site.holder else site.pointer
    try:
        edits = to_edits(repair.change, tree, root)
    except CannotEditError:
        return None
    if not safe and any(span.start <= edit.start and edit.end <= span.end for edit in edits for span in schema.shared):
        return None  # what others share is changed by the translation of all of them only
    operations = tuple((site.document, below(operation, pointer)) for operation in repair.change)
    return Fix(repair.title, tuple(edits), operations, repair.preferred, safe, repair.asks_first)


def _together(fixes: Iterable[Fix]) -> Fix | None:
    """Several fixes as one; the same edit of several is one edit. None where there are none."""
    edits: dict[Edit, None] = {}
    operations: dict[int, tuple[int, Operation]] = {}
    for fix in fixes:
        edits.update(dict.fromkeys(fix.edits))
        operations.update({id(operation): operation for operation in fix.operations})
    if not edits:
        return None
    return Fix("Fix all", tuple(sorted(edits)), tuple(operations.values()), safe=True)


def proves(tree: Tree, fix: Fix) -> bool:
    """Whether the edited text parses to exactly what the operations make of the value, in every document.

    The law that tests hold for the edits in general, checked on this very text before it is changed.
    """
    try:
        after = read(apply_edits(tree.text, fix.edits), tree.language)
    except ValueError:
        return False
    if len(after.problems) > len(tree.problems) or len(after.documents) != len(tree.documents):
        return False
    for index, (old, new) in enumerate(zip(tree.documents, after.documents, strict=True)):
        operations = [operation for document, operation in fix.operations if document == index]
        if old is None or new is None:
            if old is not new:
                return False
            continue
        try:
            if not _equal(to_value(new), apply_to_value(operations, to_value(old))):
                return _same_at_sites(tree, after, fix)
        except NotJsonError:
            return _same_at_sites(tree, after, fix)
    return True


def _equal(left: Any, right: Any) -> bool:
    """Equality of JSON values of any depth."""
    stack = [(left, right)]
    while stack:
        one, other = stack.pop()
        try:
            if one != other:
                return False
        except RecursionError:
            if type(one) is not type(other) or len(one) != len(other):
                return False
            if isinstance(one, dict):
                if one.keys() != other.keys():
                    return False
                stack += ((one[key], other[key]) for key in one)
            else:
                stack += zip(one, other, strict=True)
    return True


def _same_at_sites(before: Tree, after: Tree, fix: Fix) -> bool:
    """The law at every schema, for a text that has no JSON value as a whole, or whose anchors share what is changed."""
    old_sites, new_sites = find_sites(before), find_sites(after)
    if [(site.document, site.pointer) for site in old_sites] != [(site.document, site.pointer) for site in new_sites]:
        return False
    for old, new in zip(old_sites, new_sites, strict=True):
        depth = len(old.pointer)
        inside = [
            below(operation, (), drop=depth)
            for document, operation in fix.operations
            if document == old.document and operation.pointer[:depth] == old.pointer
        ]
        if old.node is None or new.node is None:
            if inside or old.node is not new.node:
                return False
            continue
        if not inside and (text := _text_of(before, old)) is not None and text == _text_of(after, new):
            continue
        try:
            if not _equal(to_value(new.node), apply_to_value(inside, to_value(old.node))):
                return False
        except NotJsonError:
            return False
    return True


def _text_of(tree: Tree, site: Site) -> str | None:
    """The text of a schema that holds no alias, so that its text is all there is to it; else None."""
    node = site.node
    if node is None or any(inner.kind == "alias" for inner in walk(node)):
        return None
    return tree.text[node.start : node.end]


# -- findings ----------------------------------------------------------------------------------------------------------


def _schema_findings(tree: Tree, schema: Schema, settings: Settings) -> Iterator[Finding]:
    view = _view(schema, settings)
    provider = schema.site.kind == "provider"
    for rule in SCHEMA_RULES:
        if _applies(rule, schema, settings, provider=provider) and rule.check_schema is not None:
            yield from _run(tree, schema, settings, rule, rule.check_schema(view))
    if schema.survey is None or schema.dialect is None:
        return
    rules = {
        keyword: active
        for keyword, listed in KEYWORD_RULES.items()
        if (active := [rule for rule in listed if _applies(rule, schema, settings, provider=provider)])
    }
    for place in schema.survey.places:
        if isinstance(place.schema, dict) and not place.data:
            for name in ("$schema",) if place.foreign else rules.keys() & place.schema.keys():
                for rule in rules.get(name, ()):
                    assert rule.check_keyword is not None
                    yield from _run(
                        tree, schema, settings, rule, rule.check_keyword(view, place, name, place.schema.get(name))
                    )


def _applies(rule: Rule, schema: Schema, settings: Settings, *, provider: bool) -> bool:
    return (
        rule.id not in settings.ignore and (rule.presence or not schema.broken) and (rule.dialect_rule or not provider)
    )


def _view(schema: Schema, settings: Settings) -> View:
    result = schema.result
    return View(
        site=schema.site,
        value=schema.value,
        has_value=schema.site.node is not None and schema.result is not None,
        declared=schema.declared,
        dialect=schema.dialect,
        survey=schema.survey,
        translates=schema.translation is not None,
        refusals=tuple((r.pointer, r.id, r.message) for r in result.refusals) if result is not None else (),
        legacy=schema.dialect in LEGACY,
        target=settings.target,
    )


def _run(tree: Tree, schema: Schema, settings: Settings, rule: Rule, reports: Iterator[Report]) -> Iterator[Finding]:
    try:
        for report in reports:
            yield _finding(tree, schema, settings, rule, report)
    except Exception:
        _log.exception("rule %s failed at %s of %s", rule.id, schema.site.field, schema.site.tool)


def _finding(tree: Tree, schema: Schema, settings: Settings, rule: Rule, report: Report) -> Finding:
    site = schema.site
    pointer, token, span = _placed(tree, site, report)
    fixes = tuple(fix for repair in report.repairs if (fix := _offered(tree, schema, repair)) is not None)
    severity = settings.severities.get(rule.id) or report.severity or rule.severity
    return Finding(
        rule.id,
        severity,
        report.message,
        site.tool,
        site.document,
        pointer,
        token,
        span,
        report.tags,
        fixes,
        report.related,
    )


def _offered(tree: Tree, schema: Schema, repair: Repair) -> Fix | None:
    change = repair.change
    if isinstance(change, tuple):
        return _fix(tree, schema, repair)
    if change == Translation():
        return schema.translation
    if change not in schema.offers:
        fix = _translation_fix(tree, schema, change, repair.title)
        schema.offers[change] = fix and replace(
            fix, preferred=repair.preferred, safe=False, asks_first=repair.asks_first
        )
    return schema.offers[change]


def _placed(tree: Tree, site: Site, report: Report) -> tuple[Pointer, Token, Span]:
    """The pointer from the document's root, and the token's span."""
    if isinstance(report.at, Span):
        return (*site.pointer, *report.pointer), report.token, _one_line(tree.text, report.at)
    if report.at == "name":
        pointer: Pointer = (*site.pointer[:-1], "name")
        node: Node = at(site.holder, ("name",)) or site.holder
    else:
        pointer = (*site.pointer, *report.pointer)
        own = site.node or site.holder
        node = (at(resolve(own), report.pointer) if report.pointer else None) or own
    return pointer, report.token, _one_line(tree.text, token_span(node, report.token))


def token_span(node: Node, token: Token) -> Span:
    """The span of a node's key or value; of its key as well where there is no value to see."""
    if (token == "key" or node.start == node.end) and node.key_start >= 0:
        return Span(node.key_start, node.key_end)
    return Span(node.start, node.end)


def _one_line(text: str, span: Span) -> Span:
    """A span cut down to its first line; at least one character where there is one."""
    start, end = span
    for stop in ("\n", "\r"):
        found = text.find(stop, start, end)
        if found >= 0:
            end = found
    return Span(start, end)


def _tree_findings(tree: Tree, sites: list[Site], rule: Rule, settings: Settings) -> Iterator[Finding]:
    assert rule.check_tree is not None
    try:
        for report in rule.check_tree(tree, sites):
            assert isinstance(report.at, Span)
            yield Finding(
                rule.id,
                settings.severities.get(rule.id) or report.severity or rule.severity,
                report.message,
                None,
                0,
                report.pointer,
                report.token,
                _one_line(tree.text, report.at),
                related=report.related,
            )
    except Exception:
        _log.exception("rule %s failed", rule.id)


def _shared_anchor_findings(shared: list[SharedAnchor], schemas: list[Schema], settings: Settings) -> Iterator[Finding]:
    rule = shared_anchor.RULE
    for anchor in shared:
        for index, alias in anchor.aliases:
            site = schemas[index].site
            yield Finding(
                rule.id,
                settings.severities.get(rule.id) or rule.severity,
                shared_anchor.message(site, anchor.name),
                site.tool,
                site.document,
                site.pointer,
                "value",
                Span(alias.start, alias.end),
            )
