"""Schemas of draft-07 that no validator judges in any reasonable time, by the author's own patterns, sizes or recursion."""

from __future__ import annotations

from typing import Any

from draftlift.schema.dialects import DRAFT_07

Schema = dict[str, Any]


def _pattern(pattern: str, value: str) -> Schema:
    return {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern, "examples": [value]}}}


def _union(depth: int) -> Schema:
    value: Any = {"leaf": "no number"}
    for _ in range(depth):
        value = {"child": value}
    node = {"type": "object", "properties": {"child": {"$ref": "#/definitions/node"}, "leaf": {"type": "number"}}}
    union = {"anyOf": [node, {**node, "minProperties": 1}, {**node, "maxProperties": 9}], "examples": [value]}
    return {"type": "object", "properties": {"a": {"$ref": "#/definitions/node"}}, "definitions": {"node": union}}


SLOW: dict[str, Schema] = {
    name: {"$schema": DRAFT_07.uri, **schema}
    for name, schema in {
        "repeated repetition": _pattern("^(a+)+$", "a" * 40 + "!"),
        "repeated class": _pattern("^([a-z]+)+[0-9]$", "b" * 40),
        "same branches": _pattern("^(a|a)*$", "a" * 60 + "!"),
        "branches that overlap": _pattern("^(a|aa)+$", "a" * 80 + "!"),
        "two of a kind": _pattern("^(x+x+)+y$", "x" * 60),
        "words": _pattern(r"^(\w+\s?)*$", "some words that lead nowhere at all, as it seems" * 2 + "!"),
        "host name": _pattern(r"^([a-z0-9]+(-?[a-z0-9]+)*\.)+[a-z]{2,}$", "3f2504e04f8911d39a0c0305e82c3301" * 2),
        "path": _pattern(r"^(/?[\w-]*)*\.json$", "/home/somebody/projects/tools/schemas/of/last/year" * 2),
        "made by ourselves": {"type": "object", "properties": {"a": {"minLength": 90, "pattern": "^(aa?)+$b"}}},
        "name of a property": {
            "type": "object",
            "patternProperties": {"^(a+)+$": {"type": "null"}},
            "examples": [{"a" * 40 + "!": 1}],
        },
        "deep recursive union": _union(40),
        "unique items": {
            "type": "object",
            "properties": {"a": {"uniqueItems": True, "default": [{"a": i} for i in range(3000)]}},
        },
        "many properties": {"type": "object", "properties": {f"p{i}": {"items": [{}]} for i in range(20_000)}},
    }.items()
}
