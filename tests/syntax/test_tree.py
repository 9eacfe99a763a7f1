from __future__ import annotations

import json
import subprocess
import sys

import pytest

from draftlift.syntax import json_reader, read, yaml_reader
from draftlift.syntax.tree import Node, NotJsonError, at, is_number, member, members, to_value, walk


def root_of(text: str) -> Node:
    root = yaml_reader.read(text).documents[0]
    assert root is not None
    return root


MERGED = """\
one: &one {a: 1, b: 1}
two: &two {b: 2, c: 2}
own: {b: 0, <<: *one}
first: {<<: [*one, *two]}
both: {<<: *two, <<: *one, d: 3}
deep: &deep {<<: *two, e: 4}
deeper: {<<: *deep, c: 5}
inline: {<<: {a: 6}}
odd: {<<: 7, a: {<<: *one}}
"""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("own", {"b": 0, "a": 1}),
        ("first", {"a": 1, "b": 1, "c": 2}),
        ("both", {"d": 3, "b": 2, "c": 2, "a": 1}),
        ("deeper", {"c": 5, "e": 4, "b": 2}),
        ("inline", {"a": 6}),
        ("odd", {"<<": 7, "a": {"a": 1, "b": 1}}),
    ],
)
def test_merge_keys(key: str, value: dict[str, object]) -> None:
    node = member(root_of(MERGED), key)
    assert node is not None
    assert to_value(node) == value
    assert list(members(node)) == list(value)
    for name in ["a", "b", "c", "d", "e"]:
        assert (member(node, name) is not None) == (name in value)


@pytest.mark.parametrize("text", ['{"<<": {"a": 1}}', '{"<<": []}'])
def test_a_quoted_merge_key_is_a_key(text: str) -> None:
    for language in ("json", "yaml"):
        root = read(text, language).documents[0]
        assert root is not None
        assert to_value(root) == json.loads(text)
        assert list(members(root)) == ["<<"]
        assert member(root, "a") is None


def test_merge_bombs_end() -> None:
    text = "a0: &a0 {k: 1}\n" + "".join(f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}]}}\n" for i in range(1, 100))
    last = member(root_of(text), "a99")
    assert last is not None
    assert list(members(last)) == ["k"]


def test_alias_bombs_have_no_value() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 100))
    with pytest.raises(NotJsonError):
        to_value(root_of(text))


@pytest.mark.parametrize("text", ["a: *x", "? [a]\n: b", "a: .nan", "[-.inf]", "- {[a]: 1}"])
def test_what_json_cannot_hold_has_no_value(text: str) -> None:
    with pytest.raises(NotJsonError):
        to_value(root_of(text))


def test_the_later_of_two_equal_keys_wins() -> None:
    root = json_reader.read('{"a": 1, "b": 2, "a": 3}').documents[0]
    assert root is not None
    assert to_value(root) == {"a": 3, "b": 2}
    found = member(root, "a")
    assert found is not None
    assert found is members(root)["a"]
    assert found.value == 3


def test_at_follows_aliases_and_merges() -> None:
    root = root_of("base: &base {list: [1, {x: 2}]}\nuse: {<<: *base}\nalias: *base\n0: zero\n")
    assert at(root, ()) is root
    for start in ("base", "use", "alias"):
        found = at(root, (start, "list", 1, "x"))
        assert found is not None
        assert found.value == 2
    zero = at(root, (0,))
    assert zero is not None
    assert zero.value == "zero"
    for pointer in [("none",), ("base", "list", 2), ("base", "list", "1"), ("base", "list", 0, "x")]:
        assert at(root, pointer) is None


def test_walk_goes_in_document_order() -> None:
    root = root_of("a: &x [1, 2]\nb: *x\nc: {d: 3}\n")
    assert [node.kind for node in walk(root)] == [
        "object", "array", "number", "number", "alias", "object", "number",
    ]  # fmt: skip


def test_true_is_no_number() -> None:
    assert is_number(1)
    assert is_number(1.5)
    assert not is_number(True)
    assert not is_number("1")


def test_deep_trees_do_not_recurse() -> None:
    root = json_reader.read("[" * 100_000 + "]" * 100_000).documents[0]
    assert root is not None
    assert sum(1 for _ in walk(root)) == 100_000
    to_value(root)


def test_read_takes_either_language() -> None:
    assert read("{a: 1}", "yaml").problems == ()
    assert read("{a: 1}", "json").problems != ()


def test_json_does_not_load_a_yaml_parser() -> None:
    code = (
        "import sys; from draftlift.syntax import read; read('{}', 'json'); "
        "assert not {'yaml', 'ruamel'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
