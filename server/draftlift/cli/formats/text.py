"""For people: one line a finding, ``path:line:column: severity rule: message``, and a summary. Columns count characters from 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from draftlift.analysis import Analysis, Finding
from draftlift.cli.files import Source
from draftlift.cli.formats import FileReport
from draftlift.text import LineIndex

_ORDER = ("error", "warning", "information", "hint")


def file(source: Source, analysis: Analysis) -> str:
    """A line for each finding."""
    if not analysis.findings:
        return ""
    index = LineIndex(source.text)
    return "".join(line(source, index, finding) + "\n" for finding in analysis.findings)


def line(source: Source, index: LineIndex, finding: Finding) -> str:
    """The line of one finding."""
    return f"{place(source, index, finding.span.start)}: {finding.severity} {finding.rule}: {finding.message}"


def place(source: Source, index: LineIndex, offset: int) -> str:
    """Where an offset of a text is, as compilers say it."""
    at = index.position(offset, "utf-32")
    return f"{source.name}:{at.line + 1}:{at.character + 1}"


def run(files: Iterable[FileReport]) -> Iterator[str]:
    """The lines of the files, and a summary where anything was found."""
    counts: Counter[str] = Counter()
    fixable = 0
    for report in files:
        counts += report.counts
        fixable += report.fixable
        yield report.text
    found = ", ".join(counted(counts[severity], severity) for severity in _ORDER if counts[severity])
    if found:
        way_out = f" {counted(fixable, 'schema')} can be translated with 'draftlift fix'." if fixable else ""
        yield f"Found {found}.{way_out}\n"


def counted(number: int, what: str) -> str:
    """A number of things in words."""
    return f"{number:,} {what}" if number == 1 or what == "information" else f"{number:,} {what}s"
