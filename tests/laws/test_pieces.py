"""Following edits gives what a new analysis would, after any sequence of edits."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
import yaml

from draftlift import pieces as module
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


def tool(index: int, rng: random.Random) -> dict[str, Any]:
    old = {"$schema": "http://json-schema.org/draft-07/schema#"} if rng.random() < 0.7 else {}
    pair = {"pair": {"type": "array", "items": [{"type": "number"}, {}], "additionalItems": False}}
    schema = {**old, "type": "object", "properties": {"name": {"type": "string", "description": "läng 😀 e"}, **pair}}
    found = {"name": f"tool{index}", "description": "What it does", "inputSchema": schema}
    if rng.random() < 0.2:
        found["inputSchema"] = rng.choice([None, {}, {"type": "object", "required": True}])
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
def test_the_pieces_say_what_the_whole_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SMALL", 0)
    rng = random.Random(seed)
    text, language = document(rng)
    settings = Settings()
    pieces = Pieces.of(analyse(text, language, settings), settings)
    followed = 0
    for _ in range(12):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 0, 0, 1, 1, 3, 12]))
        new_text = rng.choice(PIECES) if rng.random() < 0.7 else ""
        text = text[:start] + new_text + text[end:]
        whole = analyse(text, language, settings)
        after = pieces.edited(start, end, new_text)
        if after is not None:
            followed += 1
            assert told(after.findings()) == told(whole.findings)
        pieces = after if after is not None else Pieces.of(whole, settings)
    COUNTS.append(followed)


COUNTS: list[int] = []


def test_edits_inside_tools_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SMALL", 0)
    for seed in range(20):
        rng = random.Random(seed)
        text, language = document(rng)
        if "What it does" not in text:
            continue
        pieces = Pieces.of(analyse(text, language), Settings())
        at = (
            text.index("it does", text.index("inputSchema") if text.count("What it does") > 1 else 0)
            if "it does" in text[text.index("inputSchema") :]
            else text.index("it does")
        )
        holder = [schema for schema in pieces.base.schemas if schema.site.node is not None]
        inside = any(schema.site.holder.start < at < schema.site.holder.end for schema in holder)
        after = pieces.edited(at, at, "x")
        assert (after is not None) == inside or language == "yaml"
