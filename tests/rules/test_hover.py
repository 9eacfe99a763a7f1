"""Hovers show what a user wrote, and none of it means anything to whoever renders Markdown."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from draftlift import explain
from draftlift.analysis import Analysis, analyse
from draftlift.syntax.tree import Language

D7 = "http://json-schema.org/draft-07/schema#"


def shown(analysis: Analysis, at: str) -> str:
    hover = explain.hover(analysis, analysis.tree.text.index(at))
    assert hover is not None
    return hover.markdown(None)


def markdown(text: str, language: Language, at: str) -> str:
    return shown(analyse(text, language), at)


def outside_code(text: str) -> str:
    """What is left of a text without code, by CommonMark's rules for fences and spans of backticks."""
    text = re.sub(r"^(`{3,})[a-z]*\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", text)


@pytest.mark.parametrize("ticks", [1, 2, 3, 4, 7])
def test_backticks_in_what_is_shown(ticks: int) -> None:
    evil = "`" * ticks + " ![x](http://evil.example/x.png) " + "`" * ticks
    yaml = (
        f"name: a\ninputSchema:\n  $schema: {D7}\n  properties:\n    p:\n      description: |\n"
        f"        See\n        {'`' * ticks}\n        ![x](http://evil.example/x.png)\n        {'`' * ticks}\n"
        "      items: [{}]\n"
    )
    found = markdown(yaml, "yaml", "items")
    assert "evil.example" in found
    assert "evil.example" not in outside_code(found)
    for name in (evil, evil.strip(), f"`{evil}", "`" * ticks, f"a\n{evil}", " ", f"x{evil}"):
        schema = {"$schema": D7, "properties": {name: {"items": [{}]}, "q": {"definitions": {name: {}}}}}
        found = markdown(json.dumps({"name": "a", "inputSchema": schema}), "json", D7)
        assert "becomes `prefixItems`" in found
        assert "evil.example" not in outside_code(found)


def test_names_in_the_list_of_refused_places() -> None:
    name = "`![x](http://evil.example/x.png)"
    schema = {"$schema": D7, "properties": {name: {"$ref": "#/definitions/a", "minimum": 1}}, "definitions": {"a": {}}}
    found = markdown(json.dumps({"name": "a", "inputSchema": schema}), "json", D7)
    assert "**Not translated**" in found
    assert "evil.example" in found
    assert "evil.example" not in outside_code(found)


@pytest.mark.parametrize(
    ("message", "safe"),
    [
        ("`a` is [b](c) and <d>", "`a` is \\[b\\](c) and \\<d\\>"),
        ("``[a]` [b]`` ![c](d)", "``[a]` [b]`` !\\[c\\](d)"),
        ("` [a]", "` \\[a\\]"),
    ],
)
def test_sentences_that_quote(message: str, safe: str) -> None:
    assert explain._prose(message) == safe


@pytest.mark.parametrize("size", [10, 2_000])
def test_a_hover_stays_small(size: int) -> None:
    properties = {f"p{i}": {"items": [{}], "additionalItems": False} for i in range(size)}
    dependencies = {f"p{i}": ["p0"] if i % 2 else {} for i in range(size)}
    schema: dict[str, Any] = {"$schema": D7, "properties": properties, "dependencies": dependencies}
    text = json.dumps({"name": "a", "inputSchema": schema})
    analysis = analyse(text, "json")
    assert re.search(r"^- and [0-9]+ more$", shown(analysis, D7), re.MULTILINE)
    for at in (D7, '"properties"', '"dependencies"', '"additionalItems"'):
        assert len(shown(analysis, at)) < 10_000
