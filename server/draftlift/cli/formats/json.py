"""For programs: one JSON object. Ranges are as in LSP: zero-based, columns in UTF-16 units."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from draftlift.analysis import Analysis, Finding, Fix
from draftlift.cli.files import Source
from draftlift.cli.formats import FileReport
from draftlift.syntax.pointer import to_text
from draftlift.text import LineIndex, Span

_MOST_TIMES = 50
"""So many findings show one and the same fix; a schema with thousands of findings would fill the disk with its edits."""


def file(source: Source, analysis: Analysis) -> str:
    """One object: the file and its findings."""
    findings: list[dict[str, Any]] = []
    if analysis.findings:
        index = LineIndex(source.text)
        many = len(analysis.tree.documents) > 1
        shown: Counter[int] = Counter()
        for finding, offers in zip(analysis.findings, analysis.fixes(analysis.findings), strict=True):
            shown.update(id(fix) for fix in offers)
            fixes = [_fix(fix, index) for fix in offers if shown[id(fix)] <= _MOST_TIMES]
            document = {"document": finding.document} if many else {}
            findings.append({**_finding(finding, index), "fixes": fixes, **document})
    whole = {"path": source.name, "tools": analysis.tools, "schemas": len(analysis.schemas), "findings": findings}
    return json.dumps(whole, ensure_ascii=True)


def run(files: Iterable[FileReport]) -> Iterator[str]:
    """An object whatever happens: ``{"files": […]}``."""
    yield '{"files": ['
    between = ""
    for report in files:
        yield between + report.text
        between = ",\n"
    yield "]}\n"


def _finding(finding: Finding, index: LineIndex) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "tool": finding.tool,
        "pointer": to_text(finding.pointer),
        "token": finding.token,
        "range": _range(finding.span, index),
    }


def _fix(fix: Fix, index: LineIndex) -> dict[str, Any]:
    edits = [{"range": _range(Span(edit.start, edit.end), index), "newText": edit.new_text} for edit in fix.edits]
    return {"title": fix.title, "preferred": fix.preferred, "applicability": fix.applicability, "edits": edits}


def _range(span: Span, index: LineIndex) -> dict[str, dict[str, int]]:
    start, end = index.position(span.start, "utf-16"), index.position(span.end, "utf-16")
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }
