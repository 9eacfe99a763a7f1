"""What a rule costs grows with the schema and no faster: counted in lines of the rules that run, so that no clock decides."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from draftlift import rules
from draftlift.analysis import analyse
from draftlift.schema.dialects import DRAFT_04, DRAFT_07
from draftlift.syntax.tree import Language

RULES = rules.__file__.removesuffix("__init__.py")


def tool(**schema: Any) -> str:
    return json.dumps({"name": "a", "inputSchema": {"type": "object", **schema}})


def each(n: int, make: Callable[[int], Any]) -> dict[str, Any]:
    return {f"p{index}": make(index) for index in range(n)}


TEXTS: dict[str, tuple[Language, Callable[[int], str]]] = {
    "definitions": (
        "json",
        lambda n: tool(
            properties=each(n, lambda i: {"definitions": {"a": {}}, "$ref": f"#/properties/p{i}/definitions/a"})
        ),
    ),
    "definitions at the root": (
        "json",
        lambda n: tool(definitions=each(n, lambda i: {"$ref": f"#/definitions/p{n - 1 - i}"})),
    ),
    "mapping": (
        "json",
        lambda n: tool(
            definitions=each(n, lambda _: {}),
            oneOf=[{"discriminator": {"mapping": each(n, lambda i: f"#/definitions/p{i}")}}],
        ),
    ),
    "old constructs": (
        "json",
        lambda n: tool(properties=each(n, lambda _: {"items": [{}], "additionalItems": False, "dependencies": {}})),
    ),
    "no draft for them": (
        "json",
        lambda n: tool(properties=each(n, lambda _: {"exclusiveMinimum": True, "$recursiveAnchor": True})),
    ),
    "ignored beside $ref": (
        "json",
        lambda n: tool(**{"$schema": DRAFT_07.uri}, properties=each(n, lambda _: {"$ref": "#", "minLength": 1})),
    ),
    "inert": (
        "json",
        lambda n: tool(**{"$schema": DRAFT_04.uri}, properties=each(n, lambda _: {"const": 1})),
    ),
    "invalid": ("json", lambda n: tool(properties=each(n, lambda _: {"type": ["x", None], "title": None, "enum": 1}))),
    "dangling": ("json", lambda n: tool(properties=each(n, lambda i: {"$ref": f"#/definitions/p{i}"}))),
    "properties at the root": (
        "json",
        lambda n: json.dumps({"name": "a", "inputSchema": each(n, lambda _: {"title": None})}),
    ),
    "titled choices": (
        "json",
        lambda n: json.dumps(
            {
                "message": "m",
                "requestedSchema": {
                    "type": "object",
                    "properties": each(n, lambda _: {"enum": ["a"], "enumNames": ["b"]}),
                },
            }
        ),
    ),
    "keys given twice": ("json", lambda n: '{"name": "a", "inputSchema": {' + '"type": "object", ' * n + '"a": 1}}'),
    "tools": (
        "json",
        lambda n: json.dumps({"tools": [{"name": f"t{i}", "inputSchema": None} for i in range(n)]}),
    ),
    "shared anchors": (
        "yaml",
        lambda n: (
            f"name: a\ninputSchema:\n  $schema: {DRAFT_07.uri}\n  properties:\n"
            + "".join(f"    p{i}: &s{i} {{items: [{{}}]}}\n    q{i}: {{default: *s{i}}}\n" for i in range(n))
        ),
    ),
    "unknown values": ("yaml", lambda n: "name: a\ninputSchema:\n  properties:\n" + "    ? a\n    : !x y\n" * n),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_twice_the_schema_costs_twice_the_work(kind: str) -> None:
    language, text = TEXTS[kind]
    one, two = (lines_run(text(n), language) for n in (60, 120))
    assert two < 2.5 * one, f"{one} lines of the rules for 60, {two} for 120"


def lines_run(text: str, language: Language) -> int:
    """How many lines of the rules are run to look at a text."""
    count = 0

    def local(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line"
        return local

    def trace(frame: FrameType, event: str, _: object) -> Any:
        return local if frame.f_code.co_filename.startswith(RULES) else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        analyse(text, language)
    finally:
        sys.settrace(before)
    return count
