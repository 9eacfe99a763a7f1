"""Changes among the members of an object in brackets: JSON, and the flow style of YAML."""

from __future__ import annotations

from collections.abc import Sequence

from draftlift.fixes import render
from draftlift.fixes.edits.base import (
    CannotEditError,
    Comment,
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
    return _Flow(source, holder).rewritten(gone, news, text_of)


def moved(source: Source, members: Members, beside: Node, text_of: TextOf, *, within: bool = False) -> str:
    """An object of members that move, set as they were; ``beside`` is the member next to which it comes to stand.

    ``within`` where it takes their place in their own object, so that their lines go further in.
    """
    return _Flow(source, members.inner).object_of(members.indices, beside, text_of, within=within)


class _Flow:
    def __init__(self, source: Source, holder: Node) -> None:
        self.source = source
        self.text = source.text
        self.holder = holder
        self.children: list[Node] = holder.value
        self.gaps: dict[int, Gap] = {}
        if self.text[holder.start] != "{" or self.text[holder.end - 1] != "}":
            raise CannotEditError("an object in it has no brackets")

    def gap(self, index: int) -> Gap:
        """What lies before the child of this index, or before the closing bracket."""
        if index not in self.gaps:
            gap = self.source.gap(self.source.end_of(self.children[index - 1]) if index else self.holder.start + 1)
            is_last = index == len(self.children)
            if gap.lines:
                gap.left = [comment for comment in gap.comments if index and comment.first_line == 0]
            else:
                comma = gap.comma if index else -1
                gap.left = [comment for comment in gap.comments if index and (comment.start < comma or is_last)]
            if not is_last:
                if gap.lines:
                    self.source.own_directly_above(gap, 1)
                else:
                    gap.right = gap.comments[len(gap.left) :]
            self.gaps[index] = gap
        return self.gaps[index]

    def begins_line(self, index: int) -> bool:
        gap = self.gap(index)
        return gap.lines > 0 and not gap.comma_leads

    # -- taking out and putting in

    def rewritten(self, gone: set[int], news: Sequence[New], text_of: TextOf) -> list[Edit]:
        count = len(self.children)
        if not count:
            return self.filled([self.member(new, 0, text_of) for new in in_order(news)])
        kept = [index for index in range(count) if index not in gone]
        if not kept:
            return self.emptied([self.member(new, max(new.after, 0), text_of) for new in in_order(news)])
        places = by_place(news, gone, lambda new: self.member(new, max(new.after, 0), text_of))
        edits = []
        for first, last in runs(gone):
            edits += self.cut_run(first, last, keeps_comma=first - 1 in places)
        for place, members in places.items():
            if place < 0:
                edits.append(self.put_first(kept[0], members))
            else:
                edits += self.put_behind(place, members, is_last=place == kept[-1])
        return edits

    def cut_run(self, first: int, last: int, *, keeps_comma: bool) -> list[Edit]:
        """Take out children that follow each other; ``keeps_comma`` where something else comes behind the one before."""
        count = len(self.children)
        leads = first > 0 and self.gap(first).comma_leads
        is_last = last + 1 == count
        with_comma_before = first > 0 and (
            self.gap(count).comma < 0 if is_last else leads and self.gap(last + 1).comma_leads
        )
        spans = []
        for index in range(first, last + 1):
            spans.append(Span(self.gap(index).lead, self.gap(index + 1).tail))
            comma = self.gap(index if with_comma_before else index + 1).comma
            if comma >= 0 and not (with_comma_before and index == first and keeps_comma and not leads):
                spans.append(Span(comma, comma + 1))
        floor = self.source.end_of(self.children[first - 1]) if first else self.holder.start
        spans = self.source.joined(spans)
        if first == 0 and not is_last and len(spans) == 1 and not self.source.begins_line(spans[0].start):
            behind = self.gap(last + 1)
            if behind.lead == behind.end and self.source.is_blank(spans[0].end, behind.end):
                return [Edit(spans[0].start, behind.end, "")]  # what is behind takes its place beside the bracket
        return self.source.cuts(spans, floor, is_first=first == 0, is_last=is_last)

    def emptied(self, members: list[str]) -> list[Edit]:
        """All children go; only other comments may stay."""
        start, end = self.holder.start + 1, self.holder.end - 1
        spans = []
        for index in range(len(self.children)):
            spans.append(Span(self.gap(index).lead, self.gap(index + 1).tail))
            comma = self.gap(index + 1).comma
            if comma >= 0:
                spans.append(Span(comma, comma + 1))
        spans = self.source.joined(spans)
        bounds = [start, *(at for span in spans for at in span), end]
        if not members and all(map(self.source.is_blank, bounds[::2], bounds[1::2])):
            return [Edit(start, end, "")]
        if members:
            first, *rest = spans
            new = Edit(first.start, first.end, self.separated(0, members))
            return [new, *self.source.cuts(rest, self.holder.start, is_first=False, is_last=True)]
        return self.source.cuts(spans, self.holder.start, is_first=True, is_last=True)

    def filled(self, members: list[str]) -> list[Edit]:
        """Members for an object that has none."""
        start, end = self.holder.start + 1, self.holder.end - 1
        return [Edit(start, end if self.source.is_blank(start, end) else start, ", ".join(members))]

    def put_first(self, first: int, members: list[str]) -> Edit:
        lead = self.gap(first).lead
        separator = self.separator(first)
        return Edit(lead, lead, "".join(f"{member},{separator}" for member in members))

    def put_behind(self, place: int, members: list[str], *, is_last: bool) -> list[Edit]:
        """Put members behind a child; what is said beside that child stays there."""
        gap = self.gap(place + 1)
        separator = self.separator(place)
        if (gap if gap.comma >= 0 else self.gap(place)).comma_leads:
            return [Edit(gap.tail, gap.tail, "".join(self.leading_separator(place) + member for member in members))]
        says_more = bool(gap.left) and gap.left[-1].ends_line
        if says_more and gap.left[-1].end >= gap.tail and not self.separates_lines(separator):
            separator = self.line_separator(place)
        behind = self.separated(place, members, separator)
        if gap.comma >= 0:
            is_end = is_last and self.gap(len(self.children)).comma < 0
            return [Edit(gap.tail, gap.tail, separator + behind + ("" if is_end else ","))]
        if says_more:
            return [Edit(gap.start, gap.start, ","), Edit(gap.tail, gap.tail, separator + behind)]
        return [Edit(gap.tail, gap.tail, "," + separator + behind)]

    def separated(self, index: int, members: list[str], separator: str | None = None) -> str:
        return ("," + (self.separator(index) if separator is None else separator)).join(members)

    def separator(self, index: int) -> str:
        """What stands between a comma and a member, going by how a child is set."""
        if self.begins_line(index):
            return self.source.newline + self.source.indent_at(self.gap(index).end)
        return "" if self.source.is_compact(self.children[index]) else " "

    def separates_lines(self, separator: str) -> bool:
        return bool(separator.strip(" \t"))

    def line_separator(self, index: int) -> str:
        """The beginning of a new line for a member, where the child beside it begins none."""
        for other in (index, index + 1, len(self.children) - 1):
            if other < len(self.children) and self.begins_line(other):
                return self.source.newline + self.source.indent_at(self.gap(other).end)
        return self.source.newline + self.source.indent_at(self.gap(index).end) + "  "

    def leading_separator(self, place: int) -> str:
        """The beginning of a new line for a member, where commas stand at the head of lines."""
        comma = self.gap(place + 1 if self.gap(place + 1).comma >= 0 else place).comma
        compact = self.text[comma + 1] not in " \t"
        return self.source.newline + self.source.indent_at(comma) + ("," if compact else ", ")

    # -- new text

    def member(self, new: New, beside: int, text_of: TextOf) -> str:
        source = self.source
        key = source.key(new.key, self.holder)
        if not self.children:
            return f"{key}: {render.flow(new.value, source.language)}"
        sibling = self.children[beside]
        compact = source.is_compact(sibling)
        colon = ":" if compact and key[0] in "\"'" else ": "
        if isinstance(new.value, Members):
            return key + colon + moved(source, new.value, sibling, text_of, within=new.value.inner is self.holder)
        if source.is_json and self.begins_line(beside):
            indent, outer = source.indent_at(self.gap(beside).end), source.indent_at(self.holder.start)
            unit = indent[len(outer) :] if indent.startswith(outer) and len(indent) > len(outer) else "  "
            return key + colon + render.pretty_json(new.value, indent, unit, source.newline)
        return key + colon + render.flow(new.value, source.language, compact=compact)

    def object_of(self, indices: Sequence[int], beside: Node, text_of: TextOf, *, within: bool) -> str:
        """Children with what is said about them, as an object of their own that is set like this one."""
        source, count = self.source, len(self.children)
        said = [comment for index in indices for comment in (*self.gap(index).right, *self.gap(index + 1).left)]
        outer = source.newline + source.indent_at(beside.key_start)
        on_lines = self.gap(indices[0]).lines > 0 or self.gap(1).lines > 0
        opening = self.text[self.holder.start + 1 : self.gap(0).end]
        if opening.strip(" \t"):
            opening = ""
        closing = opening
        if on_lines:
            setter = next(index for index in (indices[0], 1) if self.gap(index).lines > 0)
            separator = source.newline + source.indent_at(self.gap(setter).end)
            if self.gap(setter).comma_leads:
                separator = source.newline + " " * source.column(self.gap(setter).end)
        elif any(self.ends_its_line(comment) for comment in said):
            separator = outer + "  "
        else:
            separator = "" if source.is_compact(self.children[indices[0]]) else " "
        by_line = self.separates_lines(separator)
        if by_line:
            if self.gap(0).lines > 0 or self.gap(indices[0]).right:
                opening = separator
            last = self.gap(indices[-1] + 1).left
            if self.gap(count).lines > 0:
                closing = source.newline + source.indent_at(self.holder.end - 1)
            elif last and self.ends_its_line(last[-1]):
                closing = outer
        deeper = ""
        if within and by_line:
            indent = separator.removeprefix(source.newline)
            around = source.indent_at(self.holder.start)
            deeper = indent[len(around) :] if indent.startswith(around) and len(indent) > len(around) else "  "
            opening, closing, separator = separator + deeper, separator, separator + deeper
        parts = []
        for index in indices:
            is_end = index == indices[-1]
            start, end = self.gap(index).end, source.end_of(self.children[index])
            above = "".join(
                self.text[comment.start : comment.end] + (separator if by_line and comment.ends_line else " ")
                for comment in self.gap(index).right
            )
            behind = "".join(" " + self.text[comment.start : comment.end] for comment in self.gap(index + 1).left)
            core = set_deeper(text_of(self.children[index], start, end), deeper)
            comma = "" if is_end else ","
            parts.append(above + (core + comma + behind if by_line else core + behind + comma))
        return "{" + opening + separator.join(parts) + closing + "}"

    def ends_its_line(self, comment: Comment) -> bool:
        """Whether nothing can stand behind a comment on its line."""
        return not self.text.startswith("/*", comment.start)
