"""Case files: Markdown whose fenced blocks are test cases for ``analyse``, and the runner for them.

A block in ``json``, ``jsonc`` or ``yaml`` is a text to analyse; the nearest heading names it. Comment lines of carets
say what must be found on the line above them, to the column, and nothing else may be found::

    "$schema": "http://json-schema.org/draft-07/schema#",
    //         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ legacy-dialect(warning): part of the message

They are cut out before the text is read. ``(severity)`` and ``: part of the message`` may be left out. YAML has ``#``
in place of ``//``. Where carets cannot stand, ``@2-7`` names the columns. Columns are code points.

Words behind the language say more about a case: ``silent`` (no finding at all), ``no-fix`` (no finding offers a fix),
``unchanged`` (fix-all has nothing to do), a revision of MCP (the one that tools are for), ``escaped`` (the block is JSON string literals that make up the text, then
lines ``expect: rule-id 3:9 part of the message`` with offsets), ``hover`` (the text has a ``$0`` where the pointer is).

Blocks that follow a case belong to it: ``after`` is the text after fix-all, ``after-remove`` the same where ignored
keywords may go, ``after-fix "Title"`` the text after the one fix whose title begins so; ``preferred`` or ``asks-first``
behind it say what that fix must be. A block in the language ``hover`` is the Markdown that the pointer brings up. (A
fence may have more than three backticks.)

With DRAFTLIFT_UPDATE=1 in the environment the files are rewritten to what is the case: read the diff.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import pytest

from draftlift import explain
from draftlift.analysis import Analysis, Finding, Fix, Settings, analyse
from draftlift.fixes.proving import edits_hold
from draftlift.judge.verdicts import compare
from draftlift.rules.base import LATEST, Revision
from draftlift.syntax import yaml_reader
from draftlift.syntax.tree import Language
from draftlift.text import LineIndex, apply_edits
from syntax.trees import describe

LANGUAGES = ("json", "jsonc", "yaml")
_AFTER = ("after", "after-remove", "after-fix")
_REVISIONS: tuple[Revision, ...] = get_args(Revision)
_WORDS = frozenset(
    ("silent", "no-fix", "unchanged", "escaped", "hover", *_REVISIONS, *_AFTER, "preferred", "asks-first")
)

_HEADING = re.compile(r"#{1,6} +(.+?) *\Z")
_FENCE = re.compile(r"(`{3,}) *(\S*) *(.*?) *\Z")
_CARETS = re.compile(
    r"\s*(?://|#)\s*(?P<place>\^+|@(?P<start>\d+)-(?P<end>\d+))"
    r"\s+(?P<rule>[a-z0-9-]+)(?:\((?P<severity>\w+)\))?(?::\s*(?P<text>.*))?\Z"
)
_EXPECT = re.compile(
    r"expect:\s+(?P<rule>[a-z0-9-]+)(?:\((?P<severity>\w+)\))?\s+(?P<start>\d+):(?P<end>\d+)(?:\s+(?P<text>.*))?\Z"
)


@dataclass(frozen=True)
class Block:
    """A fenced block: ``at`` is the number of its first line of content in the file, counted from 0."""

    heading: str
    language: str
    words: tuple[str, ...]
    lines: tuple[str, ...]
    at: int


@dataclass(frozen=True)
class Note:
    """What is said about one finding: rule and span, and maybe a severity and a part of its message."""

    start: int
    end: int
    rule: str
    severity: str | None = None
    text: str = ""


@dataclass
class Case:
    """One text, what must be found in it, and the blocks that say what becomes of it."""

    path: Path
    id: str
    block: Block
    text: str
    notes: list[Note]
    followers: list[Block] = field(default_factory=list)

    @property
    def language(self) -> Language:
        return "yaml" if self.block.language == "yaml" else "json"

    @property
    def words(self) -> tuple[str, ...]:
        return self.block.words

    @property
    def settings(self) -> Settings:
        return Settings(target=next((word for word in _REVISIONS if word in self.words), LATEST))

    def analyse(self, text: str | None = None) -> Analysis:
        """What draftlift says of the case's text, or of another one in its place."""
        return analyse(self.text if text is None else text, self.language, self.settings)

    @property
    def place(self) -> str:
        return f"{self.path}:{self.block.at}"

    @property
    def pointer(self) -> int:
        """Where the pointer stands in the text that is analysed."""
        return self.block_text.index("$0")

    @property
    def block_text(self) -> str:
        return decode(self.block)[0]


# -- reading -----------------------------------------------------------------------------------------------------------


def read_blocks(text: str) -> Iterator[Block]:
    """All fenced blocks of a Markdown text."""
    heading = ""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        fence = _FENCE.match(lines[index])
        if fence is None:
            title = _HEADING.match(lines[index])
            heading = title[1] if title is not None else heading
            index += 1
            continue
        end = lines.index(fence[1], index + 1)
        yield Block(heading, fence[2], tuple(shlex.split(fence[3])), tuple(lines[index + 1 : end]), index + 1)
        index = end + 1


def decode(block: Block) -> tuple[str, list[Note]]:
    """The text of a block and the notes in it."""
    if "escaped" in block.words:
        return _decode_escaped(block)
    lines: list[str] = []
    starts = [0]
    notes: list[Note] = []
    for line in block.lines:
        match = _CARETS.match(line)
        if match is None:
            lines.append(line)
            starts.append(starts[-1] + len(line) + 1)
            continue
        if match["start"] is not None:
            start, end = int(match["start"]), int(match["end"])
        else:
            start, end = match.span("place")
        above = starts[-2]
        notes.append(Note(above + start, above + end, match["rule"], match["severity"], match["text"] or ""))
    return "".join(line + "\n" for line in lines), notes


def _decode_escaped(block: Block) -> tuple[str, list[Note]]:
    text, notes = "", []
    for line in block.lines:
        match = _EXPECT.match(line)
        if match is None:
            text += json.loads(line)
        else:
            notes.append(
                Note(int(match["start"]), int(match["end"]), match["rule"], match["severity"], match["text"] or "")
            )
    return text, notes


def read_cases(path: Path) -> list[Case]:
    """The cases of one file."""
    cases: list[Case] = []
    counts: dict[str, int] = {}
    for block in read_blocks(path.read_text(encoding="utf-8")):
        if block.language in LANGUAGES and not set(block.words).intersection(_AFTER):
            unknown = set(block.words) - _WORDS
            assert not unknown, f"{path}:{block.at}: unknown words {unknown}"
            count = counts[block.heading] = counts.get(block.heading, 0) + 1
            text, notes = decode(block)
            if "hover" in block.words:
                text = text.replace("$0", "", 1)
            id_ = f"{path.stem}: {block.heading}" + (f" {count}" if count > 1 else "")
            cases.append(Case(path, id_, block, text, notes))
        elif block.language in LANGUAGES or block.language == "hover":
            assert cases and cases[-1].block.heading == block.heading, f"{path}:{block.at}: no case before this block"
            cases[-1].followers.append(block)
    return cases


def parametrise(folder: Path) -> pytest.MarkDecorator:
    """A parameter ``case`` with every case of a folder's files; rewrites the files first where that is asked for."""
    files = sorted(folder.glob("*.md"))
    if os.environ.get("DRAFTLIFT_UPDATE") == "1":
        for path in files:
            update(path)
    cases = [case for path in files for case in read_cases(path)]
    return pytest.mark.parametrize("case", cases, ids=[case.id for case in cases])


# -- running -----------------------------------------------------------------------------------------------------------


def check(case: Case) -> None:
    """Hold a case against what draftlift does. Raises AssertionError where they differ."""
    analysis = case.analyse()
    if "hover" not in case.words:
        _check_findings(case, analysis)
        assert bool(case.notes) != ("silent" in case.words), f"{case.place}: either notes, or the word silent"
    fixes = [fix for own in analysis.fixes(analysis.findings) for fix in own]
    if "no-fix" in case.words:
        assert not fixes, f"{case.place}: {[fix.title for fix in fixes]}"
    if "unchanged" in case.words:
        assert analysis.fix_all() == (), case.place
    for block in case.followers:
        if block.language == "hover":
            _same(case, block, "\n".join(block.lines), _hover(case, analysis))
        else:
            _same(case, block, decode(block)[0], outcome(case, block, analysis))
    check_laws(case, analysis)


def outcome(case: Case, block: Block, analysis: Analysis) -> str:
    """The text after what a block is about has been done."""
    if "after-fix" in block.words:
        title = next(word for word in block.words if word not in _WORDS)
        found = {
            fix.edits: fix for own in analysis.fixes(analysis.findings) for fix in own if fix.title.startswith(title)
        }
        assert len(found) == 1, f"{case.place}: {len(found)} different fixes begin with {title!r}"
        (fix,) = found.values()
        assert fix.preferred == ("preferred" in block.words), f"{case.place}: {fix.title!r} preferred: {fix.preferred}"
        asks_first = fix.applicability == "changes-verdicts"
        assert asks_first == ("asks-first" in block.words), f"{case.place}: {fix.title!r}: {fix.applicability}"
        return apply_edits(case.text, fix.edits)
    edits = analysis.fix_all("remove" if "after-remove" in block.words else "refuse")
    return apply_edits(case.text, edits)


def check_laws(case: Case, analysis: Analysis) -> None:
    """What holds for every text: fixes that prove themselves, ranges of one line, and the same with CRLF or a BOM.

    YAML is read by both of its parsers.
    """
    place, text = case.place, case.text
    if case.language == "yaml":
        assert describe(yaml_reader.read(text, pure=True)) == describe(yaml_reader.read(text)), (
            f"{place}: the parsers disagree"
        )
    for finding, fixes in zip(analysis.findings, analysis.fixes(analysis.findings), strict=True):
        assert 0 <= finding.span.start <= finding.span.end <= len(text), place
        assert "\n" not in text[finding.span.start : finding.span.end], f"{place}: a range over two lines"
        assert sum(fix.preferred for fix in fixes) <= 1, f"{place}: two preferred fixes"
        for fix in fixes:
            _check_fix(case, analysis, fix)
    for inert in ("refuse", "remove"):
        fixed = apply_edits(text, analysis.fix_all(inert))
        assert case.analyse(fixed).fix_all(inert) == (), f"{place}: fixing all twice changes more"
    if "\r" not in text and not text.startswith("\ufeff"):
        _check_variant(case, analysis, "\ufeff" + text, lambda after: "\ufeff" + after)
        if "\x00" not in text:
            _check_variant(case, analysis, text.replace("\n", "\r\n"), lambda after: after.replace("\n", "\r\n"))


def _check_fix(case: Case, analysis: Analysis, fix: Fix) -> None:
    assert fix.edits, f"{case.place}: {fix.title!r} changes nothing"
    assert list(fix.edits) == sorted(fix.edits), f"{case.place}: {fix.title!r} is not sorted"
    assert edits_hold(analysis.tree, fix.edits, fix.operations), f"{case.place}: {fix.title!r} does not do what it says"


def _check_variant(case: Case, analysis: Analysis, text: str, change: Any) -> None:
    """The same findings and the same repairs where only line ends or a BOM differ."""
    other = case.analyse(text)
    kind = "CRLF" if "\r" in text else "a BOM"
    assert _lines_of(other) == _lines_of(analysis), f"{case.place}: other findings with {kind}"
    for inert in ("refuse", "remove"):
        expected = change(apply_edits(case.text, analysis.fix_all(inert)))
        assert apply_edits(text, other.fix_all(inert)) == expected, f"{case.place}: another repair with {kind}"


def _lines_of(analysis: Analysis) -> list[tuple[str, int, str, list[str]]]:
    index = LineIndex(analysis.tree.text)
    return [
        (finding.rule, index.line_of(finding.span.start), finding.message, [fix.title for fix in fixes])
        for finding, fixes in zip(analysis.findings, analysis.fixes(analysis.findings), strict=True)
    ]


def _check_findings(case: Case, analysis: Analysis) -> None:
    expected = sorted(case.notes, key=lambda note: (note.start, note.end, note.rule))
    actual = sorted(analysis.findings, key=lambda finding: (*finding.span, finding.rule))
    keys = [(note.start, note.end, note.rule) for note in expected]
    if keys != [(*finding.span, finding.rule) for finding in actual]:
        _same(case, case.block, _shown(case, expected), _shown(case, [_note(finding) for finding in actual]))
    for note, finding in zip(expected, actual, strict=True):
        assert note.text in finding.message, f"{case.place}: {note.rule}: {note.text!r} is not in {finding.message!r}"
        assert note.severity in (None, finding.severity), f"{case.place}: {note.rule} is of {finding.severity}"


def _shown(case: Case, notes: list[Note]) -> str:
    return "\n".join(encode(case.text, [Note(n.start, n.end, n.rule) for n in notes], case.block))


def _same(case: Case, block: Block, expected: str, actual: str) -> None:
    if expected != actual:
        lines = difflib.unified_diff(expected.splitlines(), actual.splitlines(), "expected", "actual", lineterm="", n=2)
        diff = "\n".join(lines) or f"{expected!r}\n{actual!r}"
        pytest.fail(f"{case.path}:{block.at} ({case.id})\n{diff}", pytrace=False)


def _hover(case: Case, analysis: Analysis) -> str:
    hover = explain.hover(analysis, case.pointer)
    assert hover is not None, f"{case.place}: no hover"
    assert hover.span.start <= case.pointer < hover.span.end, f"{case.place}: another token"
    outcome = None
    if hover.trial is not None:
        trial = hover.trial
        *_, outcome = compare(trial.schema, trial.translated, trial.dialect.name)
    return hover.markdown(outcome).rstrip("\n")


# -- writing -----------------------------------------------------------------------------------------------------------


def update(path: Path) -> None:
    """Rewrite the notes and the blocks after fixes of a file to what is the case."""
    lines = path.read_text(encoding="utf-8").split("\n")
    new: list[tuple[Block, list[str]]] = []
    for case in read_cases(path):
        analysis = case.analyse()
        if "hover" not in case.words:
            notes = _kept(case, analysis)
            new.append((case.block, encode(case.text, notes, case.block)))
        for block in case.followers:
            if block.language == "hover":
                new.append((block, _hover(case, analysis).split("\n")))
            else:
                new.append((block, encode(outcome(case, block, analysis), [], block)))
    for block, content in reversed(new):
        lines[block.at : block.at + len(block.lines)] = content
    path.write_text("\n".join(lines), encoding="utf-8")


def encode(text: str, notes: list[Note], block: Block) -> list[str]:
    """The lines of a block that says this about a text: the way back from ``decode``."""
    if "escaped" in block.words:
        literals = [json.dumps(line) for line in re.findall(r"[^\n]*\n|[^\n]+\Z", text)]
        return literals + [
            f"expect: {note.rule}{_severity(note)} {note.start}:{note.end} {note.text}".rstrip() for note in notes
        ]
    mark = "#" if block.language == "yaml" else "//"
    out: list[str] = []
    at = 0
    for line in text.removesuffix("\n").split("\n"):
        out.append(line)
        for note in notes:
            if at <= note.start <= at + len(line):
                start, end = note.start - at, note.end - at
                carets = f"{mark}{' ' * (start - len(mark))}{'^' * (end - start)}"
                place = carets if start >= len(mark) and end > start else f"{mark} @{start}-{end}"
                out.append(f"{place} {note.rule}{_severity(note)}" + (f": {note.text}" if note.text else ""))
        at += len(line) + 1
    return out


def _severity(note: Note) -> str:
    return f"({note.severity})" if note.severity else ""


def _kept(case: Case, analysis: Analysis) -> list[Note]:
    """Notes for all findings; what the old ones say stays where it is right."""
    index = LineIndex(case.text)
    old: dict[tuple[int, str], list[Note]] = {}
    for note in case.notes:
        old.setdefault((index.line_of(note.start), note.rule), []).append(note)
    notes = []
    for finding in analysis.findings:
        before = old.get((index.line_of(finding.span.start), finding.rule))
        note = _note(finding)
        if before:
            said = before.pop(0)
            severity = None if said.severity is None else finding.severity
            note = Note(
                note.start, note.end, note.rule, severity, said.text if said.text in finding.message else note.text
            )
        notes.append(note)
    return notes


def _note(finding: Finding) -> Note:
    words = finding.message.split(": ", 1)[-1].split()
    return Note(*finding.span, finding.rule, finding.severity, " ".join(words[:9]))
