"""Text, offsets and edits: layer 0, on which everything else stands.

Invariants: an offset is a count of code points from the start of the text; a span is half open; position encodings
(UTF-8, UTF-16, UTF-32) and line ends exist in this file only. Lines end where the Language Server Protocol says they
do (CRLF, LF, CR), which is not where ``str.splitlines`` thinks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Literal, NamedTuple

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_STEP = 1024
"""Characters between two marks of a long line."""

_LINE_END = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """A half-open range of code-point offsets."""

    start: int
    end: int


class Edit(NamedTuple):
    """Replace the text between two code-point offsets by ``new_text``; an insertion where both are equal."""

    start: int
    end: int
    new_text: str


class Position(NamedTuple):
    """A zero-based line, and a zero-based column in the units of some encoding (code units, or bytes for UTF-8)."""

    line: int
    character: int


class LineIndex:
    """Turns offsets of one text into positions and back, in any encoding.

    Out-of-range input is clamped, as LSP asks: a column beyond the line means the line's end, a line beyond the text
    the text's end.
    """

    __slots__ = ("_ascii", "_marks", "_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._marks: dict[tuple[int, Encoding], list[int]] = {}
        if "\r" in text:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        else:
            self._starts = list(accumulate([len(line) + 1 for line in text.split("\n")[:-1]], initial=0))

    def edited(self, edit: Edit, text: str) -> LineIndex:
        """The index of ``text``, which is this one's text after an edit; quicker than a new one."""
        if (
            "\r" in edit.new_text
            or self._text[edit.start - 1 : edit.end + 1].count("\r")
            or "\r" in text[edit.start - 1 : edit.start + len(edit.new_text) + 1]
        ):
            return LineIndex(text)  # a CR and an LF may have met or parted
        first = bisect_right(self._starts, edit.start)
        after = bisect_right(self._starts, edit.end)
        delta = len(edit.new_text) - (edit.end - edit.start)
        inside = [edit.start + match.end() for match in _LINE_END.finditer(edit.new_text)]
        rest = self._starts[after:]
        found = LineIndex.__new__(LineIndex)
        found._text = text
        found._marks = {}
        found._ascii = self._ascii and edit.new_text.isascii()
        found._starts = [*self._starts[:first], *inside, *([start + delta for start in rest] if delta else rest)]
        return found

    @property
    def line_count(self) -> int:
        """How many lines the text has; a text that ends in a line end has an empty last line."""
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """The zero-based line that holds this offset."""
        return bisect_right(self._starts, offset) - 1

    def line_start(self, line: int) -> int:
        """The offset at which a line begins."""
        return self._starts[line]

    def line_end(self, line: int) -> int:
        """The offset at which a line's content ends, its line end not included."""
        if line + 1 >= len(self._starts):
            return len(self._text)
        end = self._starts[line + 1] - 1
        if self._text[end] == "\n" and end > self._starts[line] and self._text[end - 1] == "\r":
            end -= 1
        return end

    def position(self, offset: int, encoding: Encoding) -> Position:
        """The position of an offset, its column in the units of ``encoding``."""
        offset = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        if self._ascii or encoding == "utf-32":
            return Position(line, offset - start)
        if offset - start <= _STEP:
            return Position(line, _units(self._text[start:offset], encoding))
        marks = self._marks_of(line, encoding)
        whole = (offset - start) // _STEP
        return Position(line, marks[whole] + _units(self._text[start + whole * _STEP : offset], encoding))

    def _marks_of(self, line: int, encoding: Encoding) -> list[int]:
        """How many units a long line has up to every so many characters: to count from its start is slow."""
        marks = self._marks.get((line, encoding))
        if marks is None:
            start, end = self._starts[line], self.line_end(line)
            steps = range(start, end, _STEP)
            units = (_units(self._text[at : min(at + _STEP, end)], encoding) for at in steps)
            marks = self._marks[line, encoding] = list(accumulate(units, initial=0))
        return marks

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """The offset of a position. A column inside a character means the start of that character."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self._text)
        start, end = self._starts[line], self.line_end(line)
        if self._ascii or encoding == "utf-32":
            return min(start + max(character, 0), end)
        content = self._text[start:end]
        if content.isascii():
            return min(start + max(character, 0), end)
        used = 0
        if len(content) > _STEP:
            marks = self._marks_of(line, encoding)
            whole = min(max(bisect_right(marks, character) - 1, 0), (end - start) // _STEP)
            used, start = marks[whole], start + whole * _STEP
            content = self._text[start:end]
        for index, char in enumerate(content):
            used += _units(char, encoding)
            if used > character:
                return start + index
        return end


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(char > "\uffff" for char in text)
    # A lone surrogate cannot be encoded, but must not cost the document its diagnostics.
    return len(text.encode("utf-8", "surrogatepass"))


def newline_of(text: str, start: int = 0) -> str:
    """The line end a text uses: the first at or after ``start``, or LF where there is none."""
    match = _LINE_END.search(text, start)
    return match[0] if match else "\n"


def line_start(text: str, offset: int, floor: int = 0) -> int:
    """Where the line of an offset begins, or ``floor`` where that is further back.

    Does not look through all of a text that has no carriage return.
    """
    start = max(text.rfind("\n", floor, offset) + 1, floor)
    return max(start, text.rfind("\r", start, offset) + 1)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits, which refer to the text before any of them.

    Insertions at one place keep the order in which they are given. Raises ValueError where two edits overlap.
    """
    pieces: list[str] = []
    at = 0
    for start, end, new_text in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if start < at or end < start or end > len(text):
            raise ValueError(f"overlapping or misplaced edit at {start}")
        pieces += (text[at:start], new_text)
        at = end
    pieces.append(text[at:])
    return "".join(pieces)
