"""Changes among the members of an object in the block style of YAML: one member, or more, on lines of its own."""

from __future__ import annotations

from collections.abc import Sequence

from draftlift.fixes import render
from draftlift.fixes.edits import flow
from draftlift.fixes.edits.base import (
    CannotEditError,
    Gap,
    Members,
    New,
    Source,
    TextOf,
    by_place,
    in_order,
    runs,
    set_deeper,
)
from draftlift.syntax.tree import Node
from draftlift.text import Edit, Span


def rewrite(source: Source, holder: Node, gone: set[int], news: Sequence[New], text_of: TextOf) -> list[Edit]:
    """The edits that take the members with these indices out of an object, and put new ones in."""
    return _Block(source, holder).rewritten(gone, news, text_of)


def replaced(source: Source, node: Node, new: str) -> list[Edit]:
    """The edits that put a text of one line where a block stands: behind its key, if it begins on a later line.

    What is said beside the key stays; the comments in the block and beside its last line go with it.
    """
    column = source.column(node.start) - 1 if node.key is None else source.column(source.mark_of(node))
    tail = _gap_behind(source, node, column).tail
    header = source.header_end(node)
    if header is None:
        return [Edit(node.start, tail, new)]
    line_end = source.line_end(header)
    if source.is_blank(header, line_end):
        return [Edit(header, tail, " " + new)]
    return [Edit(header, header, " " + new), Edit(line_end, tail, "")]


class _Block:
    def __init__(self, source: Source, holder: Node) -> None:
        self.source = source
        self.text = source.text
        self.holder = holder
        self.children: list[Node] = holder.value
        self.column = source.column(holder.start)
        self.indent = " " * self.column
        self.gaps: dict[int, Gap] = {}

    def gap(self, index: int) -> Gap:
        """What lies behind the child before the one of this index."""
        if index not in self.gaps:
            gap = _gap_behind(self.source, self.children[index - 1], self.column)
            if index < len(self.children):
                after = max((comment.last_line for comment in gap.left), default=0) + 1
                self.source.own_directly_above(gap, after)
            self.gaps[index] = gap
        return self.gaps[index]

    def start(self, index: int) -> int:
        return self.gap(index).end if index else self.holder.start

    def lead(self, index: int) -> int:
        """Where that begins which belongs to a child. What stands at the top of a document belongs to the document."""
        if index:
            return self.gap(index).lead
        lead = start = self.holder.start
        if (self.holder.key is None and not self.indent) or not self.source.begins_line(start):
            return lead
        line = self.source.line_start(start)
        while (before := self.source.end_before(line)) < line:
            line = self.source.line_start(before)
            comment = self.source.behind_blanks(line)
            if self.text[comment : comment + 1] != "#":
                break
            lead = comment
        return lead

    def tail(self, index: int) -> int:
        return self.gap(index + 1).tail

    # -- taking out and putting in

    def rewritten(self, gone: set[int], news: Sequence[New], text_of: TextOf) -> list[Edit]:
        kept = [index for index in range(len(self.children)) if index not in gone]
        if not kept:
            return self.emptied([self.member(new, text_of) for new in in_order(news)])
        edits = [edit for first, last in runs(gone) for edit in self.cut_run(first, last)]
        for place, members in by_place(news, gone, lambda new: self.member(new, text_of)).items():
            if place < 0:
                takes_place = 0 in gone and not self.source.begins_line(self.holder.start)  # beside a dash
                lead = self.lead(0 if takes_place else kept[0])
                edits.append(Edit(lead, lead, "".join(member + self.line_begin for member in members)))
            else:
                self.check_end(place)
                text = "".join(self.line_begin + member for member in members)
                edits.append(Edit(self.tail(place), self.tail(place), text))
        return edits

    def cut_run(self, first: int, last: int) -> list[Edit]:
        """Take out children that follow each other; there is one left at least."""
        is_last = last + 1 == len(self.children)
        spans = self.spans(first, last)
        edits = []
        if first == 0 and not self.source.begins_line(self.holder.start):
            start, end = spans.pop(0)
            edits.append(
                Edit(start, self.source.behind_space(end), "")
            )  # what is behind takes its place, beside the dash
        floor = self.source.end_of(self.children[first - 1]) if first else 0
        is_first = first == 0 or self.keeps_lines(first - 1)  # else lines behind it would become lines of a scalar
        edits += self.source.cuts(spans, floor, is_first=is_first, is_last=is_last)
        return edits

    def emptied(self, members: list[str]) -> list[Edit]:
        """All children go; only other comments may stay."""
        spans = self.spans(0, len(self.children) - 1)
        header = None if members else self.source.header_end(self.holder)
        if header is None:
            start, end = spans.pop(0)
            edits = [Edit(start, end, self.line_begin.join(members) or "{}")]
        else:
            line_end = self.source.line_end(header)
            edits = [Edit(header, line_end if self.source.is_blank(header, line_end) else header, " {}")]
        return edits + self.source.cuts(spans, 0, is_first=False, is_last=True)  # what is below is not of this object

    def spans(self, first: int, last: int) -> list[Span]:
        return self.source.joined([Span(self.lead(index), self.tail(index)) for index in range(first, last + 1)])

    @property
    def line_begin(self) -> str:
        return self.source.newline + self.indent

    def ends_in_scalar(self, index: int) -> bool:
        return _last_leaf(self.children[index]).style in ("|", ">")

    def keeps_lines(self, index: int) -> bool:
        """Whether a child ends in a block scalar to which empty lines behind it belong."""
        leaf = _last_leaf(self.children[index])
        return self.ends_in_scalar(index) and "+" in self.text[leaf.start : self.source.line_end(leaf.start)]

    def check_end(self, index: int) -> None:
        if self.tail(index) == len(self.text) and self.ends_in_scalar(index):
            raise CannotEditError("it ends in a block scalar that has no line end")

    # -- new text

    def member(self, new: New, text_of: TextOf) -> str:
        sibling = self.children[max(new.after, 0)]
        key = self.source.key(new.key, self.holder)
        explicit = self.source.is_explicit(sibling)
        head = f"? {key}{self.line_begin}:" if explicit else f"{key}:"
        if not isinstance(new.value, Members):
            return head + render.block_yaml(new.value, self.indent, self.source.newline)
        if new.value.inner.style != "block":
            return f"{head} {flow.moved(self.source, new.value, sibling, text_of)}"
        deeper = "  " if new.value.inner is self.holder else ""
        return head + _Block(self.source, new.value.inner).lines_of(
            new.value.indices, text_of, deeper, beside=explicit and self.column + 2
        )

    def lines_of(self, indices: Sequence[int], text_of: TextOf, deeper: str, *, beside: int) -> str:
        """Children with what is said about them, each on its lines; the first stands beside a colon, if that fits there."""
        lines = []
        for index in indices:
            self.check_end(index)
            text = text_of(self.children[index], self.lead(index), self.tail(index))
            lines.append(self.line_begin + deeper + set_deeper(text, deeper))
        if beside == self.column + len(deeper) and self.lead(indices[0]) == self.start(indices[0]):
            lines[0] = " " + lines[0].removeprefix(self.line_begin + deeper)
        return "".join(lines)


def _gap_behind(source: Source, child: Node, column: int) -> Gap:
    """What follows a child of a block at this column."""
    gap = source.gap(source.end_of(child))
    for comment in gap.comments:
        if comment.first_line and comment.column <= column:
            break
        gap.left.append(comment)
    return gap


def _last_leaf(node: Node) -> Node:
    while node.kind in ("object", "array") and node.style == "block" and node.value:
        node = node.value[-1]
    return node
