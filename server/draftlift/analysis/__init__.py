"""One text in, everything draftlift knows about it out: ``analyse`` is what both front ends call.

Invariants: pure (no I/O, no clock, no environment); the result is frozen; spans and edits are code points of the text;
an exception in one rule or at one schema is logged and costs that rule at that schema only.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from draftlift import gc_pause
from draftlift.analysis.model import Analysis, Finding, Settings, StoppedError
from draftlift.analysis.placing import one_line, placed
from draftlift.analysis.schemas import Schema, look_at, translation_of
from draftlift.fixes.anchors import SharedAnchor, shared_anchors, shared_spans
from draftlift.fixes.model import Fix, Proposal, Withheld
from draftlift.fixes.proving import Gate
from draftlift.rules import KEYWORD_RULES, SCHEMA_RULES, TEXT_RULES
from draftlift.rules.base import Report, Rule, TextView, View
from draftlift.schema.dialects import LEGACY
from draftlift.syntax import read
from draftlift.syntax.tree import Language, Node, Tree
from draftlift.text import Span
from draftlift.tools.find import find_tools, may_hold_sites
from draftlift.tools.model import Site

__all__ = ["Analysis", "Finding", "Fix", "Schema", "Settings", "StoppedError", "analyse"]

_log = logging.getLogger(__name__)


def analyse(
    text: str,
    language: Language,
    settings: Settings | None = None,
    *,
    is_of_tools: bool = False,
    is_needed: Callable[[], bool] = lambda: True,
    file: Node | None = None,
) -> Analysis:
    """Analyse a text, which may be half-typed. Never raises, but StoppedError where ``is_needed`` comes to say no.

    ``is_of_tools`` says that the text is known to be about tools, so that its syntax matters even if none is seen.
    ``file`` is the root of the file that the text is one tool of, where it is not the whole of it.
    """
    if not is_of_tools and not may_hold_sites(text):
        tree = Tree(language, text, (), ())
        return Analysis(tree, (), (), 0, (), Gate(tree))
    with gc_pause.paused():
        return _analyse(text, language, settings or Settings(), is_of_tools, is_needed, file)


def _analyse(
    text: str,
    language: Language,
    settings: Settings,
    is_of_tools: bool,
    is_needed: Callable[[], bool],
    file: Node | None,
) -> Analysis:
    tree = read(text, language)
    tools = find_tools(tree)
    sites = [site for tool in tools for site in tool.sites]
    touched = _touched_holders(tree, sites)
    gate = Gate(tree, shared_spans(tree))
    schemas = []
    for site in sites:
        if not is_needed():
            raise StoppedError
        schemas.append(look_at(site, broken=id(site.holder) in touched))
    schemas, shared = _with_translations(gate, tree, schemas)
    findings: list[Finding] = []
    active = {
        (broken, provider): _active(settings, broken=broken, provider=provider)
        for broken in (False, True)
        for provider in (False, True)
    }
    for schema in schemas:
        if not is_needed():
            raise StoppedError
        rules = active[schema.broken, schema.site.kind == "provider"]
        view = _view(schema, settings, file or tree.documents[schema.site.document])
        found = _schema_findings(tree, view, schema, settings, rules)
        findings += (finding for finding in found if not (schema.broken and _is_touched(tree, finding.span)))
    findings = list({(f.rule, f.span, f.tool, f.message): f for f in findings}.values())  # one text, used twice
    if sites or is_of_tools:
        of_text = TextView(tree, sites, shared)
        for rule in TEXT_RULES:
            if rule.id not in settings.ignore:
                findings += _text_findings(of_text, rule, settings)
    findings.sort(key=lambda finding: (finding.span, finding.rule))
    return Analysis(tree, tuple(schemas), tuple(findings), len(tools), tuple(shared), gate)


# -- schemas -----------------------------------------------------------------------------------------------------------


def _touched_holders(tree: Tree, sites: list[Site]) -> set[int]:
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


def _with_translations(gate: Gate, tree: Tree, schemas: list[Schema]) -> tuple[list[Schema], list[SharedAnchor]]:
    """The schemas with their translations, proved; and the anchors whose users want different text."""
    proposals = {
        index: proposal for index, schema in enumerate(schemas) if (proposal := translation_of(schema)) is not None
    }
    if not proposals:
        return schemas, []
    shared = _agree(gate, tree, schemas, proposals)
    outcomes = dict(zip(proposals, gate.prove(proposals.values()), strict=True))
    left = []
    for anchor in shared:
        if not anchor.agreed or not all(isinstance(outcomes.get(index), Fix) for index in anchor.sites):
            left.append(anchor)
            reason = Withheld(f"`&{anchor.name}` is shared by users that need different changes")
            outcomes.update({index: reason for index in anchor.sites if index in proposals})
    return [
        schema if index not in outcomes else _with_outcome(schema, proposals[index], outcomes[index])
        for index, schema in enumerate(schemas)
    ], left


def _agree(gate: Gate, tree: Tree, schemas: list[Schema], proposals: dict[int, Proposal]) -> list[SharedAnchor]:
    """Have schemas that share text, and want the same of it, propose it together; the anchors of all that share."""
    edits = {index: found for index, one in proposals.items() if not isinstance(found := gate.edits(one), Withheld)}
    try:
        shared = shared_anchors(tree, [schema.site for schema in schemas], edits)
    except Exception:
        _log.exception("cannot look at anchors")
        proposals.clear()
        return []
    for anchors in _connected([anchor for anchor in shared if anchor.agreed]):
        indices = sorted({index for anchor in anchors for index in anchor.sites})
        title = "Translate this schema to 2020-12"
        if len(indices) > 1:
            title = f"Translate the {len(indices)} schemas that share `&{anchors[0].name}` to 2020-12"
        proposal = replace(
            proposals[indices[0]],
            title=title,
            changes=tuple(change for index in indices for change in proposals[index].changes),
            at_anchors=tuple(alias for anchor in anchors for alias in anchor.replaced),
        )
        proposals.update(dict.fromkeys(indices, proposal))
    return shared


def _connected(anchors: list[SharedAnchor]) -> list[list[SharedAnchor]]:
    """Anchors in groups: those that have a schema in common are in one."""
    group_of: dict[int, list[SharedAnchor]] = {}
    for anchor in anchors:
        merged = {id(group): group for index in anchor.sites if (group := group_of.get(index)) is not None}
        group = max(merged.values(), key=len, default=[])
        for other in merged.values():
            if other is not group:
                group += other
                group_of.update({index: group for moved in other for index in moved.sites})
        group.append(anchor)
        group_of.update(dict.fromkeys(anchor.sites, group))
    return list({id(group): group for group in group_of.values()}.values())


def _with_outcome(schema: Schema, proposal: Proposal, outcome: Fix | Withheld) -> Schema:
    if isinstance(outcome, Withheld):
        return replace(schema, withheld=outcome.reason)
    return replace(schema, proposal=proposal, translation=outcome)


# -- findings ----------------------------------------------------------------------------------------------------------


def _schema_findings(tree: Tree, view: View, schema: Schema, settings: Settings, active: _Active) -> Iterator[Finding]:
    for rule in active.of_schemas:
        assert rule.check_schema is not None
        yield from _run(tree, schema, settings, rule, rule.check_schema, view)
    if schema.survey is None or schema.dialect is None:
        return
    rules, names = active.of_keywords, active.of_keywords.keys()
    for place in schema.survey.places:
        found = place.schema
        if isinstance(found, dict) and not place.data:
            for name in ("$schema",) if place.foreign else names & found.keys():
                for rule in rules.get(name, ()):
                    assert rule.check_keyword is not None
                    check = rule.check_keyword
                    yield from _run(tree, schema, settings, rule, check, view, place, name, found.get(name))


class _Active(NamedTuple):
    """The rules that apply to a schema: those that see all of it, and by keyword those that see each occurrence."""

    of_schemas: tuple[Rule, ...]
    of_keywords: dict[str, list[Rule]]


def _active(settings: Settings, *, broken: bool, provider: bool) -> _Active:
    def applies(rule: Rule) -> bool:
        return rule.id not in settings.ignore and (rule.presence or not broken) and (rule.dialect_rule or not provider)

    return _Active(
        tuple(filter(applies, SCHEMA_RULES)),
        {keyword: found for keyword, listed in KEYWORD_RULES.items() if (found := list(filter(applies, listed)))},
    )


def _view(schema: Schema, settings: Settings, file: Node | None) -> View:
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
        withheld=schema.withheld,
        offers=lambda repair: schema.propose(repair) is not None,
        file=file,
    )


def _run(
    tree: Tree, schema: Schema, settings: Settings, rule: Rule, check: Callable[..., Iterator[Report]], *seen: object
) -> list[Finding]:
    try:
        return [_finding(tree, schema, settings, rule, report) for report in check(*seen)]
    except Exception:
        _log.exception("rule %s failed at %s of %s", rule.id, schema.site.field, schema.site.tool)
        return []


def _finding(tree: Tree, schema: Schema, settings: Settings, rule: Rule, report: Report) -> Finding:
    pointer, span = placed(tree, schema.site, report)
    return Finding(
        rule.id,
        settings.severities.get(rule.id) or report.severity or rule.severity,
        report.message,
        schema.site.tool,
        schema.site.document,
        pointer,
        report.token,
        span,
        report.tags,
        tuple(found for repair in report.repairs if (found := schema.propose(repair)) is not None),
        report.related,
    )


def _text_findings(view: TextView, rule: Rule, settings: Settings) -> Iterator[Finding]:
    """The findings of a rule that looks at the text as a whole."""
    assert rule.check_text is not None
    try:
        for report in rule.check_text(view):
            assert isinstance(report.at, Span)
            site = report.site
            yield Finding(
                rule.id,
                settings.severities.get(rule.id) or report.severity or rule.severity,
                report.message,
                site.tool if site is not None else None,
                site.document if site is not None else 0,
                report.pointer,
                report.token,
                one_line(view.tree.text, report.at),
                related=report.related,
            )
    except Exception:
        _log.exception("rule %s failed", rule.id)
