"""What both styles of text stand on: one text with its lines, what lies between two members, and what is put among them.

Whose a comment is, is decided here. To a member belong the comments behind it on its own line, and the comments before
it: on its line, or on the lines directly above it, with no empty line between. In block style those belong to it too
that follow it and are indented deeper. Other comments belong to nobody, and stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from draftlift.fixes import render
from draftlift.syntax.tree import Node, Style, Tree
from draftlift.text import Edit, Span, line_start, newline_of

BLANKS = " \t"

_LONGEST_INDENT = 10_000
"""How far before an offset the beginning of its line is looked for."""

_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_REST = re.compile(r"[^\r\n]*")
_PROPERTY = re.compile(r"[&!]\S*")
_YAML_TRIVIA = re.compile(r"(?:[ \t\r\n]+|#[^\r\n]*)*")
_DASH = re.compile(r"([ \t]*(?:[-?:][ \t]+)*-)[ \t]*(?:[ \t]#.*)?\Z")
_JSON_TOKEN = re.compile(r"(?P<blank>[ \t\ufeff]+)|(?P<line>\r\n|\n|\r)|(?P<comment>//[^\r\n]*|/\*.*?\*/)|,", re.DOTALL)
_YAML_TOKEN = re.compile(r"(?P<blank>[ \t]+)|(?P<line>\r\n|\n|\r)|(?P<comment>#[^\r\n]*)|,")


class CannotEditError(ValueError):
    """The text cannot take the change faithfully; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Members:
    """Members of ``inner`` that move, by their indices, as the value of a new member: beside it, or in ``inner`` itself."""

    inner: Node
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class New:
    """A member to come: behind the child ``after``, or before all where that is -1."""

    after: int
    key: str
    value: Members | Any


def runs(indices: Iterable[int]) -> list[tuple[int, int]]:
    """Indices as pairs of the first and the last of those that follow each other."""
    out: list[tuple[int, int]] = []
    for index in sorted(indices):
        if out and out[-1][1] == index - 1:
            out[-1] = (out[-1][0], index)
        else:
            out.append((index, index))
    return out


def in_order(news: Iterable[New]) -> list[New]:
    """New members as ``apply_to_value`` orders them: by the child before them, and there what moves first."""
    return sorted(news, key=lambda new: (new.after, not isinstance(new.value, Members)))


def by_place(news: Iterable[New], gone: set[int], text: Callable[[New], str]) -> dict[int, list[str]]:
    """The texts of new members by the index of the child that stays before them, or -1; in the order they come to have."""
    places: dict[int, list[str]] = {}
    before = {index: first - 1 for first, last in runs(gone) for index in range(first, last + 1)}
    for new in in_order(news):
        places.setdefault(before.get(new.after, new.after), []).append(text(new))
    return places


_begins_line = re.compile(r"(\r\n|\n|\r)(?=[^\r\n])")


def set_deeper(text: str, indent: str) -> str:
    """A text whose lines begin further in; empty ones stay empty."""
    return _begins_line.sub(lambda match: match[0] + indent, text) if indent else text


TextOf = Callable[[Node, int, int], str]
"""The text of a member from one offset to another, after the edits inside it."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment between two members; its lines are counted from the end of the first of the two."""

    start: int
    end: int
    first_line: int
    last_line: int
    column: int
    ends_line: bool


@dataclass(slots=True)
class Gap:
    """What lies between two members (or a bracket and a member): from ``start`` to ``end``, where the next thing begins.

    ``comma`` is the offset of the comma in it, on the line ``comma_line``; ``lines`` is how many lines end in it. ``left``
    are the comments that belong to the member before, ``right`` those of the member behind.
    """

    start: int
    end: int
    lines: int
    comma: int = -1
    comma_line: int = -1
    comments: list[Comment] = field(default_factory=list)
    left: list[Comment] = field(default_factory=list)
    right: list[Comment] = field(default_factory=list)

    @property
    def tail(self) -> int:
        """Where that ends which belongs to the member before: with its comments, and with a comma on its line."""
        ends = [comment.end for comment in self.left]
        if self.comma_line == 0:
            ends.append(self.comma + 1)
        return max(ends, default=self.start)

    @property
    def lead(self) -> int:
        """Where that begins which belongs to the member behind."""
        return self.right[0].start if self.right else self.end

    @property
    def comma_leads(self) -> bool:
        """Whether the comma stands at the head of a line."""
        return self.comma_line > 0


class Source:
    """A text, seen from the value in it that changes."""

    def __init__(self, tree: Tree, root: Node) -> None:
        self.text = tree.text
        self.language = tree.language
        self.is_json = tree.language == "json"
        self._root = root
        self._key_styles: dict[int, Style] = {}
        self._gaps: dict[int, Gap] = {}

    @cached_property
    def newline(self) -> str:
        """The line end in use where the value stands: a file may mix them."""
        return newline_of(self.text, self._root.start)

    # -- lines

    def line_start(self, offset: int) -> int:
        """Where the line of an offset begins, behind a byte order mark."""
        floor = max(0, offset - _LONGEST_INDENT)
        start = line_start(self.text, offset, floor)
        return start + 1 if start == 0 and self.text.startswith("\ufeff") else start

    def line_end(self, offset: int) -> int:
        """Where the line of an offset ends, its line end not included."""
        match = _LINE_REST.match(self.text, offset)
        return match.end() if match else len(self.text)

    def end_before(self, start: int) -> int:
        """Where the line before the one that begins at ``start`` ends; ``start`` itself where there is none."""
        before = start - 1 if start > 0 and self.text[start - 1] in "\r\n" else start
        return before - 1 if before > 0 and self.text[before - 1 : start] == "\r\n" else before

    def start_behind(self, end: int) -> int:
        """Where the line behind the one that ends at ``end`` begins; ``end`` itself where there is none."""
        return end + 2 if self.text.startswith("\r\n", end) else end + (self.text[end : end + 1] in ("\r", "\n"))

    def begins_line(self, offset: int) -> bool:
        """Whether there are but blanks before an offset on its line."""
        offset = self.before_blanks(offset)
        return offset == 0 or self.text[offset - 1] in "\r\n\ufeff"

    def before_blanks(self, offset: int) -> int:
        """The offset where the blanks before an offset begin."""
        while offset > 0 and self.text[offset - 1] in BLANKS:
            offset -= 1
        return offset

    def behind_blanks(self, offset: int) -> int:
        """The offset where the blanks behind an offset end."""
        while offset < len(self.text) and self.text[offset] in BLANKS:
            offset += 1
        return offset

    def behind_space(self, offset: int) -> int:
        """The offset where white space behind an offset ends, line ends included."""
        match = _SPACE.match(self.text, offset)
        return match.end() if match else offset

    def indent_at(self, offset: int) -> str:
        """The blanks that begin the line of an offset."""
        start = self.line_start(offset)
        return self.text[start : self.behind_blanks(start)]

    def column(self, offset: int) -> int:
        """How many characters stand before an offset on its line."""
        if offset - (start := self.line_start(offset)) >= _LONGEST_INDENT:
            raise CannotEditError("a line of it is too long")
        return offset - start

    def is_blank(self, start: int, end: int) -> bool:
        """Whether there is nothing but white space between two offsets."""
        return not self.text[start:end].strip(" \t\r\n")

    # -- members

    def gap(self, start: int) -> Gap:
        """What follows an offset up to the next thing that is no comment, comma or white space; yet nobody's."""
        if start not in self._gaps:  # blocks in blocks may all end here
            self._gaps[start] = self._read_gap(start)
        return replace(self._gaps[start], left=[], right=[])

    def _read_gap(self, start: int) -> Gap:
        text, token = self.text, (_JSON_TOKEN if self.is_json else _YAML_TOKEN)
        gap = Gap(start, start, 0)
        at, line_at, line = start, -1, 0
        while match := token.match(text, at):
            at = match.end()
            if match.lastgroup == "line":
                line += 1
                line_at = at
            elif match.lastgroup == "comment":
                first = line
                if text.startswith("/*", match.start()):
                    line += len(re.findall(r"\r\n|\n|\r", match[0]))
                column = match.start() - line_at if line_at >= 0 else -1
                ends_line = text[self.behind_blanks(at) : at + _LONGEST_INDENT][:1] in ("", "\r", "\n")
                gap.comments.append(Comment(match.start(), at, first, line, column, ends_line))
            elif match.lastgroup is None:
                if gap.comma >= 0:
                    raise CannotEditError("there is a comma too many in it")
                gap.comma, gap.comma_line = match.start(), line
        gap.end, gap.lines = at, line
        return gap

    def own_directly_above(self, gap: Gap, from_line: int) -> None:
        """Give to the member behind a gap the comments directly above it, but none from a line before ``from_line``."""
        top = gap.lines
        for comment in reversed(gap.comments):
            if comment.first_line < from_line or comment.last_line < top - 1:
                break
            gap.right.insert(0, comment)
            top = min(top, comment.first_line)

    def end_of(self, node: Node) -> int:
        """Where a member ends."""
        return max(node.end, node.key_end)

    def is_explicit(self, node: Node) -> bool:
        """Whether the key of a member of YAML has a question mark."""
        before = self.before_blanks(node.key_start)
        return not self.is_json and 0 < before < node.key_start and self.text[before - 1] == "?"

    def mark_of(self, node: Node) -> int:
        """Where a member begins: at its key, or at the question mark before it."""
        return self.before_blanks(node.key_start) - 1 if self.is_explicit(node) else node.key_start

    def key_style(self, holder: Node) -> Style:
        """The quotes that all keys of an object are in."""
        if id(holder) not in self._key_styles:
            quotes = {self.text[child.key_start] for child in holder.value}
            self._key_styles[id(holder)] = '"' if quotes == {'"'} else "'" if quotes == {"'"} else ""
        return self._key_styles[id(holder)]

    def key(self, key: str, holder: Node) -> str:
        """A new key, in the quotes of its siblings."""
        return render.scalar(key, self.language, self.key_style(holder))

    def is_compact(self, node: Node) -> bool:
        """Whether a member's value stands directly behind its colon, and its key is in quotes."""
        if self.text[node.key_end - 1] not in "\"'":
            return False
        return self.text[node.start - 1] == ":" and node.start <= self.behind_blanks(node.key_end) + 1

    def header_end(self, node: Node) -> int | None:
        """Behind the colon or dash of a block that begins on a later line, and its anchor and tag; else None."""
        if not self.begins_line(node.properties_start) and node.properties_start == node.start:
            return None
        if not self.begins_line(node.start):
            return None
        if node.key is None:
            return self._dash_above(node.start) if node.properties_start == node.start else None
        at = self._skip(node.key_end)
        if self.text[at : at + 1] != ":":
            return None
        at += 1
        while (found := self._skip(at)) < node.start and (match := _PROPERTY.match(self.text, found)):
            at = match.end()
        return at

    def _dash_above(self, offset: int) -> int | None:
        """Behind the dash that ends a line above, with nothing but comments and empty lines between."""
        line = self.line_start(offset)
        while (before := self.end_before(line)) < line:
            line = self.line_start(before)
            if dash := _DASH.match(self.text, line, before):
                return dash.end(1)
            if not self.is_blank(line, before) and self.text[self.behind_blanks(line)] != "#":
                break
        return None

    def tags(self, node: Node) -> list[Edit]:
        """The edits that take the tag away from before a value."""
        at, tags = node.properties_start, []
        while (at := self._skip(at)) < node.start and (match := _PROPERTY.match(self.text, at)):
            if match[0].startswith("!"):
                behind = self.behind_blanks(match.end())
                is_joined = behind <= node.start and self.text[behind : behind + 1] not in ("", "#", "\r", "\n")
                tags.append(Edit(at, behind if is_joined else match.end(), ""))
            at = match.end()
        return tags

    def _skip(self, at: int) -> int:
        match = _YAML_TRIVIA.match(self.text, at)
        return match.end() if match else at

    # -- cuts

    def cuts(self, spans: list[Span], floor: int, *, is_first: bool, is_last: bool) -> list[Edit]:
        """Delete what stands in these places, which are in order and have something between them.

        ``is_first`` and ``is_last`` say that there is no sibling left before them or behind them, ``floor`` is where lines
        before them must not be touched any more.
        """
        last = len(spans) - 1
        return [
            self.cut(span, floor, is_first=is_first and number == 0, is_last=is_last and number == last)
            for number, span in enumerate(spans)
        ]

    def cut(self, span: Span, floor: int, *, is_first: bool, is_last: bool) -> Edit:
        """Delete something: with its line where it stands alone, else with the blanks that would be left over."""
        text, (start, end) = self.text, span
        left, right = self.before_blanks(start), self.behind_blanks(end)
        opens_line = left == 0 or text[left - 1] in "\r\n\ufeff"
        closes_line = right == len(text) or text[right] in "\r\n"
        if opens_line and closes_line:
            return self.cut_lines(left, right, floor, is_first=is_first, is_last=is_last)
        if closes_line:
            return Edit(left, right, "")
        if opens_line or left < start or text[start - 1] in "{[":
            return Edit(start, right, "")
        return Edit(start, end, "")

    def cut_lines(self, start: int, end: int, floor: int, *, is_first: bool, is_last: bool) -> Edit:
        """Delete the lines from ``start``, the beginning of one, to ``end``, the end of one, and empty lines too many."""
        above, below = start, end
        while (before := self.end_before(above)) < above and (line := self.line_start(before)) > floor:
            if not self.is_blank(line, before):
                break
            above = line
        while (behind := self.start_behind(below)) > below:
            line = self.line_end(behind)
            if line == len(self.text) or not self.is_blank(behind, line):
                break
            below = line
        keeps_above = is_first or (not is_last and start - above >= below - end)
        if not keeps_above:
            start = above
        elif is_first or above < start:
            end = below
        before = self.end_before(start)
        if before < start:
            return Edit(before, end, "")
        return Edit(start, self.start_behind(end), "")

    def joined(self, spans: list[Span]) -> list[Span]:
        """Spans with nothing but white space between them as one; in the order of the text."""
        out: list[Span] = []
        for span in sorted(spans):
            if out and (span.start <= out[-1].end or self.is_blank(out[-1].end, span.start)):
                out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
            else:
                out.append(span)
        return out
