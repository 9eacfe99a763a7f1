"""How edited texts look: looks.md holds texts, and what a careful author would have made of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from draftlift.analysis import analyse
from draftlift.text import apply_edits

CASES = re.findall(
    r"^## ([^\n]+)\n```(\w+)\n(.*?)```\n```\w+ after\n(.*?)```$",
    Path(__file__).with_name("looks.md").read_text("utf-8"),
    re.DOTALL | re.MULTILINE,
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("language", "text", "after"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_looks(language: str, text: str, after: str, newline: str) -> None:
    analysis = analyse(text.replace("\n", newline), "yaml" if language == "yaml" else "json")
    edits = analysis.fix_all()
    if not edits:  # nothing to translate: the first fix of each finding
        edits = tuple(edit for fixes in analysis.fixes(analysis.findings) if fixes for edit in fixes[0].edits)
    assert apply_edits(analysis.tree.text, edits) == after.replace("\n", newline)


def test_every_case_is_read() -> None:
    assert len(CASES) == Path(__file__).with_name("looks.md").read_text("utf-8").count("\n## ")
