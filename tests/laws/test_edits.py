"""What is peculiar to one form of text: anchors, aliases, merges, tags, block scalars; what is refused; what it costs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

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
)
from draftlift.fixes.edits import CannotEditError, to_edits
from draftlift.syntax import read
from draftlift.syntax.tree import Language, Tree, to_value
from draftlift.text import apply_edits

MOVE = MoveMembers((), (("d", "a"),), ("m",))
MOVES = MoveMembers((), (("d", "a"), ("d", "c")), ("m",))


def edited(text: str, *operations: Operation, language: Language = "yaml") -> str:
    tree = read(text, language)
    root = tree.documents[0]
    assert root is not None
    after = apply_edits(text, to_edits(operations, tree, root))
    new = read(after, language)
    assert not new.problems, after
    assert new.documents[0] is not None
    assert to_value(new.documents[0]) == apply_to_value(operations, to_value(root)), after
    if language == "yaml":
        list(yaml.safe_load_all(after))
    return after


@pytest.mark.parametrize(
    ("text", "operations", "after"),
    [
        ("a: !!null\n", [ReplaceValue(("a",), {"b": 1})], "a: {b: 1}\n"),
        ("a: !!null ~ # c\n", [ReplaceValue(("a",), {"b": 1})], "a: {b: 1} # c\n"),
        ("a: &x !!null\n", [ReplaceValue(("a",), {"b": 1})], "a: &x {b: 1}\n"),
        ("a: !!str &x b\n", [ReplaceValue(("a",), "c")], "a: !!str &x c\n"),
        ("a: !!map\n  b: 1\n", [RemoveMember(("a", "b"))], "a: !!map {}\n"),
        ("a: !!map\n  b: 1\n", [ReplaceValue(("a",), "c")], "a: c\n"),
        ("a: !!map # c\n  b: 1\n", [ReplaceValue(("a",), "c")], "a: c # c\n"),
        ("a: &x\n  b: 1\n", [RemoveMember(("a", "b"))], "a: &x {}\n"),
        ("? a\n", [ReplaceValue(("a",), {"b": 1})], "? a\n: {b: 1}\n"),
        ("{a, b: 1}\n", [ReplaceValue(("a",), {"b": 1})], "{a: {b: 1}, b: 1}\n"),
        ("a:\n- 1\n- 2 # two\n# b\nb: 1\n", [ReplaceValue(("a",), [3])], "a: [3]\n# b\nb: 1\n"),
        ("a: # why\n  - 1\n\nb: 1\n", [ReplaceValue(("a",), [3])], "a: [3] # why\n\nb: 1\n"),
        ("- # why\n  - 1\n- 2\n", [ReplaceValue((0,), [3])], "- [3] # why\n- 2\n"),
        ("- - 1 # one\n- 2\n", [ReplaceValue((0,), [3])], "- [3]\n- 2\n"),
        ("a: |+\n  x\n\nb: 1\n", [ReplaceValue(("a",), "z")], "a: z\n\nb: 1\n"),
        ("a: |+\n  x\n\nb: 1\n\nc: 2\n", [RemoveMember(("b",))], "a: |+\n  x\n\nc: 2\n"),
        ("a: |\n  x\nb: 1", [RemoveMember(("b",))], "a: |\n  x\n"),
        ("a: |+\n  x\n\n\n", [InsertMember((), "b", 1, "a")], "a: |+\n  x\n\n\nb: 1\n"),
        ("d:\n  a: >-\n    x\n  b: 1", [MOVE], "d:\n  b: 1\nm:\n  a: >-\n    x\n"),
        (
            "d: &x {b: 1}\ne:\n  <<: *x\n",
            [RenameKey(("e", "b"), "c"), RenameKey(("d", "b"), "c")],
            "d: &x {c: 1}\ne:\n  <<: *x\n",
        ),
        ("d: &x {b: 1}\ne: *x\n", [RenameKey(("e", "b"), "c"), RenameKey(("d", "b"), "c")], "d: &x {c: 1}\ne: *x\n"),
        ("d: &x [1]\ne: *x\n", [ReplaceValue(("e",), [2])], "d: &x [1]\ne: [2]\n"),
        ("--- # top\n# about all\na: 1\nb: 2\n", [RemoveMember(("a",))], "--- # top\n# about all\nb: 2\n"),
        ("a: 1\n...\n---\nb: 2\n", [InsertMember((), "c", {"d": {}}, "a")], "a: 1\nc:\n  d: {}\n...\n---\nb: 2\n"),
        ("\ufeffa: 1\nb: 2\n", [RemoveMember(("a",))], "\ufeffb: 2\n"),
        ("{ a: 1, b: 2 }\n", [RemoveMember(("b",)), InsertMember((), "c", 3, "a")], "{ a: 1, c: 3 }\n"),
        ("{a: 1, # one\n b: 2}\n", [InsertMember((), "c", 3, "a")], "{a: 1, # one\n c: 3,\n b: 2}\n"),
        ("? a\n: 1\n", [InsertMember((), "b", {"c": 1}, "a")], "? a\n: 1\n? b\n:\n  c: 1\n"),
        ("? d\n:\n    a: 1\n    c: 1\n    b: 1\n", [MOVES], "? d\n:\n    b: 1\n? m\n:\n    a: 1\n    c: 1\n"),
        ("'a': 1\nb: 1\n", [InsertMember((), "c", 1, "a")], "'a': 1\nc: 1\nb: 1\n"),
        (
            "d:\n  a: 1\n  b: 1\n\n    # about d\n# about e\ne: 1\n",
            [MOVE],
            "d:\n  b: 1\n\n    # about d\nm:\n  a: 1\n# about e\ne: 1\n",
        ),
    ],
)
def test_yaml(text: str, operations: Sequence[Operation], after: str) -> None:
    assert edited(text, *operations) == after


@pytest.mark.parametrize(
    ("text", "operations", "after"),
    [
        ('{"a": 1 /* one */, "b": 2}', [InsertMember((), "c", 3, "a")], '{"a": 1 /* one */, "c": 3, "b": 2}'),
        ('{"a": 1 /* one */}', [InsertMember((), "c", 3, "a")], '{"a": 1 /* one */, "c": 3}'),
        ('{ "a": 1 }', [RemoveMember(("a",))], "{}"),
        ('{ }', [InsertMember((), "c", 3, None)], '{"c": 3}'),
        ('{"a": 1, "b": 2}', [RemoveMember(("a",)), RemoveMember(("b",)), InsertMember((), "c", 3, None)], '{"c": 3}'),
        ('{ "a": 1,\n  "b": 2 }', [RemoveMember(("a",))], '{ "b": 2 }'),
        ('{"d":{"a":1,/* b */"b":2},"e":1}', [MOVE], '{"d":{/* b */"b":2},"m":{"a":1},"e":1}'),
        ('{"d": {"a": 1, // one\n "b": 2}}', [MOVE], '{"d": {"b": 2}, "m": {"a": 1 // one\n}}'),
        ('\ufeff{"a": 1, "b": 2}', [RemoveMember(("a",))], '\ufeff{"b": 2}'),
    ],
)  # fmt: skip
def test_json(text: str, operations: Sequence[Operation], after: str) -> None:
    assert edited(text, *operations, language="json") == after


@pytest.mark.parametrize(
    ("text", "operations", "reason"),
    [
        ("a: 1\na: 2\n", [RemoveMember(("a",))], "the schema has a key twice"),
        ("a: 1\n", [RemoveMember(("b",))], "nothing is at /b"),
        ("a: 1\n", [InsertMember(("a",), "b", 1, None)], "there is no object at /a"),
        ("a: 1\n", [ReplaceValue(("a", 0), 1)], "nothing is at /a/0"),
        ("a: &x 1\nb: *x\n", [RemoveMember(("a",))], "carries an anchor"),
        ("a:\n  b: &x 1\nc: *x\n", [ReplaceValue(("a",), 1)], "carries an anchor"),
        ("d:\n  a: &x 1\n  b: 1\n", [MOVE], "carries an anchor"),
        ("d: &x {b: 1}\ne: *x\n", [RenameKey(("e", "b"), "c"), RenameKey(("d", "b"), "f")], "in two ways"),
        ("d: &x {b: 1}\ne: *x\n", [ReplaceValue(("e", "b"), 2), ReplaceValue(("d", "b"), 3)], "in two ways"),
        ("b: &x {a: 1}\nd: {<<: *x, c: 1}\n", [MOVE], "comes out of a merge"),
        ("b: &x {a: 1}\nd: {<<: *x}\n", [InsertMember(("d",), "c", 1, "a")], "`a` comes out of a merge"),
        ("- [a: 1]\n", [InsertMember((0, 0), "b", 1, "a")], "has no brackets"),
        ("a: |\n  x", [InsertMember((), "b", 1, "a")], "no line end"),
        ("a: 1\nb: 2\n", [MoveMembers((), (("a",),), ("m", "n"))], "in a way that draftlift does not know"),
    ],
)
def test_what_is_refused(text: str, operations: Sequence[Operation], reason: str) -> None:
    with pytest.raises(CannotEditError, match=reason):
        edited(text, *operations)


def _wide(count: int) -> dict[str, Any]:
    return {f"k{index}": {"items": [{}], "x": 1, "d": {"a": 1, "b": 1}} for index in range(count)}


COSTLY: dict[str, Callable[[int], list[Operation]]] = {
    "renames": lambda count: [RenameKey((f"k{index}", "items"), "p") for index in range(count)],
    "removals within": lambda count: [RemoveMember((f"k{index}", "x")) for index in range(count)],
    "removals": lambda count: [RemoveMember((f"k{index}",)) for index in range(0, count, 2)],
    "removals of nearly all": lambda count: [RemoveMember((f"k{index}",)) for index in range(1, count)],
    "insertions": lambda count: [InsertMember((), f"n{index}", 1, f"k{index}") for index in range(count)],
    "insertions behind what goes": lambda count: [
        *(RemoveMember((f"k{index}",)) for index in range(1, count)),
        *(InsertMember((), f"n{index}", 1, f"k{index}") for index in range(count)),
    ],
    "moves": lambda count: [MoveMembers((f"k{index}",), ((f"k{index}", "d", "a"),), ("m",)) for index in range(count)],
}
WRITTEN: dict[str, tuple[Language, Callable[[Any], str]]] = {
    "a line of JSON": ("json", json.dumps),
    "lines of JSON": ("json", lambda value: json.dumps(value, indent=2)),
    "YAML": ("yaml", lambda value: yaml.safe_dump(value, sort_keys=False)),
}


def calls(tree: Tree, operations: Sequence[Operation]) -> int:
    """How many functions are called to work out the edits."""
    assert tree.documents[0] is not None
    count = 0

    def counted(*_: Any) -> None:
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        to_edits(operations, tree, tree.documents[0])
    finally:
        sys.setprofile(None)
    return count


def test_blocks_that_end_together_read_what_follows_once() -> None:
    costs = []
    for depth in (30, 60):
        nested = "".join("  " * level + "k:\n" for level in range(depth)) + "  " * depth + "z: 1\n"
        tree = read(nested + "# c\n" * 20 * depth + "end: 1\n", "yaml")
        pointers = [("k",) * level for level in range(depth)]
        costs.append(calls(tree, [InsertMember(pointer, "new", 1, "k") for pointer in pointers]))
    assert costs[1] < 2.5 * costs[0]


@pytest.mark.parametrize("kind", COSTLY)
@pytest.mark.parametrize("form", WRITTEN)
def test_twice_the_edits_cost_twice_the_calls(form: str, kind: str) -> None:
    language, write = WRITTEN[form]
    costs = []
    for count in (100, 200):
        tree = read(write(_wide(count)), language)
        costs.append(calls(tree, COSTLY[kind](count)))
    assert costs[1] < 2.3 * costs[0]
