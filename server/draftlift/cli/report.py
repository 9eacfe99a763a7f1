"""How findings are printed: lines for people, one JSON object for programs."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from draftlift.analysis import Analysis, Finding, Fix
from draftlift.cli.files import Source
from draftlift.syntax.pointer import to_text
from draftlift.text import LineIndex, Span

_MOST_TIMES = 50
"""So many findings tell one and the same fix; a schema with thousands of findings would fill the disk with its edits."""

_ORDER = ("error", "warning", "information", "hint")


@dataclass(slots=True)
class FileReport:
    """What is told of one file: ready text, and what the summary counts. Small enough to come from another process."""

    text: str
    counts: Counter[str] = field(default_factory=Counter)
    fixable: int = 0

    @property
    def status(self) -> int:
        """The exit status that the file asks for."""
        return int(bool(self.counts["error"] or self.counts["warning"]))


def report(source: Source, analysis: Analysis, *, as_json: bool) -> FileReport:
    """The report of one file: a JSON object, or one line a finding, ``path:line:column: severity rule: message``.

    Columns of lines count characters from 1. Ranges in JSON are as in LSP: zero-based, columns in UTF-16 units.
    """
    counts: Counter[str] = Counter(finding.severity for finding in analysis.findings)
    fixable = sum(schema.translation is not None for schema in analysis.schemas)
    return FileReport(_json(source, analysis) if as_json else _lines(source, analysis), counts, fixable)


def summary(reports: list[FileReport]) -> str:
    """The last line for people; empty where nothing was found."""
    counts: Counter[str] = sum((file.counts for file in reports), Counter())
    found = ", ".join(_counted(counts[severity], severity) for severity in _ORDER if counts[severity])
    if not found:
        return ""
    fixable = sum(file.fixable for file in reports)
    way_out = f" {_counted(fixable, 'schema')} can be translated with 'draftlift fix'." if fixable else ""
    return f"Found {found}.{way_out}\n"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 or what == "information" else f"{number:,} {what}s"


def _lines(source: Source, analysis: Analysis) -> str:
    if not analysis.findings:
        return ""
    index = LineIndex(source.text)
    lines = []
    for finding in analysis.findings:
        line, column = index.position(finding.span.start, "utf-32")
        lines.append(f"{source.name}:{line + 1}:{column + 1}: {finding.severity} {finding.rule}: {finding.message}\n")
    return "".join(lines)


def _json(source: Source, analysis: Analysis) -> str:
    findings: list[dict[str, Any]] = []
    if analysis.findings:
        index = LineIndex(source.text)
        many = len(analysis.tree.documents) > 1
        told: Counter[int] = Counter()
        fixes = analysis.fixes(analysis.findings)
        findings = [
            _finding(finding, own, index, told, many=many)
            for finding, own in zip(analysis.findings, fixes, strict=True)
        ]
    file = {"path": source.name, "tools": analysis.tools, "schemas": len(analysis.schemas), "findings": findings}
    return json.dumps(file, ensure_ascii=True)


def _finding(
    finding: Finding, fixes: tuple[Fix, ...], index: LineIndex, told: Counter[int], *, many: bool
) -> dict[str, Any]:
    told.update(id(fix) for fix in fixes)
    entry: dict[str, Any] = {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "tool": finding.tool,
        "pointer": to_text(finding.pointer),
        "token": finding.token,
        "range": _range(finding.span, index),
        "fixes": [_fix(fix, index) for fix in fixes if told[id(fix)] <= _MOST_TIMES],
    }
    if many:
        entry["document"] = finding.document
    return entry


def _fix(fix: Fix, index: LineIndex) -> dict[str, Any]:
    edits = [{"range": _range(Span(edit.start, edit.end), index), "newText": edit.new_text} for edit in fix.edits]
    return {"title": fix.title, "preferred": fix.preferred, "applicability": fix.applicability, "edits": edits}


def _range(span: Span, index: LineIndex) -> dict[str, dict[str, int]]:
    start, end = index.position(span.start, "utf-16"), index.position(span.end, "utf-16")
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }
