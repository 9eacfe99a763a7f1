"""The second interpreter of operations: the text edits that do to a text what ``apply_to_value`` does to its value.

The only place that knows how text is changed. Invariants: no byte outside the edits changes; comments, order, quotes and
layout stay, but for comments inside a removed value; a comment behind a removed member stays on its line. Where a text
cannot take an operation without guessing (a key given twice, a form this file does not know), CannotEditError is
raised and nothing is changed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from functools import cached_property

from draftlift.change.operations import (
    InsertMember,
    MoveMembers,
    Operation,
    RemoveMember,
    RenameKey,
    ReplaceValue,
)
from draftlift.fixes import render
from draftlift.syntax.pointer import Pointer, to_text
from draftlift.syntax.tree import Node, Style, Tree, at, has_merge_key, resolve, walk
from draftlift.text import Edit, Span, apply_edits, line_start, newline_of

_BLANKS = " \t"
_JSON_TRIVIA = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n\r]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_YAML_TRIVIA = re.compile(r"(?:[ \t\r\n]+|#[^\n\r]*)*")
_JSON_COMMENT = re.compile(r"[ \t]*,?[ \t]*(?://|/\*(?:[^*\r\n]|\*(?!/))*\*/[ \t]*(?:[\r\n]|\Z))")
_YAML_COMMENT = re.compile(r"[ \t]*,?[ \t]+#")
_FIRST = Edit(-1, -1, "")
_LINE_REST = re.compile(r"[^\r\n]*")


class CannotEditError(ValueError):
    """The text cannot take the change faithfully; the message says why, as the end of a sentence."""


def to_edits(operations: Iterable[Operation], tree: Tree, root: Node) -> list[Edit]:
    """The edits for operations whose pointers start at ``root``, a node of ``tree``; sorted, without overlaps.

    Raises CannotEditError where the text cannot take them.
    """
    editor = _Editor(tree, root)
    moves: list[MoveMembers] = []
    for operation in operations:
        if isinstance(operation, RenameKey):
            editor.rename(operation)
        elif isinstance(operation, ReplaceValue):
            editor.replace(operation)
        elif isinstance(operation, RemoveMember):
            editor.remove(operation.pointer)
        elif isinstance(operation, InsertMember):
            editor.insert(operation)
        else:
            moves.append(operation)
            editor.doom_moved(operation)
    editor.cut_doomed()
    for move in sorted(moves, key=lambda move: -len(move.pointer)):  # what is inside another move first
        editor.move(move)
    return editor.result()


class _Editor:
    """Collects edits, each with the place of what it is done to: a token, or an object whose members change.

    By that place it is told which edits fall inside a member that goes (they are dropped) or moves (they are done to its
    text before it is put elsewhere). A place is twice an offset, less one for an object, since a block mapping begins
    where its first key does, and yet is around it.
    """

    def __init__(self, tree: Tree, root: Node) -> None:
        self.text = tree.text
        self.json = tree.language == "json"
        self.tree = tree
        self.root = root
        self.edits: list[tuple[int, Edit]] = []
        self.doomed: dict[int, tuple[Node, list[Node]]] = {}
        self.gone: list[Span] = []
        self.trivia = _JSON_TRIVIA if self.json else _YAML_TRIVIA
        self.has_merges: dict[int, bool] = {}

    @cached_property
    def newline(self) -> str:
        return newline_of(self.text, self.root.start)  # by what is edited: a file may mix line ends

    def add(self, edit: Edit, holder: Node | None = None) -> None:
        insort(self.edits, (2 * edit.start if holder is None else 2 * holder.start - 1, edit))

    def result(self) -> list[Edit]:
        gone = _outermost(self.gone)
        starts = [span.start for span in gone]
        kept = []
        for place, edit in self.edits:
            index = bisect_right(starts, place / 2) - 1
            if index < 0 or place >= 2 * gone[index].end:
                kept.append(edit)
        # One text that aliases use twice gets the same edit twice.
        return sorted(dict.fromkeys(self.beside_cuts(kept)), key=lambda edit: (edit.start, edit.end))

    def beside_cuts(self, edits: list[Edit]) -> Iterator[Edit]:
        """Insertions at the end of a line that is cut go to the end of the line before."""
        cuts = sorted(edit for edit in edits if edit.start < edit.end)
        starts = [cut.start for cut in cuts]
        for edit in edits:
            place = edit.start
            while edit.start == edit.end:
                index = bisect_left(starts, place) - 1
                if index < 0 or place >= cuts[index].end:
                    break
                place = cuts[index].start - 1
                place -= self.text[place - 1 : place + 1] == "\r\n"
            yield Edit(place, place, edit.new_text) if place != edit.start else edit

    # -- finding ---------------------------------------------------------------

    def object_at(self, pointer: Pointer) -> Node:
        node = at(self.root, pointer)
        node = resolve(node) if node is not None else None
        if node is None or node.kind != "object":
            raise CannotEditError(f"there is no object at {to_text(pointer) or 'the root'}")
        if id(node) not in self.has_merges:
            if len({child.key for child in node.value}) < len(node.value):
                raise CannotEditError(f"{to_text(pointer) or 'the schema'} has a key twice")
            self.has_merges[id(node)] = any(map(has_merge_key, node.value))
        return node

    def member_at(self, pointer: Pointer) -> tuple[Node, Node]:
        """The object whose text holds a member, and the member itself (its alias where it is one)."""
        holder = self.object_at(pointer[:-1])
        node = at(self.root, pointer)
        if node is None:
            raise CannotEditError(f"nothing is at {to_text(pointer)}")
        if self.has_merges[id(holder)] and not any(child is node for child in holder.value):
            merged = [child for child in holder.value if has_merge_key(child)]
            holders = (inner for child in merged for inner in walk(resolve(child)) if inner.kind == "object")
            found = next((inner for inner in holders if any(child is node for child in inner.value)), None)
            if found is None:
                raise CannotEditError(f"{to_text(pointer)} comes out of a merge within a merge")
            holder = found
        return holder, node

    # -- single tokens ---------------------------------------------------------

    def rename(self, operation: RenameKey) -> None:
        _, node = self.member_at(operation.pointer)
        quote = self.text[node.key_start]
        style: Style = '"' if quote == '"' else "'" if quote == "'" else ""
        language = self.tree.language
        self.add(Edit(node.key_start, node.key_end, render.scalar(operation.new_key, language, style)))

    def replace(self, operation: ReplaceValue) -> None:
        node = self.root
        if operation.pointer:
            named = isinstance(operation.pointer[-1], str)
            found = self.member_at(operation.pointer)[1] if named else at(self.root, operation.pointer)
            if found is None:
                raise CannotEditError(f"nothing is at {to_text(operation.pointer)}")
            node = found
        if isinstance(operation.value, (dict, list)):
            new = render.flow(operation.value, self.tree.language, compact=self.is_compact(node))
        else:
            new = render.scalar(operation.value, self.tree.language, node.style)
        if node.start == node.end:  # an empty YAML value: directly behind its colon, or there is not even that
            if node.key is not None and ":" not in self.text[node.key_end : node.start]:
                new = ": " + new
            elif node.start > 0 and self.text[node.start - 1] not in _BLANKS:
                new = " " + new
        end = node.end
        if node.style in ("|", ">"):
            new += self.text[len(self.text[:end].rstrip("\r\n")) : end]
        self.add(Edit(node.start, end, new))

    # -- removing --------------------------------------------------------------

    def remove(self, pointer: Pointer) -> None:
        holder, node = self.member_at(pointer)
        self.doom(holder, node)

    def doom_moved(self, operation: MoveMembers) -> None:
        found = [self.member_at(pointer) for pointer in operation.members]
        if _wraps(operation):
            first = found.pop(0)[1]  # its place is where the new member will stand
            self.gone.append(Span(self.start_of(first), self.end_of(first)))
        for holder, node in found:
            self.doom(holder, node)

    def doom(self, holder: Node, node: Node) -> None:
        if not self.json and any(inner.anchor is not None for inner in walk(node)):
            raise CannotEditError("what has to go or to move carries an anchor")
        self.doomed.setdefault(id(holder), (holder, []))[1].append(node)
        self.gone.append(Span(self.start_of(node), self.end_of(node)))

    def cut_doomed(self) -> None:
        for holder, nodes in self.doomed.values():
            gone = {id(node) for node in nodes}
            cuts = self.block_removals(holder, gone) if holder.style == "block" else self.flow_removals(holder, gone)
            for cut in cuts:
                self.add(cut, holder)

    def flow_removals(self, holder: Node, gone: set[int]) -> list[Edit]:
        children = holder.value
        commas = [self.comma_after(child) for child in children]
        spans: list[Span] = []
        last_kept = max((i for i, child in enumerate(children) if id(child) not in gone), default=-1)
        for index, child in enumerate(children):
            if id(child) in gone:
                spans.append(Span(self.start_of(child), self.end_of(child)))
                comma = commas[index]
                if comma is not None:
                    spans.append(comma)
        if 0 <= last_kept < len(children) - 1 and commas[-1] is None:
            comma = commas[last_kept]
            if comma is not None:
                spans.append(comma)
        return [self.cut(span) for span in self.joined(spans)]

    def block_removals(self, holder: Node, gone: set[int]) -> list[Edit]:
        children = holder.value
        if all(id(child) in gone for child in children):
            first, *rest = children
            return [
                Edit(self.start_of(first), self.end_of(first), "{}"),
                *(self.cut(Span(self.start_of(child), self.end_of(child))) for child in rest),
            ]
        edits: list[Edit] = []
        index = 0
        while index < len(children):
            if id(children[index]) not in gone:
                index += 1
                continue
            last = index
            while last + 1 < len(children) and id(children[last + 1]) in gone:
                last += 1
            start = self.start_of(children[index])
            following = self.start_of(children[last + 1]) if last + 1 < len(children) else None
            if (
                following is not None
                and not self.begins_line(start)
                and not self.text[self.end_of(children[last]) : following].strip()
            ):
                edits.append(Edit(start, following, ""))  # `- a: 1` and `  b: 2` become `- b: 2`
            else:
                spans = [Span(self.start_of(child), self.end_of(child)) for child in children[index : last + 1]]
                edits += [self.cut(span) for span in spans]
            index = last + 1
        return edits

    def start_of(self, node: Node) -> int:
        """Where a member begins: at its key, or at the question mark before an explicit key of YAML."""
        before = node.key_start
        while before > 0 and self.text[before - 1] in _BLANKS:
            before -= 1
        explicit = not self.json and before < node.key_start and self.text[before - 1] == "?"
        return before - 1 if explicit else node.key_start

    def end_of(self, node: Node) -> int:
        return max(node.end, node.key_end)

    def comma_after(self, node: Node) -> Span | None:
        match = self.trivia.match(self.text, self.end_of(node))
        end = match.end() if match else node.end
        return Span(end, end + 1) if self.text[end : end + 1] == "," else None

    def joined(self, spans: list[Span]) -> list[Span]:
        """Spans with nothing but blanks between them as one."""
        out: list[Span] = []
        for span in sorted(spans):
            if out and not self.text[out[-1].end : span.start].strip(_BLANKS):
                out[-1] = Span(out[-1].start, span.end)
            else:
                out.append(span)
        return out

    def begins_line(self, offset: int) -> bool:
        before = (
            self.text[:offset].rstrip(_BLANKS) if offset < 4096 else self.text[offset - 4096 : offset].rstrip(_BLANKS)
        )
        return not before or before[-1] in "\r\n\ufeff"

    def cut(self, span: Span) -> Edit:
        """Delete a token: with its line where it stands alone, else with the blanks that would be left over."""
        text, (start, end) = self.text, span
        left, right = start, end
        while left > 0 and text[left - 1] in _BLANKS:
            left -= 1
        while right < len(text) and text[right] in _BLANKS:
            right += 1
        opens_line = left == 0 or text[left - 1] in "\r\n\ufeff"
        closes_line = right == len(text) or text[right] in "\r\n"
        if opens_line and closes_line:
            if text.startswith("\r\n", right):
                return Edit(left, right + 2, "")
            if right < len(text):
                return Edit(left, right + 1, "")
            return Edit(left, right, "")
        if closes_line:
            return Edit(left, right, "")
        if opens_line or left < start or text[start - 1] in "{[":
            return Edit(start, right, "")
        return Edit(start, end, "")

    # -- inserting -------------------------------------------------------------

    def indent_at(self, offset: int) -> str:
        """The blanks that begin the line of an offset."""
        start = line_start(self.text, offset)
        if start == 0 and self.text.startswith("\ufeff"):
            start = 1
        end = start
        while end < len(self.text) and self.text[end] in _BLANKS:
            end += 1
        return self.text[start:end]

    def column_indent(self, offset: int) -> str:
        """Blanks up to the column of an offset: a YAML block's indentation, also behind a dash."""
        start = line_start(self.text, offset)
        if start == 0 and self.text.startswith("\ufeff"):
            start = 1
        return " " * (offset - start)

    def is_compact(self, node: Node) -> bool:
        """Whether JSON is written without blanks behind colons."""
        if node.key is None:
            return False
        return self.json and ":" in self.text[node.key_end : node.start] and self.text[node.start - 1] == ":"

    def insert(self, operation: InsertMember) -> None:
        holder = self.object_at(operation.pointer)
        key, value = operation.key, operation.value
        if holder.style == "block":
            sibling = self.own_child(holder, operation.after) if operation.after is not None else holder.value[0]
            indent = self.column_indent(self.start_of(sibling))
            member = f"{render.scalar(key, 'yaml')}:{render.block_yaml(value, indent, self.newline)}"
            if operation.after is None:
                self.add(Edit(sibling.key_start, sibling.key_start, member + self.newline + indent))
            else:
                self.append_block(holder, sibling, member)
            return
        if not holder.value:
            opening = holder.start + 1
            member = f"{render.scalar(key, self.tree.language)}: {render.flow(value, self.tree.language)}"
            self.add(Edit(opening, opening, member))
            return
        sibling = self.own_child(holder, operation.after) if operation.after is not None else holder.value[0]
        compact = self.is_compact(sibling)
        colon = ":" if compact else ": "
        if self.json and self.begins_line(sibling.key_start):
            indent = self.indent_at(sibling.key_start)
            outer = self.indent_at(holder.start)
            unit = indent[len(outer) :] if indent.startswith(outer) and len(indent) > len(outer) else "  "
            rendered = render.pretty_json(value, indent, unit, self.newline)
        else:
            rendered = render.flow(value, self.tree.language, compact=compact)
        member = render.scalar(key, self.tree.language) + colon + rendered
        if operation.after is None:
            self.add(Edit(sibling.key_start, sibling.key_start, f"{member},{self.separator(sibling)}"))
        else:
            self.append_flow(holder, sibling, member)

    def own_child(self, holder: Node, key: str) -> Node:
        for child in holder.value:
            if child.key == key:
                return child  # type: ignore[no-any-return]
        raise CannotEditError(f"`{key}` comes out of a merge")

    def separator(self, sibling: Node) -> str:
        """What stands between a comma and the next member, going by how ``sibling`` is set."""
        if self.begins_line(sibling.key_start):
            return self.newline + self.indent_at(sibling.key_start)
        return "" if self.is_compact(sibling) else " "

    def append_flow(self, holder: Node, sibling: Node, member: str) -> None:
        """Put a member behind a sibling; a comment behind the sibling stays with it."""
        end = self.end_of(sibling)
        comment = (_JSON_COMMENT if self.json else _YAML_COMMENT).match(self.text, end)
        if comment and self.begins_line(sibling.key_start):
            comma = self.comma_after(sibling)
            line_end = self.line_end(end)
            if comma is not None and comma.start > line_end:
                comma = None  # it stands on a later line, and goes on to divide what it divides now
            if comma is None:
                self.add(Edit(end, end, ","), holder)
                self.add(Edit(line_end, line_end, self.separator(sibling) + member), holder)
            else:
                self.add(Edit(line_end, line_end, self.separator(sibling) + member + ","), holder)
        else:
            self.add(Edit(end, end, f",{self.separator(sibling)}{member}"), holder)

    def append_block(self, holder: Node, sibling: Node, member: str) -> None:
        line_end = self.line_end(self.end_of(sibling))
        indent = self.column_indent(self.start_of(sibling))
        self.add(Edit(line_end, line_end, self.newline + indent + member), holder)

    def line_end(self, offset: int) -> int:
        match = _LINE_REST.match(self.text, offset)
        return match.end() if match else len(self.text)

    # -- moving ----------------------------------------------------------------

    def move(self, operation: MoveMembers) -> None:
        holder = self.object_at(operation.pointer)
        nodes = [self.member_at(pointer)[1] for pointer in operation.members]
        texts = [self.slice(node) for node in nodes]
        if _wraps(operation):
            self.wrap_members(holder, nodes[0], texts, operation.path)
        else:
            sibling = self.own_child(holder, str(operation.members[0][len(operation.pointer)]))
            inner = self.object_at(operation.members[0][:-1])
            self.split_off(holder, sibling, inner, nodes[0], texts, operation.path[0])

    def slice(self, node: Node) -> str:
        """A member's text, key and value, after the edits that fall inside it."""
        start, end = self.start_of(node), self.end_of(node)
        first = bisect_left(self.edits, (2 * start, _FIRST))
        inner = []
        for index in range(first, len(self.edits)):
            place, edit = self.edits[index]
            if place >= 2 * end:
                break
            inner.append(Edit(edit.start - start, edit.end - start, edit.new_text))
        return apply_edits(self.text[start:end], inner)

    def split_off(self, holder: Node, sibling: Node, inner: Node, node: Node, texts: list[str], key: str) -> None:
        """Some members of ``sibling`` become those of a new member behind it, set as they were."""
        if inner.style == "block" and holder.style == "block":
            deeper = self.column_indent(self.start_of(node))
            member = f"{render.scalar(key, 'yaml')}:" + "".join(self.newline + deeper + text for text in texts)
            self.append_block(holder, sibling, member)
            return
        if inner.style == "block":
            raise CannotEditError("a block stands inside a flow")
        separator = self.separator(node)
        opening, closing = "{", "}"
        if separator.strip(_BLANKS):
            opening, closing = "{" + separator, self.newline + self.indent_at(sibling.key_start) + "}"
        colon = ":" if self.is_compact(sibling) else ": "
        body = (f",{separator}").join(texts)
        member = f"{render.scalar(key, self.tree.language)}{colon}{opening}{body}{closing}"
        if holder.style == "block":
            self.append_block(holder, sibling, member)
        else:
            self.append_flow(holder, sibling, member)

    def wrap_members(self, holder: Node, first: Node, texts: list[str], path: tuple[str, ...]) -> None:
        """Members of ``holder`` become those of a new object below it, in the place of the first of them."""
        language = self.tree.language
        if holder.style == "block":
            indent = self.column_indent(self.start_of(first))
            member = ""
            for level, key in enumerate(path):
                member += (self.newline + indent + "  " * level if level else "") + f"{render.scalar(key, language)}:"
            deeper = indent + "  " * len(path)
            shift = self.newline + "  " * len(path)
            for text in texts:
                member += self.newline + deeper + re.sub(r"\r\n|\n|\r", shift, text)
        else:
            colon = ":" if self.is_compact(first) else ": "
            comma = "," if self.is_compact(first) else ", "
            opening = "".join(f"{{{render.scalar(key, language)}{colon}" for key in path[1:])
            closing = "}" * (len(path) - 1)
            member = f"{render.scalar(path[0], language)}{colon}{opening}{{{comma.join(texts)}}}{closing}"
        self.add(Edit(self.start_of(first), self.end_of(first), member), holder)


def _wraps(operation: MoveMembers) -> bool:
    """Whether members of an object move into a new object in their own place, rather than out of a sibling."""
    return len(operation.members[0]) == len(operation.pointer) + 1


def _outermost(spans: list[Span]) -> list[Span]:
    """Spans, sorted, without those that lie inside another."""
    out: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not out or span.end > out[-1].end:
            out.append(span)
    return out
