from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftlift.text import Edit, Encoding, LineIndex, Position, apply_edits, line_start, newline_of

TEXT = "a🚀é\r\nb\rc\n\n\u2028d"
ENCODINGS: list[Encoding] = ["utf-8", "utf-16", "utf-32"]


def test_lines_end_where_lsp_says() -> None:
    index = LineIndex(TEXT)
    assert index.line_count == 5
    assert [TEXT[index.line_start(line) : index.line_end(line)] for line in range(5)] == [
        "a🚀é",
        "b",
        "c",
        "",
        "\u2028d",
    ]
    assert [index.line_of(offset) for offset in range(len(TEXT) + 1)] == [0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 4]


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [("utf-8", [0, 1, 5, 7, 8]), ("utf-16", [0, 1, 3, 4, 5]), ("utf-32", [0, 1, 2, 3, 4])],
)
def test_columns_count_the_units_of_the_encoding(encoding: Encoding, columns: list[int]) -> None:
    index = LineIndex(TEXT)
    assert [index.position(offset, encoding) for offset in range(5)] == [Position(0, column) for column in columns]
    assert [index.offset(0, column, encoding) for column in columns[:4]] == [0, 1, 2, 3]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_is_out_of_range_is_clamped(encoding: Encoding) -> None:
    index = LineIndex(TEXT)
    assert index.offset(0, 99, encoding) == 3
    assert index.offset(1, 99, encoding) == 6
    assert index.offset(99, 0, encoding) == len(TEXT)
    assert index.offset(-1, 5, encoding) == 0
    assert index.offset(0, -1, encoding) == 0
    assert index.position(-5, encoding) == Position(0, 0)
    assert index.position(999, encoding) == index.position(len(TEXT), encoding)


def test_a_column_inside_a_character_means_its_start() -> None:
    assert LineIndex(TEXT).offset(0, 2, "utf-16") == 1
    assert [LineIndex(TEXT).offset(0, column, "utf-8") for column in (2, 3, 4, 6)] == [1, 1, 1, 2]


@given(st.text(st.sampled_from("a🚀é\r\n\ud800\u2028")), st.sampled_from(ENCODINGS))
def test_positions_lead_back_to_their_offsets(text: str, encoding: Encoding) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        position = index.position(offset, encoding)
        back = index.offset(*position, encoding)
        inside_crlf = text[offset - 1 : offset + 1] == "\r\n"
        assert back == (offset - 1 if inside_crlf else offset)


@pytest.mark.parametrize(("text", "newline"), [("a\r\nb\n", "\r\n"), ("a\rb", "\r"), ("a\n", "\n"), ("a", "\n")])
def test_newline_of(text: str, newline: str) -> None:
    assert newline_of(text) == newline


def test_edits_refer_to_the_text_before_them() -> None:
    edits = [Edit(4, 6, ""), Edit(0, 1, "A"), Edit(2, 2, "1"), Edit(2, 2, "2")]
    assert apply_edits("abcdef", edits) == "Ab12cd"


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(0, 3, ""), Edit(2, 4, "")],
        [Edit(1, 3, ""), Edit(2, 2, "x")],
        [Edit(5, 9, "")],
        [Edit(2, 1, "")],
        [Edit(-1, 1, "")],
    ],
)
def test_edits_that_overlap_or_miss_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="edit at"):
        apply_edits("abcdef", edits)


def test_the_start_of_a_line() -> None:
    text = "ab\ncd\r\nef\rgh\n\n"
    starts = [line_start(text, offset) for offset in range(len(text) + 1)]
    assert starts == [0, 0, 0, 3, 3, 3, 6, 7, 7, 7, 10, 10, 10, 13, 14]


def test_the_start_of_a_line_is_not_looked_for_before_the_floor() -> None:
    text = "ab\ncd\ref"
    assert [line_start(text, len(text), floor) for floor in range(len(text) + 1)] == [6, 6, 6, 6, 6, 6, 6, 7, 8]
    assert line_start(text, 5, 4) == 4
