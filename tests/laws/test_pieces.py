"""Following edits gives what a new analysis would, after any sequence of edits."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
import yaml

from draftlift.analysis import Finding, Settings, analyse
from draftlift.pieces import Pieces
from draftlift.syntax.tree import Language

SEQUENCES = int(os.environ.get("DRAFTLIFT_SEQUENCES", "60"))
PIECES = [
    *'"{}[]:,\n\t#x1',
    "- ",
    "null",
    "😀",
    "\r\n",
    '"a": 1, ',
    "\n      a: b",
    "true",
    "  ",
    '"$schema"',
    "//",
    "/*",
    "'",
    "|\n",
]


UNUSUAL: list[Any] = [None, {}, {"type": "object", "required": True}]


def tool(index: int, rng: random.Random) -> dict[str, Any]:
    old = {"$schema": "http://json-schema.org/draft-07/schema#"} if rng.random() < 0.7 else {}
    pair = {"pair": {"type": "array", "items": [{"type": "number"}, {}], "additionalItems": False}}
    schema = {**old, "type": "object", "properties": {"name": {"type": "string", "description": "läng 😀 e"}, **pair}}
    found: dict[str, Any] = {"name": f"tool{index}", "description": "What it does", "inputSchema": schema}
    if rng.random() < 0.2:
        found["inputSchema"] = rng.choice(UNUSUAL)
    if rng.random() < 0.1:
        del found["inputSchema"]
    return found


def document(rng: random.Random) -> tuple[str, Language]:
    tools: Any = [tool(index, rng) for index in range(rng.randint(1, 5))]
    whole = rng.choice(
        [tools, {"tools": tools}, {"tools": tools, "nextCursor": "x"}, {"result": {"tools": tools}, "jsonrpc": "2.0"}]
    )
    kind = rng.randrange(5)
    if kind == 0:
        return json.dumps(whole), "json"
    if kind == 1:
        return json.dumps(whole, indent=2, ensure_ascii=False) + "\n", "json"
    if kind == 2:
        return json.dumps(whole, indent="\t").replace("\n", "\r\n"), "json"
    return yaml.safe_dump(
        json.loads(json.dumps(whole)), sort_keys=False, allow_unicode=True, indent=rng.choice([2, 4])
    ), "yaml"


def told(findings: tuple[Finding, ...]) -> list[Any]:
    return sorted(
        (f.span, f.rule, f.severity, f.message, f.tool, f.document, f.pointer, f.token, f.tags, f.related,
         tuple((fix.title, fix.edits, fix.preferred, fix.safe, fix.asks_first) for fix in f.fixes))
        for f in findings
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_the_pieces_say_what_the_whole_says(seed: int) -> None:
    rng = random.Random(seed)
    text, language = document(rng)
    settings = Settings()
    pieces = Pieces.of(analyse(text, language, settings), settings)
    for _ in range(12):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 0, 0, 1, 1, 3, 12]))
        new_text = rng.choice(PIECES) if rng.random() < 0.7 else ""
        text = text[:start] + new_text + text[end:]
        whole = analyse(text, language, settings)
        after = pieces.edited(start, end, new_text)
        if after is not None:
            assert told(after.findings()) == told(whole.findings)
        pieces = after if after is not None else Pieces.of(whole, settings)


@pytest.mark.parametrize("language", ["json", "yaml"])
def test_a_keystroke_inside_a_tool_is_followed(language: Language) -> None:
    tools = [{"name": f"t{i}", "description": "What it does", "inputSchema": {"type": "object"}} for i in range(3)]
    text = json.dumps({"tools": tools}, indent=1) if language == "json" else yaml.safe_dump({"tools": tools})
    pieces = Pieces.of(analyse(text, language), Settings())
    at = text.index("it does", text.index("it does") + 1)
    after = pieces.edited(at, at, "x")
    assert after is not None
    assert after.edited(at + 1, at + 1, "y") is not None
    assert after.edited(2, 2, " ") is None  # outside of every tool
    assert after.piece_at(at).analysis is not pieces.base
    assert after.piece_at(3).analysis is pieces.base


@pytest.mark.parametrize("language", ["json", "yaml"])
@pytest.mark.parametrize("typed", ["{", "}", "[", '"', "\t", "}}}}", "\n  x", "'"])
def test_an_item_that_breaks_costs_itself_only(language: Language, typed: str) -> None:
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
    tools = [{"name": f"t{i}", "inputSchema": {**old}, "description": "What it does"} for i in range(5)]
    text = (
        json.dumps({"tools": tools}, indent=1)
        if language == "json"
        else yaml.safe_dump({"tools": tools}, sort_keys=False)
    )
    pieces = Pieces.of(analyse(text, language), Settings())
    at = text.index("object", text.index("t2"))
    after = pieces.edited(at, at, typed) or pieces.broken(at, at, typed)
    assert after is not None
    told_of = [finding.tool for finding in after.findings() if finding.rule == "legacy-dialect"]
    assert [tool for tool in told_of if tool != "t2"] == ["t0", "t1", "t3", "t4"]
    repaired = after.edited(at, at + len(typed), "")
    assert repaired is not None
    assert told(repaired.findings()) == told(pieces.findings())
