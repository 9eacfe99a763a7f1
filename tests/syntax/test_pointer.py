"""JSON Pointers in both forms."""

from __future__ import annotations

import pytest

from draftlift.syntax.pointer import decoded, index_of, to_fragment, to_text, tokens_of

# RFC 6901, sections 5 and 6: tokens, plain form, fragment
EXAMPLES = [
    ((), "", ""),
    (("foo",), "/foo", "/foo"),
    (("foo", "0"), "/foo/0", "/foo/0"),
    (("",), "/", "/"),
    (("a/b",), "/a~1b", "/a~1b"),
    (("c%d",), "/c%d", "/c%25d"),
    (("e^f",), "/e^f", "/e%5Ef"),
    (("g|h",), "/g|h", "/g%7Ch"),
    (("i\\j",), "/i\\j", "/i%5Cj"),
    (('k"l',), '/k"l', "/k%22l"),
    ((" ",), "/ ", "/%20"),
    (("m~n",), "/m~0n", "/m~0n"),
    (("~1",), "/~01", "/~01"),
    (("é", "$defs"), "/é/$defs", "/%C3%A9/$defs"),
]


@pytest.mark.parametrize(("tokens", "text", "fragment"), EXAMPLES)
def test_both_forms_both_ways(tokens: tuple[str, ...], text: str, fragment: str) -> None:
    assert to_text(tokens) == text
    assert to_fragment(tokens) == fragment
    assert tokens_of(text) == tokens
    assert tokens_of(decoded(fragment)) == tokens


def test_what_is_no_pointer() -> None:
    assert tokens_of("name") is None
    assert tokens_of("0/a") is None


@pytest.mark.parametrize(
    ("token", "index"),
    [
        *(("0", 0), ("10", 10), ("9" * 18, 10**18 - 1)),
        *((token, None) for token in ("00", "01", "-1", "+1", "1.0", "", " 1", "1_0", "٣", "²", "9" * 19, "1" * 5000)),
    ],
)
def test_indices(token: str, index: int | None) -> None:
    assert index_of(token) == index


def test_a_half_of_a_surrogate_pair_is_no_reason_to_fail() -> None:
    assert to_fragment(("\ud800",)) == "/%ED%A0%80"
