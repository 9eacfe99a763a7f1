from __future__ import annotations

import gc
import json
import math
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftlift.syntax.json_reader import read
from draftlift.syntax.tree import to_value
from syntax.trees import check_spans, complaints, describe, outline

SAMPLE = r"""{
  // a comment
  "tools": [{"name": "a\"b\\\u00e9\ud83d\ude80", "n": [0, -1.5e3, true, false, null], "e": {}, "l": [],},],
  /* and */ "x": "🚀"
}
"""

HALF_TYPED = [
    ('{"a": }', [("a", ...)], [('"a":', "Expected a value after the colon.")]),
    ('{"a": , "b": 2}', [("a", ...), ("b", 2)], [('"a":', "Expected a value after the colon.")]),
    ('{"a":\n "b": 2}', [("a", ...), ("b", 2)], [('"a":', "Expected a value after the colon.")]),
    (
        '{"a"',
        [("a", ...)],
        [("{", "This bracket is not closed."), ('"a"', "Expected a colon and a value after the member name.")],
    ),
    ('{"a" 1, "b": 2}', [("a", 1), ("b", 2)], [('"a"', "Expected a colon after the member name.")]),
    ('{"a":: 1}', [("a", 1)], [(":", "Expected a value here.")]),
    ('{"a": 1 "b": 2}', [("a", 1), ("b", 2)], [('"', "Expected a comma before the next member.")]),
    ('{"a": 1, foo\n "b": 2}', [("a", 1), ("foo", ...), ("b", 2)], [("foo", "Expected a colon and a value after the member name.")]),
    ("{'a': 1, b: 2}", [("a", 1), ("b", 2)], [("'a'", "A member name takes double quotes."), ("b", "A member name takes double quotes.")]),
    ('{ {"a": 1}, "b": 2}', [("b", 2)], [("{", "Expected a member name in double quotes.")]),
    ('{"a": tru}', [("a", ...)], [("tru", "Expected a value here; a string takes double quotes.")]),
    ('{"a": "x\n, "b": 2}', [("a", "x"), ("b", 2)], [('"x', "This string has no closing quote on its line.")]),
    ('{"a": "x\\', [("a", "x")], [("{", "This bracket is not closed."), ('"x\\', "This string has no closing quote on its line."), ("\\", "JSON has no such escape.")]),
    ('{"a": [1,}, "b": 2}', [("a", [1]), ("b", 2)], [("}", "Expected ] here.")]),
    ('{"a": {"b": [1}, "c": 2}', [("a", [("b", [1])]), ("c", 2)], [("[", "This bracket is not closed.")]),
    ('{"a": [1}', [("a", [1])], [("[", "This bracket is not closed.")]),
    ('{"a": {"b": 1}}, "c": 2}', [("a", [("b", 1)]), ("c", 2)], [("}", "There is no open bracket for this one to close.")]),
    ("[1, 2", [1, 2], [("[", "This bracket is not closed.")]),
    ("[1 2]", [1, 2], [("2", "Expected a comma before the next item.")]),
    ("[1,, 2]", [1, 2], [(",", "Expected a value before the comma.")]),
    ("[,]", [], [(",", "Expected a value before the comma.")]),
    ('["a": 1]', ["a", 1], [(":", "Expected a comma before the next item.")]),
    ("['a']", ["a"], [("'a'", "A string takes double quotes.")]),
    ("[01, 1., -]", [..., ..., ...], [("01", "This is no JSON number."), ("1.", "This is no JSON number."), ("-", "This is no JSON number.")]),
    ("[NaN, -Infinity]", [..., ...], [("NaN", "JSON has no NaN and no Infinity."), ("-Infinity", "JSON has no NaN and no Infinity.")]),
    (r'["\x\u12"]', ["xu12"], [(r"\x", "JSON has no such escape."), (r"\u", "JSON has no such escape.")]),
    ('["a\tb"]', ["a\tb"], [("\t", "A control character in a string must be escaped.")]),
    ("[1]\n[2] x\n", [1], [("[2] x", "Expected nothing more after the root value.")]),
    ('} {"a": 1}', [("a", 1)], [("}", "Expected a value here.")]),
    ("[1] /* x", [1], [("/*", "This comment is not closed.")]),
    ("tru", ..., [("tru", "Expected a value here; a string takes double quotes.")]),
    ("[1e99999999999999999999]", [...], [("1e99999999999999999999", "This number is too large to be read.")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "problems"), HALF_TYPED, ids=[case[0] for case in HALF_TYPED])
def test_half_typed_text_keeps_what_is_known(text: str, value: object, problems: object) -> None:
    tree = read(text)
    assert outline(tree.documents[0]) == value
    assert complaints(tree) == problems
    check_spans(tree)


def test_spans() -> None:
    assert describe(read('\ufeff{"a": [1, "x"], "b\\n": {}} // c')) == [
        "document",
        "objectflow 1:1:27 2 &None key None -1:-1 False",
        "arrayflow 7:7:15 2 &None key 'a' 2:5 False",
        "number 8:8:9 1 &None key None -1:-1 False",
        "string\" 11:11:14 'x' &None key None -1:-1 False",
        "objectflow 24:24:26 0 &None key 'b\\n' 17:22 False",
    ]


@pytest.mark.parametrize("text", ["", "  \n", "\ufeff", "// x\n", "/* x */"])
def test_a_text_without_a_value_is_no_fault(text: str) -> None:
    tree = read(text)
    assert tree.documents == (None,)
    assert tree.problems == ()


def test_comments_and_trailing_commas_are_no_fault() -> None:
    tree = read(SAMPLE)
    assert tree.problems == ()
    root = tree.documents[0]
    assert root is not None
    assert to_value(root) == {
        "tools": [{"name": 'a"b\\é🚀', "n": [0, -1500.0, True, False, None], "e": {}, "l": []}],
        "x": "🚀",
    }


def test_duplicate_keys_are_kept_in_order() -> None:
    assert outline(read('{"a": 1, "b": 2, "a": 3}').documents[0]) == [("a", 1), ("b", 2), ("a", 3)]


@pytest.mark.parametrize(
    ("lexeme", "value"),
    [("1e400", Decimal("1e400")), ("-1" + "0" * 4000, Decimal("-1" + "0" * 4000)), ("1" + "0" * 3999, 10**3999)],
    ids=["float", "long", "longest int"],
)
def test_no_number_loses_digits(lexeme: str, value: object) -> None:
    root = read(lexeme).documents[0]
    assert root is not None
    assert root.value == value
    assert type(root.value) is type(value)


def strictly(text: str) -> Any:
    """What the standard library reads, without NaN, and with Decimal where it would say inf."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    def finite(lexeme: str) -> float | Decimal:
        return float(lexeme) if math.isfinite(float(lexeme)) else Decimal(lexeme)

    return json.loads(text, parse_constant=refuse, parse_float=finite)


def without_extensions(text: str) -> str:
    """The text without comments and trailing commas."""
    strings_and_comments = r'("(?:[^"\\]|\\.)*")|//[^\r\n]*|/\*[\s\S]*?\*/'
    text = re.sub(strings_and_comments, lambda match: match[1] or " ", text)
    return re.sub(
        r'("(?:[^"\\]|\\.)*")|(?<![\[{,:])([ \t\r\n]*),(?=[ \t\r\n]*[}\]])', lambda match: match[1] or " ", text
    )


def exact(value: Any) -> str:
    """A text that differs where values or their types do: 1, 1.0 and True are equal to Python."""
    return repr(value)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
JSON_LIKE = st.lists(
    st.sampled_from(
        [*'{}[],:"\\/*\n\t 1a-.', "//", "/*", "*/", '"a"', '"b":', "tru", "true", "1e5", "'", "\ud800", "\u2028", "\0", "é", "\r"]
    ),
    max_size=15,
).map("".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(JSON_VALUES, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_equals_the_standard_library(value: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    tree = read(text)
    assert tree.problems == ()
    root = tree.documents[0]
    assert root is not None
    assert exact(to_value(root)) == exact(json.loads(text))
    check_spans(tree)


@settings(max_examples=1500, deadline=None)
@given(JSON_LIKE)
def test_finds_a_problem_where_the_standard_library_does(text: str) -> None:
    tree = read(text)
    check_spans(tree)
    root = tree.documents[0]
    try:
        value = strictly(text)
    except ValueError:
        if not tree.problems and root is not None:
            assert exact(to_value(root)) == exact(strictly(without_extensions(text)))
    else:
        assert tree.problems == ()
        assert root is not None
        assert exact(to_value(root)) == exact(value)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters()))
def test_never_raises(text: str) -> None:
    check_spans(read(text))


def test_every_prefix_and_suffix_of_a_sample() -> None:
    for at in range(len(SAMPLE)):
        check_spans(read(SAMPLE[:at]))
        check_spans(read(SAMPLE[at:]))


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 100_000 + "]" * 100_000,
        "[" * 50_000 + "}" * 50_000,
        "[{" * 50_000 + "]" * 100_000,
        "[" + "," * 100_000,
        '"\\' * 100_000,
        '["a"' * 50_000,
        "/*" * 100_000,
        "[" + "1" * 100_000 + "x",
    ],
    ids=lambda text: text[:6],
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    tree = read(text)
    assert tree.documents[0] is not None or tree.problems


def test_the_collector_runs_again_afterwards() -> None:
    assert gc.isenabled()
    read("[1")
    assert gc.isenabled()
    gc.disable()
    try:
        read("[1]")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_floats_are_finite() -> None:
    root = read("[1e308, -1e308, 5e-324, 1e-400]").documents[0]
    assert root is not None
    assert all(math.isfinite(node.value) for node in root.value)
