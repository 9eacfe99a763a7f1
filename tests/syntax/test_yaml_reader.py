from __future__ import annotations

import gc
import io
import json
import time
from decimal import Decimal
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from draftlift.syntax.core_schema import read_plain
from draftlift.syntax.tree import Node, Tree, to_value
from draftlift.syntax.unknown import Unknown
from draftlift.syntax.yaml_reader import MAX_DEPTH, read
from syntax.trees import check_spans, complaints, describe, outline

SAMPLE = """\
# tools

tools:
- &first
  name: "a\\tb"   # why
  on: [1, 'it''s', {x: , "y":}, p: q]
  text: |
    one
     two

  folded: >-
    a
    b

  keep: |+
    c

- <<: *first
  !!str plain: !!int "3"
  ? [complex, key]
  : value
  empty:
  emoji: 🚀 rocket
    goes on
-
- last: *first
"""

BOTH_ACCEPT = [
    SAMPLE,
    SAMPLE.replace("\n", "\r\n"),
    "\ufeffa: 🚀\nb: x\n",
    "a:\n  b:\n\n# c\nc: &x !!str foo\n",
    "a: |\n  x\n\n\n# c\nb: >+\n  p\n\n\nc: |2-\n    x\n  y\n   \nd: |\n",
    "- |\n x",
    "- \n-\n- &x\n- !!str\n- !t &y z\n- &z !t z\n-   # c\n\n- - 1\n  -\n",
    "{a, b: , 'c':}",
    "[a: b, ? c, [d]: e, {f: g}: h]",
    "? \n: x\n? y\n? - z\n: - 1\n",
    "&m !!map\n&k a: !!str\n'q': ! x\n*k : *k\n",
    "? &z {q: r}\n: *z\n",
    "a: &x 1\nb: &x 2\nc: *x\n",
    "---\na: 1\n---\nb: 2\n...\n",
    "---\n---\n",
    "--- ~\n",
    "--- !!str\n",
    "",
    "# c\n",
    "a: x\u2028y\nb: 'x\u0085y'\nc: \ud800\nd: \ufeff\n",
    "a: *no\nb: &b [*b]\nc: {*no : 1}\n",
    "a: 1e400\nb: 1e99999999999999999999\n",
    "!<tag:yaml.org,2002:str> 123",
    "a: plain\n  goes on\n\n  and on  # c\nb: 1\n",
]


@pytest.mark.parametrize("text", BOTH_ACCEPT, ids=ascii)
def test_both_parsers_give_the_same_tree(text: str) -> None:
    tree = read(text)
    check_spans(tree)
    assert describe(read(text, pure=True)) == describe(tree)


def root_of(tree: Tree) -> Node:
    root = tree.documents[0]
    assert root is not None
    return root


def tokens(text: str) -> list[tuple[str | None, str, str]]:
    """Of each member of the root, or item: its key's text, its value's, and what is before it as anchor or tag."""
    return [
        (text[node.key_start : node.key_end], text[node.start : node.end], text[node.properties_start : node.start])
        if node.key is not None
        else (None, text[node.start : node.end], text[node.properties_start : node.start])
        for node in root_of(read(text)).value
    ]


SPANS = [
    ("a: 1\n'b' : x y  # c\n\"🚀\": z\n", [("a", "1", ""), ("'b'", "x y", ""), ('"🚀"', "z", "")]),
    ("a: plain\n  goes on # c\n", [("a", "plain\n  goes on", "")]),
    ("a: &x !!str  foo\n", [("a", "foo", "&x !!str  ")]),
    ("a: !t  # c\n  &x foo\n", [("a", "foo", "!t  # c\n  &x ")]),
    ("a: # c !d\n  &x !t foo\n", [("a", "foo", "&x !t ")]),
    ("a: !t &x  # c !d\n  foo\n", [("a", "foo", "!t &x  # c !d\n  ")]),
    ("a: &x\n  - 1\n  - 2\n\n# c\nb: {c: d}\n", [("a", "- 1\n  - 2", "&x\n  "), ("b", "{c: d}", "")]),
    ("a: |\n  x\n  y \n\n\n# c\nb: >+\n  z\n\nc: |\n", [("a", "|\n  x\n  y ", ""), ("b", ">+\n  z\n", ""), ("c", "|", "")]),
    ("a:\n\n# c\nb: \nc: !!str\n", [("a", "", ""), ("b", "", ""), ("c", "", "!!str")]),
    ("a:\n- b\n- c: d\n", [("a", "- b\n- c: d", "")]),
    ("- a: b\n  c:\n    d: e\n\n-\n", [(None, "a: b\n  c:\n    d: e", ""), (None, "", "")]),
    ("[a: b, {c: d}]", [(None, "a: b", ""), (None, "{c: d}", "")]),
    ("? [a, b]\n: c\n", [("[a, b]", "c", "")]),
    ("? |\n  a\n: c\n", [("|\n  a", "c", "")]),
    ("&k a: b\n", [("a", "b", "")]),
    ("a: &x 1\nb: *x\n", [("a", "1", "&x "), ("b", "*x", "")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SPANS, ids=[ascii(case[0]) for case in SPANS])
def test_spans(text: str, expected: object) -> None:
    assert tokens(text) == expected
    check_spans(read(text))


def test_an_empty_value_stands_behind_its_colon_or_dash() -> None:
    members = root_of(read("a:\n\n\nb: # c\n")).value
    assert [node.start for node in members] == [2, 7]
    assert [node.start for node in root_of(read("-\n\n-  # c\n")).value] == [1, 4]


def test_styles() -> None:
    root = root_of(read("- a\n- 'b'\n- \"c\"\n- |\n  d\n- >\n  e\n- [f]\n- g: h\n"))
    assert [node.style for node in root.value] == ["", "'", '"', "|", ">", "flow", "block"]
    assert root.style == "block"


PLAIN = [
    *[(word, word) for word in ("on", "off", "yes", "no", "y", "n", "On", "NO", "1_000", "0b1", "12:30:45", "2001-01-01", "0o8", "0xg", "-0x1", "1e", ".", "-", "+", ".e3", "nUll", "<<", "=")],
    ("", None), ("~", None), ("null", None), ("Null", None), ("NULL", None),
    ("true", True), ("True", True), ("FALSE", False),
    ("017", 17), ("08", 8), ("-0", 0), ("+1", 1), ("0o17", 15), ("0x1F", 31),
    ("1.0", 1.0), ("1.", 1.0), (".5", 0.5), (".5e3", 500.0), ("1e3", 1000.0), ("-1.5E-1", -0.15),
    (".inf", float("inf")), ("-.INF", float("-inf")), ("1e400", Decimal("1e400")), ("9" * 5000, Decimal("9" * 5000)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), PLAIN, ids=[case[0][:20] for case in PLAIN])
def test_plain_scalars_follow_the_core_schema(text: str, value: object) -> None:
    found = read_plain(text)[1]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!str 123", "123"),
        ("! 123", "123"),
        ('!!int "3"', 3),
        ("!!float '1.5'", 1.5),
        ("!!bool 'true'", True),
        ("!!null ''", None),
        ("!!seq [1]", [1]),
        ("!!map {a: 1}", [("a", 1)]),
        ("! [1]", [1]),
        ('"\\ud83d\\ude80 \\ud800"', "🚀 \ud800"),
        ("'1'", "1"),
    ],
)
def test_tags_and_quotes(text: str, value: object) -> None:
    tree = read(text)
    assert outline(tree.documents[0]) == value
    assert tree.problems == ()


def test_a_key_is_the_text_of_its_scalar() -> None:
    assert [node.key for node in root_of(read("404: a\ntrue: b\non: c\n1.0: d\n~: e\n'<<': f\n")).value] == [
        "404", "true", "on", "1.0", "~", "<<",
    ]  # fmt: skip


def test_keys_that_are_no_scalars() -> None:
    root = root_of(read("a: &x 1\n? {b: [c]}\n: 2\n*x : 3\nd: 4\n"))
    assert [(node.key, node.complex_key, node.value) for node in root.value] == [
        ("a", False, 1), ("", True, 2), ("", True, 3), ("d", False, 4),
    ]  # fmt: skip


def test_aliases() -> None:
    tree = read("a: &x 1\nb: *x\nc: &x [2]\nd: *x\n---\ne: *x\n")
    first, second = tree.documents
    assert outline(first) == [("a", 1), ("b", 1), ("c", [2]), ("d", [2])]
    assert outline(second) == [("e", ...)]
    assert complaints(tree) == [("*x", "No anchor of this name stands before this alias.")]
    inside = read("a: &x [*x]\nb: *x\n")
    assert outline(inside.documents[0]) == [("a", [...]), ("b", [...])]
    assert complaints(inside) == [("*x", "This alias stands inside what it refers to.")]


FAULTY = [
    ("a:\n\tb: 1\nc: 2\n", [("a", None), ("c", 2)], "\t", "A tab cannot indent YAML; use spaces."),
    ('a: "x\nb: 1\n', [("b", 1)], '"x', "This string has no closing quote."),
    ("a: 1\nb: {x: 1\nc: 2\nd: 3\n", [("a", 1), ("c", 2), ("d", 3)], "{", "This bracket is not closed, or a comma is missing inside."),
    ("a:\n   b: 1\n  c: 2\nd: 3\n", [("a", [("b", 1)]), ("d", 3)], "c", "This does not fit the lines above it; look at the indentation."),
    ("a: 1\n- b\nc: 2\n", [("a", 1), ("c", 2)], "-", "This does not fit the lines above it; look at the indentation."),
    ("a: b: c\nd: 1\n", [("d", 1)], ":", "A colon with a value is not allowed here."),
    ("a: 1\nfoo\nc: 3\n", [("a", 1), ("c", 3)], "f", "Expected a colon after this key."),
    ("a: @x\nb: 1\n", [("b", 1)], "@", "A value cannot begin with @ unless it is in quotes."),
    ("[1,, 2]", [1], ",", "Expected a value here."),
    ("a: 1\nb: \x07\n", [("a", 1), ("b", "\x07")], "\x07", "YAML does not allow this character."),
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "!!int x",
        "!other 1",
        "!!timestamp 2001-01-01",
        "!<tag:example.com,2000:x> a",
        "!other [1]",
        "!!set {a}",
        "!!seq {a: 1}",
        "!!map [a]",
        "!x",
        "!x &a {b: !y c}",
    ],
)
@pytest.mark.parametrize("pure", [True, False])
def test_a_tag_that_is_not_of_the_core_schema_makes_a_value_unknown(text: str, pure: bool) -> None:
    (root,) = read(f"- {text}\n- {text.replace('&a ', '')}\n- 1", pure=pure).documents
    assert root is not None
    assert [node.kind for node in root.value] == ["unknown", "unknown", "number"]
    one, other, _ = to_value(root)
    assert isinstance(one, Unknown)
    assert one == other
    assert one != Unknown(("something else",))


def test_a_merge_of_something_unknown_makes_an_object_unknown() -> None:
    (root,) = read(
        "a: {<<: !x y, b: 1}\nc: {<<: [{d: 1}, !x y]}\ne: {'<<': !x y}\nf: &f {<<: !x y}\ng: {<<: *f}"
    ).documents
    assert root is not None
    value = to_value(root)
    assert [type(item) for item in value.values()] == [Unknown, Unknown, dict, Unknown, Unknown]


@pytest.mark.parametrize("pure", [False, True], ids=["libyaml", "pure"])
@pytest.mark.parametrize(("text", "value", "token", "message"), FAULTY, ids=[ascii(case[0]) for case in FAULTY])
def test_faults_are_explained_and_the_rest_is_read(
    text: str, value: object, token: str, message: str, pure: bool
) -> None:
    tree = read(text, pure=pure)
    assert outline(tree.documents[0]) == value
    assert complaints(tree)[0] == (token, message)
    check_spans(tree)


def test_only_three_faults_are_reported() -> None:
    assert len(read("a: b: c\n" * 20).problems) == 3


def test_too_deep_a_text_is_one_problem() -> None:
    for text in ("[" * 100_000, "- " * 100_000, "? " * 100_000, "[" * 600 + "]" * 600):
        tree = read(text)
        assert [message for _, message in complaints(tree)] == ["These collections are nested too deeply."]
    assert read("[" * (MAX_DEPTH - 100) + "]" * (MAX_DEPTH - 100)).problems == ()


def test_hostile_texts_take_little_time() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
    texts = [
        bomb,
        "{{ if .x }}\n- a: {{ .b }}\n{{ end }}\n" * 500,
        "'" * 100_000,
        "&a " * 10_000,
        "\0" * 100_000,
        "a: b: " * 10_000,
    ]
    started = time.process_time()
    for text in texts:
        read(text)
    assert time.process_time() - started < 3


def test_libyaml_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    with_libyaml = describe(read(SAMPLE))
    monkeypatch.setattr("draftlift.syntax.yaml_reader._libyaml_parser", lambda: None)
    assert describe(read(SAMPLE)) == with_libyaml


def test_the_collector_runs_again_afterwards() -> None:
    read("[1")
    assert gc.isenabled()


YAML_LIKE = st.lists(
    st.sampled_from(
        [*"{}[],:?-#&*!|>'\"%@`\n \t\\a1~", ": ", "- ", "? ", "\n  ", "&a ", "*a", "!!str ", "|+\n", "---\n", "...\n", "\r\n", "<<: ",
         "\u2028", "\u0085", "\ufeff", "\ud800", "\0", "🚀"]
    ),
    max_size=15,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(YAML_LIKE, st.booleans())
@example("%YAML 1.3\n---\na: 1\n", True)
@example("? \n:\ufeff\\:\n", False)
@example("\r!!str \n- !t &a {", True)
def test_never_raises(text: str, pure: bool) -> None:
    check_spans(read(text, pure=pure))


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters()))
def test_never_raises_on_any_text(text: str) -> None:
    check_spans(read(text))


def test_every_prefix_of_a_sample() -> None:
    for at in range(0, len(SAMPLE), 2):
        check_spans(read(SAMPLE[:at]))


# Writers err about some words: ruamel.yaml leaves ":x" plain in flow collections, and PyYAML, which knows YAML 1.1, "1e3".
WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn"], exclude_characters="\u2028\u2029\ufeff"), max_size=8
).filter(lambda word: not word.startswith(tuple(":?-+.0123456789")))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


def ruamel_load(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def ruamel_dump(value: Any, flow: bool) -> str:
    dumper = YAML(typ="safe", pure=True)
    dumper.default_flow_style = flow
    stream = io.StringIO()
    dumper.dump(value, stream)
    return stream.getvalue()


def pyyaml_dump(value: Any, flow: bool) -> str:
    return yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True)


def json_dump(value: Any, flow: bool) -> str:
    return json.dumps(value, ensure_ascii=flow, indent=2)


@settings(max_examples=120, deadline=None)
@given(
    VALUES,
    st.booleans(),
    st.sampled_from([(ruamel_dump, ruamel_load), (pyyaml_dump, ruamel_load), (json_dump, json.loads)]),
)
@example(["🚀"], True, (json_dump, json.loads))
def test_dumped_values_come_back(value: Any, flow: bool, dump_and_load: Any) -> None:
    dump, load = dump_and_load
    text = dump(value, flow)
    tree = read(text)
    check_spans(tree)
    assert tree.problems == ()
    assert describe(read(text, pure=True)) == describe(tree)
    root = tree.documents[0]
    assert repr(to_value(root) if root else None) == repr(load(text))


@pytest.mark.parametrize(
    "text",
    [
        "a:\tx\n",
        "a: x\t# c\n",
        "a: [1,\t2]\n",
        'a: "x\ty"\nb:\t2\n',
        "a: x\t\n",
        "a:\t\n  b: 1\n",
        "-\ta: 1\n",
        "a:\n\tb: 1\n",
    ],
)
def test_tabs_mean_the_same_to_both_parsers(text: str) -> None:
    assert describe(read(text)) == describe(read(text, pure=True))
