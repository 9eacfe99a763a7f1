"""How findings are printed: lines for people, one JSON object for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from draftlift.analysis import Analysis, Finding, Fix
from draftlift.cli.files import Source
from draftlift.syntax.pointer import to_text
from draftlift.text import LineIndex, Span

_MOST_TIMES = 50
"""So many findings tell one and the same fix; a schema with thousands of findings would fill the disk with its edits."""

_ORDER = ("error", "warning", "information", "hint")


def as_text(results: Iterable[tuple[Source, Analysis]]) -> str:
    """One line a finding, ``path:line:column: severity rule: message`` (columns count characters), and a summary."""
    lines: list[str] = []
    counts: Counter[str] = Counter()
    fixable = 0
    for source, analysis in results:
        index = LineIndex(source.text)
        for finding in analysis.findings:
            line, column = index.position(finding.span.start, "utf-32")
            lines.append(f"{source.name}:{line + 1}:{column + 1}: {finding.severity} {finding.rule}: {finding.message}")
            counts[finding.severity] += 1
        fixable += sum(schema.translation is not None for schema in analysis.schemas)
    if lines:
        found = ", ".join(_counted(counts[severity], severity) for severity in _ORDER if counts[severity])
        way_out = f" {_counted(fixable, 'schema')} can be translated with 'draftlift fix'." if fixable else ""
        lines.append(f"Found {found}.{way_out}")
    return "".join(line + "\n" for line in lines)


def _counted(number: int, what: str) -> str:
    if number == 1 or what == "information":
        return f"{number} {what}"
    return f"{number} {what}s"


def as_json(results: Iterable[tuple[Source, Analysis]]) -> str:
    """One JSON object; ranges are as in LSP: zero-based lines, columns in UTF-16 units, the end excluded."""
    files = [
        {
            "path": source.name,
            "tools": analysis.tools,
            "schemas": len(analysis.schemas),
            "findings": _findings(source, analysis),
        }
        for source, analysis in results
    ]
    return json.dumps({"files": files}, ensure_ascii=True) + "\n"


def _findings(source: Source, analysis: Analysis) -> list[dict[str, Any]]:
    if not analysis.findings:
        return []
    index = LineIndex(source.text)
    many = len(analysis.tree.documents) > 1
    told: Counter[int] = Counter()
    return [_finding(finding, index, told, many=many) for finding in analysis.findings]


def _finding(finding: Finding, index: LineIndex, told: Counter[int], *, many: bool) -> dict[str, Any]:
    told.update(id(fix) for fix in finding.fixes)
    entry: dict[str, Any] = {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "tool": finding.tool,
        "pointer": to_text(finding.pointer),
        "token": finding.token,
        "range": _range(finding.span, index),
        "fixes": [_fix(fix, index) for fix in finding.fixes if told[id(fix)] <= _MOST_TIMES],
    }
    if many:
        entry["document"] = finding.document
    return entry


def _fix(fix: Fix, index: LineIndex) -> dict[str, Any]:
    edits = [{"range": _range(Span(edit.start, edit.end), index), "newText": edit.new_text} for edit in fix.edits]
    return {"title": fix.title, "preferred": fix.preferred, "edits": edits}


def _range(span: Span, index: LineIndex) -> dict[str, dict[str, int]]:
    start, end = index.position(span.start, "utf-16"), index.position(span.end, "utf-16")
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }
