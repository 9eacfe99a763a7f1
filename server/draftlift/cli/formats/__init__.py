"""How findings are printed: one file a format, each with a function for a file and one for the whole run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from draftlift.analysis import Analysis
    from draftlift.cli.files import Source

FORMATS = ("text", "json")


@dataclass(slots=True)
class FileReport:
    """What is told of one file: ready text, and what a summary counts. Small enough to come from another process."""

    text: str
    counts: Counter[str] = field(default_factory=Counter)
    fixable: int = 0

    @property
    def status(self) -> int:
        """The exit status that the file asks for."""
        return int(bool(self.counts["error"] or self.counts["warning"]))


class Format(Protocol):
    """A module of this folder."""

    def file(self, source: Source, analysis: Analysis) -> str:
        """What is told of one file. Called where the file is looked at, which may be in another process."""

    def run(self, files: Iterable[FileReport]) -> Iterator[str]:
        """All that is printed, piece by piece as the files come: what stands before, between and after their texts."""


def format_of(name: str) -> Format:
    """The format of this name, one of FORMATS."""
    from draftlift.cli.formats import json, text

    known: dict[str, Format] = {"text": text, "json": json}
    return known[name]


def report(source: Source, analysis: Analysis, name: str) -> FileReport:
    """The report of one file in a format."""
    counts: Counter[str] = Counter(finding.severity for finding in analysis.findings)
    fixable = sum(schema.translation is not None for schema in analysis.schemas)
    return FileReport(format_of(name).file(source, analysis), counts, fixable)
