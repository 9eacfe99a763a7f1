"""The second interpreter of operations: the text edits that do to a text what ``apply_to_value`` does to its value.

The only place that knows how text is changed. Invariants: no byte outside the edits changes; order, quotes and layout
stay; a comment goes with its member (``base`` says whose a comment is), so that one about a member that is removed is
removed with it, and all others stay. New members are set as their siblings are. Where a text cannot take an operation
without guessing (a key given twice, a form this room does not know), CannotEditError is raised and nothing is changed.

Here it is worked out what happens to which value of the text; ``flow`` and ``block`` know how each style takes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from draftlift.change.operations import (
    InsertMember,
    MoveMembers,
    Operation,
    RemoveMember,
    RenameKey,
    ReplaceValue,
)
from draftlift.fixes import render
from draftlift.fixes.edits import block, flow
from draftlift.fixes.edits.base import CannotEditError, Members, New, Source
from draftlift.syntax.pointer import Pointer, to_text
from draftlift.syntax.tree import Node, Style, Tree, has_merge_key, member, resolve, walk
from draftlift.text import Edit, apply_edits

__all__ = ["CannotEditError", "to_edits"]

_IN_TWO_WAYS = "a part of it that is used twice would have to change in two ways"


def to_edits(operations: Iterable[Operation], tree: Tree, root: Node) -> list[Edit]:
    """The edits for operations whose pointers start at ``root``, a node of ``tree``; sorted, without overlaps.

    No two begin at one offset. Raises CannotEditError where the text cannot take them.
    """
    plan = _Plan(tree, root)
    for operation in operations:
        if isinstance(operation, RenameKey):
            plan.rename(operation)
        elif isinstance(operation, ReplaceValue):
            plan.replace(operation)
        elif isinstance(operation, RemoveMember):
            plan.remove(operation.pointer)
        elif isinstance(operation, InsertMember):
            plan.insert(operation)
        else:
            plan.move(operation)
    return plan.edits()


@dataclass(slots=True)
class _Object:
    """An object of the text whose members come or go. ``indices`` tell where each of its children is."""

    node: Node
    indices: dict[int, int]
    gone: set[int] = field(default_factory=set)
    news: dict[tuple[int, str], New] = field(default_factory=dict)


class _Plan:
    """What happens to which node of the text. One that aliases use twice is one node, and changes once."""

    def __init__(self, tree: Tree, root: Node) -> None:
        self.source = Source(tree, root)
        self.root = root
        self.around: dict[int, Node | None] = {id(root): None}  # the collection whose text holds a node, from above
        self.merges: dict[int, bool] = {}  # whether something is merged into a collection
        self.objects: dict[int, _Object] = {}
        self.new_keys: dict[int, tuple[Node, str]] = {}
        self.new_values: dict[int, tuple[Node, Any]] = {}
        self.removed: set[int] = set()
        self.moved: set[int] = set()
        self.groups: dict[int | None, list[Edit]] = {None: []}  # edits by the moving member that they are in

    # -- finding

    def find(self, pointer: Pointer) -> Node:
        node = self.root
        for depth, token in enumerate(pointer):
            holder = resolve(node)
            self.around.setdefault(id(holder), None)
            if holder.kind == "object":
                found = member(holder, str(token))
            elif holder.kind == "array" and isinstance(token, int) and token < len(holder.value):
                found = holder.value[token]
            else:
                found = None
            if found is None:
                raise CannotEditError(f"nothing is at {to_text(pointer[: depth + 1])}")
            node = found
            if self.around.get(id(node)) is None:  # not met yet, or met by an alias only
                self.around[id(node)] = self.holder_of(node, holder, pointer[: depth + 1])
        return node

    def holder_of(self, node: Node, holder: Node, pointer: Pointer) -> Node:
        """The object in whose text a member stands: the one that is asked, or one that is merged into it."""
        if id(holder) not in self.merges:
            self.merges[id(holder)] = holder.kind == "object" and any(map(has_merge_key, holder.value))
        if not self.merges[id(holder)]:
            return holder
        if any(child is node for child in holder.value):
            return holder
        merged = (resolve(child) for child in holder.value if has_merge_key(child))
        holders = (inner for source in merged for inner in walk(source) if inner.kind == "object")
        found = next((inner for inner in holders if any(child is node for child in inner.value)), None)
        if found is None:
            raise CannotEditError(f"{to_text(pointer)} comes out of a merge within a merge")
        self.around.setdefault(id(found), None)
        return found

    def object_at(self, pointer: Pointer) -> _Object:
        node = resolve(self.find(pointer))
        self.around.setdefault(id(node), None)
        return self.object_of(node, pointer)

    def object_of(self, node: Node, pointer: Pointer) -> _Object:
        if node.kind != "object":
            raise CannotEditError(f"there is no object at {to_text(pointer) or 'the root'}")
        if id(node) not in self.objects:
            if len({child.key for child in node.value}) < len(node.value):
                raise CannotEditError(f"{to_text(pointer) or 'the schema'} has a key twice")
            indices = {id(child): index for index, child in enumerate(node.value)}
            self.objects[id(node)] = _Object(node, indices)
        return self.objects[id(node)]

    def member_at(self, pointer: Pointer) -> tuple[_Object, Node]:
        """The object whose text holds a member, and the member itself (its alias where it is one)."""
        self.object_at(pointer[:-1])  # it must have no key twice
        node = self.find(pointer)
        holder = self.around[id(node)]
        if holder is None or holder.kind != "object":
            raise CannotEditError(f"there is no member at {to_text(pointer)}")
        return self.object_of(holder, pointer[:-1]), node

    def own_index(self, holder: _Object, key: str | int) -> int:
        found = member(holder.node, str(key))
        index = holder.indices.get(id(found))
        if index is None:
            raise CannotEditError(f"`{key}` comes out of a merge")
        return index

    # -- planning

    def rename(self, operation: RenameKey) -> None:
        _, node = self.member_at(operation.pointer)
        known = self.new_keys.setdefault(id(node), (node, operation.new_key))
        if known[1] != operation.new_key:
            raise CannotEditError(_IN_TWO_WAYS)

    def replace(self, operation: ReplaceValue) -> None:
        pointer = operation.pointer
        named = bool(pointer) and isinstance(pointer[-1], str)
        node = self.member_at(pointer)[1] if named else self.find(pointer)
        known = self.new_values.setdefault(id(node), (node, operation.value))
        if known[1] != operation.value:
            raise CannotEditError(_IN_TWO_WAYS)

    def remove(self, pointer: Pointer) -> None:
        holder, node = self.member_at(pointer)
        self.take(holder, node)
        self.removed.add(id(node))

    def insert(self, operation: InsertMember) -> None:
        holder = self.object_at(operation.pointer)
        after = -1 if operation.after is None else self.own_index(holder, operation.after)
        self.put(holder, New(after, operation.key, operation.value))

    def move(self, operation: MoveMembers) -> None:
        depths = {len(member) - len(operation.pointer) for member in operation.members}
        if len(operation.path) != 1 or depths not in ({1}, {2}):
            raise CannotEditError("members would have to move in a way that draftlift does not know")
        holder = self.object_at(operation.pointer)
        after = self.own_index(holder, operation.members[0][len(operation.pointer)])
        inner = self.object_at(operation.members[0][:-1])
        indices = []
        for pointer in operation.members:
            source, node = self.member_at(pointer)
            if source is not inner:
                raise CannotEditError("what has to move comes out of a merge")
            self.take(source, node)
            self.moved.add(id(node))
            indices.append(source.indices[id(node)])
        self.put(holder, New(after, operation.path[0], Members(inner.node, tuple(indices))))

    def take(self, holder: _Object, node: Node) -> None:
        self.refuse_anchors(node)
        holder.gone.add(holder.indices[id(node)])

    def put(self, holder: _Object, new: New) -> None:
        if holder.news.setdefault((new.after, new.key), new) != new:
            raise CannotEditError(_IN_TWO_WAYS)

    def refuse_anchors(self, node: Node) -> None:
        if self.source.is_json or self.source.text.find("&", node.properties_start, node.end) < 0:
            return
        if any(inner.anchor is not None for inner in walk(node)):
            raise CannotEditError("what has to go or to move carries an anchor")

    # -- edits

    def edits(self) -> list[Edit]:
        fates = self.fates()
        for node, key in self.new_keys.values():
            self.add(fates, node, self.renamed(node, key))
        for node, value in self.new_values.values():
            for edit in self.replaced(node, value):
                self.add(fates, node, edit)
        changing = (found for found in self.objects.values() if found.gone or found.news)
        for found in sorted(changing, key=lambda found: -found.node.start):  # what is inside another first
            if fates.get(id(found.node), None) != 0 and id(found.node) not in self.new_values:
                style = block if found.node.style == "block" else flow
                for edit in style.rewrite(self.source, found.node, found.gone, [*found.news.values()], self.text_of):
                    self.add(fates, found.node, edit)
        return self.ended(_merged(self.groups[None]))

    def ended(self, edits: list[Edit]) -> list[Edit]:
        """The edits, the last of which ends the text with a line end where a block scalar may come to stand there."""
        text = self.source.text
        if self.source.is_json or not edits or edits[-1].end < len(text) or text[-1] in "\r\n":
            return edits
        if "|" not in text and ">" not in text:
            return edits
        *others, (start, end, new_text) = edits
        if new_text and not re.search(r"[\r\n]", new_text):
            return edits  # it ends in the same line
        return [*others, Edit(start, end, new_text + self.source.newline)]

    def fates(self) -> dict[int, int | None]:
        """For each node on the way to a change: the member it moves with, None where it stays, 0 where it goes."""
        fates: dict[int, int | None] = {}
        for own in self.around:
            way = [own]
            while way[-1] not in fates and (holder := self.around[way[-1]]) is not None:
                way.append(id(holder))
            for inner in reversed(way):
                if inner not in fates:
                    fates[inner] = self.fate(inner, fates)
        return fates

    def fate(self, node: int, fates: dict[int, int | None]) -> int | None:
        holder = self.around[node]
        if node in self.moved:
            return node
        if node in self.removed or (holder is not None and id(holder) in self.new_values):
            return 0
        return fates[id(holder)] if holder is not None else None

    def add(self, fates: dict[int, int | None], node: Node, edit: Edit) -> None:
        fate = fates[id(node)]
        if fate != 0:
            self.groups.setdefault(fate, []).append(edit)

    def text_of(self, node: Node, start: int, end: int) -> str:
        edits = _merged(self.groups.get(id(node), []))
        inside = [Edit(edit.start - start, edit.end - start, edit.new_text) for edit in edits]
        return apply_edits(self.source.text[start:end], inside)

    def renamed(self, node: Node, key: str) -> Edit:
        if node.complex_key:
            raise CannotEditError("a key is not a string")
        quote = self.source.text[node.key_start]
        style: Style = '"' if quote == '"' else "'" if quote == "'" else ""
        return Edit(node.key_start, node.key_end, render.scalar(key, self.source.language, style))

    def replaced(self, node: Node, value: Any) -> list[Edit]:
        source, text = self.source, self.source.text
        if isinstance(value, (dict, list)):
            new = render.flow(value, source.language, compact=node.key is not None and source.is_compact(node))
        else:
            new = render.scalar(value, source.language, node.style)
        if source.is_json:
            return [Edit(node.start, node.end, new)]
        for child in node.value if node.kind in ("object", "array") else ():
            self.refuse_anchors(child)
        tags = [] if _keeps_kind(node, value) else source.tags(node)
        if node.style == "block":
            first, *rest = block.replaced(source, node, new)
            if tags and tags[-1].end == first.start:
                first = Edit(first.start, first.end, first.new_text.lstrip(" "))  # there is a blank before the tag
            return [*tags, first, *rest]
        if node.start == node.end:
            return [*tags, Edit(node.start, node.start, self.lead_in(node, tags) + new)]
        if node.style in ("|", ">"):
            new += text[len(text[: node.end].rstrip("\r\n")) : node.end]
        return [*tags, Edit(node.start, node.end, new)]

    def lead_in(self, node: Node, tags: list[Edit]) -> str:
        """What must stand before a value where YAML has an empty one: nothing follows its colon, or there is not even that."""
        source, text = self.source, self.source.text
        if node.key is not None and ":" not in text[node.key_end : node.start]:
            holder = self.around.get(id(node))
            if source.is_explicit(node) and (holder is None or holder.style == "block"):
                return source.newline + " " * source.column(source.mark_of(node)) + ": "
            return ": "
        before = tags[-1].start if tags and tags[-1].end == node.start else node.start
        return " " if before > 0 and text[before - 1] not in " \t" else ""


def _keeps_kind(node: Node, value: Any) -> bool:
    """Whether a new value may keep the tag of the one before."""
    kinds = {dict: "object", list: "array", str: "string", bool: "boolean"}
    return kinds.get(type(value)) == node.kind


def _merged(edits: list[Edit]) -> list[Edit]:
    """Edits in order; those that begin at one offset as one."""
    out: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if out and out[-1].start == edit.start and out[-1].end == edit.start:
            out[-1] = Edit(edit.start, edit.end, out[-1].new_text + edit.new_text)
        elif out and edit.start < out[-1].end:
            raise CannotEditError("two of its changes get into each other's way")
        else:
            out.append(edit)
    return out
