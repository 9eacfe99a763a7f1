from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from draftlift.text import Edit, LineIndex, apply_edits

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
