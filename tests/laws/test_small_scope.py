"""The law of edits in a small scope, whole: every change, inside every other, in every place, layout and comment.

What a comment is about, the layouts know; here it is asked that it still is about that, or gone with it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest
import yaml

from draftlift.change.operations import (
    InsertMember,
    MoveMembers,
    Operation,
    RemoveMember,
    RenameKey,
    ReplaceValue,
    apply_to_value,
    below,
)
from draftlift.fixes.edits import CannotEditError, to_edits
from draftlift.syntax import read
from draftlift.syntax.tree import Node, at, to_value
from draftlift.text import apply_edits
from laws.writing import LAYOUTS, Kind, Pointer, Writer

SCALAR = {"type": "string"}
TEXT = {"description": "one\n two\n"}


class Change(NamedTuple):
    """Members of an object, and what is done to it."""

    members: dict[str, Any]
    operations: tuple[Operation, ...]


def split(*, moves: Sequence[str], key: str = "dep", **members: Any) -> Change:
    operation = MoveMembers((), tuple((key, name) for name in moves), ("split",))
    return Change({key: members}, (operation, RenameKey((key,), "rest")))


NESTED = split(moves="de", a=["b"], d=["e"], e=["f"], c={"x": {}})
INNER: dict[str, Change] = {
    "rename": Change({"items": [SCALAR, {}]}, (RenameKey(("items",), "prefixItems"),)),
    "rename two": Change({"a": [SCALAR], "b": False}, (RenameKey(("a",), "b"), RenameKey(("b",), "c"))),
    "replace a string": Change({"a": "x"}, (ReplaceValue(("a",), "y"),)),
    "replace a list": Change({"a": ["x", "y"]}, (ReplaceValue(("a",), [{"const": "x"}]), RenameKey(("a",), "b"))),
    "replace an object": Change({"a": {"b": {"c": "x"}}}, (ReplaceValue(("a", "b"), "y"),)),
    "replace by an object": Change({"a": None}, (ReplaceValue(("a",), {"type": "object", "x": [1]}),)),
    "replace a text": Change({"a": "one\ntwo\n"}, (ReplaceValue(("a",), "y"),)),
    "remove": Change({"a": False}, (RemoveMember(("a",)),)),
    "remove a list": Change({"a": [SCALAR, {"x": "y"}]}, (RemoveMember(("a",)),)),
    "remove an object": Change({"a": {"b": SCALAR}}, (RemoveMember(("a",)),)),
    "remove a text": Change({"a": "one\n two\n"}, (RemoveMember(("a",)),)),
    "remove two": Change({"a": [], "b": SCALAR}, (RemoveMember(("a",)), RemoveMember(("b",)))),
    "remove two apart": Change({"a": [], "m": 1, "b": SCALAR}, (RemoveMember(("a",)), RemoveMember(("b",)))),
    "remove between": Change({"a": SCALAR, "m": 1, "b": TEXT}, (RemoveMember(("m",)),)),
    "remove within": Change({"a": {"b": 1, "c": SCALAR}}, (RemoveMember(("a", "c")),)),
    "remove all within": Change({"a": {"b": 1, "c": SCALAR}}, (RemoveMember(("a", "c")), RemoveMember(("a", "b")))),
    "remove within an item": Change(
        {"a": [{"b": 1, "c": 2}, {"b": 1}]}, (RemoveMember(("a", 0, "b")), RemoveMember(("a", 1, "b")))
    ),
    "insert first": Change({"a": SCALAR}, (InsertMember((), "new", "x", None),)),
    "insert first, and one goes": Change({"a": SCALAR}, (InsertMember((), "new", "x", None), RemoveMember(("a",)))),
    "insert both": Change(
        {"a": 1, "b": 2}, (InsertMember((), "y1", 1, "a"), InsertMember((), "y2", 2, None), RemoveMember(("a",)))
    ),
    "insert behind": Change({"a": SCALAR}, (InsertMember((), "new", {"x": {"y": 1}}, "a"),)),
    "insert behind what goes": Change({"m": 1, "a": SCALAR}, (InsertMember((), "new", 1, "a"), RemoveMember(("a",)))),
    "insert into nothing": Change({"a": {}}, (InsertMember(("a",), "new", 1, None),)),
    "insert for all": Change({"a": {"b": 1}}, (InsertMember(("a",), "new", 1, None), RemoveMember(("a", "b")))),
    "split, first goes": split(moves="a", a=["b"], c={}),
    "split, last goes": split(moves="c", a=["b"], c=SCALAR),
    "split, two go": split(moves="ae", a=["b"], c={"x": {}}, e=["f", "g"], g=TEXT),
    "split, objects go": split(moves="cg", a=["b"], c={"x": SCALAR, "y": 1}, e=["f"], g=TEXT),
    "split, before what goes": Change(
        {**split(moves="a", a=1, c={}).members, "b": SCALAR},
        (*split(moves="a", a=1, c={}).operations, RemoveMember(("b",))),
    ),
    "split, and insert": Change(
        split(moves="a", a=1, c={}).members,
        (*split(moves="a", a=1, c={}).operations, InsertMember((), "new", 1, "dep")),
    ),
    "put within": Change({"a": SCALAR, "b": 1}, (MoveMembers((), (("a",), ("b",)), ("within",)),)),
    "put within, apart": Change({"a": [SCALAR], "m": 1, "b": TEXT}, (MoveMembers((), (("a",), ("b",)), ("within",)),)),
    "put within, and more": Change(
        {"items": [], "a": {"b": {"x": 1, "y": SCALAR}}},
        (
            RemoveMember(("items",)),
            MoveMembers((), (("a",),), ("within",)),
            RemoveMember(("a", "b", "y")),
            InsertMember((), "new", 1, None),
        ),
    ),
    "split within what stays": Change(
        {"dep": {"a": [], "c": NESTED.members}},
        (MoveMembers((), (("dep", "a"),), ("split",)), *(below(op, ("dep", "c")) for op in NESTED.operations)),
    ),
    "split within what goes": Change(
        {"dep": {"a": [], "c": NESTED.members}},
        (MoveMembers((), (("dep", "c"),), ("split",)), *(below(op, ("dep", "c")) for op in NESTED.operations)),
    ),
}
FILLERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "only": ({}, {}),
    "first": ({}, {"title": "t", "y": {"z": 1}}),
    "last": ({"title": "t", "y": {"z": 1}}, {}),
    "middle": (TEXT, {"y": [{"z": 1}]}),
}


def within(
    members: dict[str, Any], pointer: Pointer, *operations: Operation
) -> tuple[Any, Pointer, tuple[Operation, ...]]:
    return members, pointer, operations


def outer(name: str, inner: Any) -> tuple[Any, Pointer, tuple[Operation, ...]]:
    """A value around a value: where that is in it, and what is done to what is around it."""
    moving = MoveMembers((), (("outer", "s"),), ("moved",))
    return {
        "the root": lambda: within(inner, ()),
        "a property": lambda: within({"properties": {"a": SCALAR, "s": inner}, "end": 1}, ("properties", "s")),
        "the last property": lambda: within({"properties": {"s": inner}}, ("properties", "s")),
        "an item": lambda: within({"allOf": [inner, {"x": 1}], "end": 1}, ("allOf", 0)),
        "the last item": lambda: within({"items": [[1], inner]}, ("items", 1), RenameKey(("items",), "prefix")),
        "what moves": lambda: within({"outer": {"s": inner, "t": [1]}}, ("outer", "s"), moving),
        "the last that moves": lambda: within({"outer": {"t": {}, "s": inner}, "end": 1}, ("outer", "s"), moving),
        "what moves twice": lambda: within(
            {"outer": {"t": 1, "s": {"outer": {"t": 1, "s": inner}}}},
            ("outer", "s", "outer", "s"),
            moving,
            below(moving, ("outer", "s")),
        ),
        "what stays": lambda: within(
            {"outer": {"t": 1, "s": inner}}, ("outer", "s"), MoveMembers((), (("outer", "t"),), ("moved",))
        ),
        "what goes": lambda: within({"a": 1, "outer": {"s": inner}}, ("outer", "s"), RemoveMember(("outer",))),
        "before what goes": lambda: within({"a": {"s": inner}, "b": 1}, ("a", "s"), RemoveMember(("b",))),
    }[name]()


OUTER = (
    "the root",
    "a property",
    "the last property",
    "an item",
    "the last item",
    "what moves",
    "the last that moves",
    "what moves twice",
    "what stays",
    "what goes",
    "before what goes",
)
MAY_REFUSE = {"YAML, no last line end": {"it ends in a block scalar that has no line end"}}


@cache
def cases(inner: str) -> tuple[tuple[Any, tuple[Operation, ...]], ...]:
    found = []
    for around in OUTER:
        for before, after in FILLERS.values():
            members, operations = INNER[inner]
            value, pointer, others = outer(around, {**before, **members, **after})
            found.append((value, (*others, *(below(operation, pointer) for operation in operations))))
    return tuple(found)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("inner", INNER)
def test_every_change_in_every_place(layout: str, inner: str) -> None:
    """Each case with a comment at one place, another in each case; with DRAFTLIFT_PLACES, at so many and without."""
    more = int(os.environ.get("DRAFTLIFT_PLACES", "0"))
    shift = sorted(INNER).index(inner) + sorted(LAYOUTS).index(layout)
    for number, (value, operations) in enumerate(cases(inner)):
        if not more and (number + shift) % 4:
            continue
        writer = LAYOUTS[layout]()
        writer.write(value)
        turns = [(number * 7 + shift + 3 * turn) % (writer.places + 2) - 1 for turn in range(more or 1)]
        for place in turns:
            check(layout, value, operations, None if place == writer.places else place)


def check(layout: str, value: Any, operations: tuple[Operation, ...], place: int | None) -> None:
    writer = LAYOUTS[layout]()
    writer.at = place
    text = writer.write(value)
    tree = read(text, writer.language)
    root = tree.documents[0]
    assert root is not None
    assert not tree.problems
    if not writer.final:
        value = to_value(root)  # a block scalar at the very end has no last line end
    assert to_value(root) == value == load(text, writer)
    try:
        edits = to_edits(operations, tree, root)
    except CannotEditError as problem:
        assert str(problem) in MAY_REFUSE.get(layout, ()), f"{problem}\n{text}\n{operations}"
        return
    assert edits == sorted(set(edits))
    assert len({edit.start for edit in edits}) == len(edits)
    edited = apply_edits(text, edits)
    told = f"\n{text}\n--->\n{edited}\n{operations}"
    after = read(edited, writer.language)
    meant = apply_to_value(operations, value)
    assert not after.problems, told
    assert after.documents[0] is not None, told
    assert same(to_value(after.documents[0]), meant), told
    assert same(load(edited, writer), meant), told
    looks_well(writer, text, edited, told)
    for name, (kind, pointer) in writer.said.items():
        comment_is_right(edited, after.documents[0], name, kind, pointer, operations, told)


def same(left: Any, right: Any) -> bool:
    """Equality with the order of members."""
    return json.dumps(left) == json.dumps(right)


def load(text: str, writer: Writer) -> Any:
    """The value as another reader sees it."""
    if writer.language == "yaml":
        return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    bare = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\r\n]*|/\*.*?\*/', lambda match: match[1] or "", text)
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", bare) if writer.trailing else bare)


UGLY = (r"\n(\r?\n){2}", r"[{\[]\r?\n\r?\n", r"\n\r?\n[ \t]*[}\]]", r"\{[ \t\r\n]+\}", r"\A\r?\n")
UGLY_IN_A_BLOCK = (r":\r?\n\r?\n", r"\n[ \t]+\{\}")


def looks_well(writer: Writer, text: str, edited: str, told: str) -> None:
    assert not re.search(r"[ \t](\r?\n|\Z)", edited), f"a blank at the end of a line{told}"
    assert edited.count("\n") == edited.count("\r\n") or "\r" not in edited, told
    for ugly in UGLY + UGLY_IN_A_BLOCK * (writer.layout == "block"):
        if not re.search(ugly, text):
            assert not re.search(ugly, edited), f"{ugly}{told}"
    if text.endswith("\n"):
        assert edited.endswith("\n"), told


def comment_is_right(
    edited: str, root: Node, name: str, kind: Kind, pointer: Pointer, operations: Sequence[Operation], told: str
) -> None:
    told = f"{name} {kind} {pointer}{told}"
    removed = {operation.pointer for operation in operations if isinstance(operation, RemoveMember)}
    replaced = {operation.pointer for operation in operations if isinstance(operation, ReplaceValue)}
    ways = set(_ways(pointer))
    found = edited.count(name)
    inside = {way for way in ways if way != pointer} & replaced or (kind == "foot" and pointer in replaced)
    if ways - {pointer} & removed or (pointer in removed and kind != "free") or inside:
        assert found == 0, told
        return
    if kind == "head" and pointer in replaced:
        assert found <= 1, told
        return
    assert found == 1, told
    if kind == "free":
        return
    node = at(root, new_place(pointer, operations))
    assert node is not None, told
    start, end = edited.index(name), edited.index(name) + len(name)
    if kind == "above":
        assert not re.sub(
            r"(?:\s|,|#.*|//.*|/\*.*?\*/|\? |\*/|^ ?\*/)*", "", edited[end : node.key_start].replace("*/", "")
        ), told
    if kind == "behind":
        assert not re.sub(r"[ ,]|/\*.*?\*/|/[/*]|#", "", edited[node.end : start]), told


def _ways(pointer: Pointer) -> Iterator[Pointer]:
    for end in range(1, len(pointer) + 1):
        yield pointer[:end]


def new_place(pointer: Pointer, operations: Sequence[Operation]) -> Pointer:
    """Where a value is afterwards."""
    new: Pointer = ()
    keys = {operation.pointer: operation.new_key for operation in operations if isinstance(operation, RenameKey)}
    moves = {member: move for move in operations if isinstance(move, MoveMembers) for member in move.members}
    for way in _ways(pointer):
        if way in moves:
            new = (*new_place(moves[way].pointer, operations), *moves[way].path, way[-1])
        else:
            new = (*new, keys.get(way, way[-1]))
    return new
