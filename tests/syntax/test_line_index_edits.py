"""A line index that follows an edit is the index of the new text; columns are right in long lines too."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftlift.text import Edit, Encoding, LineIndex, apply_edits

TEXTS = st.text(alphabet="ab\n\r😀\u2028", max_size=30)


@given(TEXTS, TEXTS, st.integers(0, 30), st.integers(0, 30))
def test_an_edited_index_is_a_new_one(text: str, new_text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    edit = Edit(start, end, new_text)
    after = apply_edits(text, [edit])
    edited, new = LineIndex(text).edited(edit, after), LineIndex(after)
    assert [edited.line_start(line) for line in range(edited.line_count)] == [
        new.line_start(line) for line in range(new.line_count)
    ]
    for offset in range(len(after) + 1):
        assert edited.position(offset, "utf-16") == new.position(offset, "utf-16")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("seed", range(4))
def test_columns_of_a_long_line(seed: int, encoding: Encoding) -> None:
    chars = random.Random(seed).choices(["a", "é", "😀", "\ud800", "漢"], k=3000 + 400 * seed)
    text = "x\n" + "".join(chars)
    index = LineIndex(text)
    width = {"a": (1, 1), "é": (2, 1), "😀": (4, 2), "\ud800": (3, 1), "漢": (3, 1)}
    column = 0
    for at, char in enumerate(chars):
        assert index.position(at + 2, encoding) == (1, column)
        assert index.offset(1, column, encoding) == at + 2
        column += width[char][encoding == "utf-16"]
    assert index.position(len(text), encoding) == (1, column)
    assert index.offset(1, column, encoding) == len(text) == index.offset(1, column + 5, encoding)
