"""What a translation costs: work is counted, not timed. Twice the schema must not cost much more than twice the work.

Work is counted in steps of the interpreter inside the package, so that a search through everything for each of many
places is seen, whatever it is that is many.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import draftlift
from draftlift.normalize import normalize
from draftlift.schema.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09

PACKAGE = str(Path(draftlift.__file__).parent)
N = 60


def steps(schema: dict[str, Any]) -> int:
    """How many steps of the interpreter ``normalize`` takes in both ways."""
    count = 0

    def local(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "opcode"
        return local

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return local

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for inert in ("refuse", "remove"):
            normalize(schema, inert=inert).schema  # noqa: B018
    finally:
        sys.settrace(before)
    return count


def named(one: Callable[[int], Any]) -> Callable[[int], dict[str, Any]]:
    return lambda n: {f"p{i}": one(i) for i in range(n)}


D4, D6, D7, D19 = (dialect.uri for dialect in (DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09))
ids = named(lambda i: {"$id": f"#1a{i}", "items": [{}]})
KINDS: dict[str, Callable[[int], dict[str, Any]]] = {
    "tuples": lambda n: {"$schema": D7, "properties": named(lambda i: {"items": [{}], "additionalItems": False})(n)},
    "names to change": lambda n: {"$schema": D7, "definitions": ids(n)},
    "names that become the same": lambda n: {
        "$schema": D7,
        "definitions": named(lambda i: {"$id": f"#a{chr(256 + i)}b"})(n),
    },
    "names in use": lambda n: {
        "$schema": D7,
        "definitions": ids(n),
        "properties": named(lambda i: {"$ref": f"#1a{i}"})(n),
    },
    "names sought in vain": lambda n: {
        "$schema": D7,
        "definitions": ids(n),
        "properties": named(lambda i: {"$ref": f"#x{i}"})(n),
    },
    "pointers as names": lambda n: {
        "$schema": D7,
        "properties": named(lambda i: {"$id": f"#/properties/p{i}"})(n),
        "not": named(lambda i: {"$ref": f"#/gone/{i}"})(n),
    },
    "anchors before their time": lambda n: {"$schema": D6, "properties": named(lambda i: {"$anchor": f"a{i}"})(n)},
    "identifiers": lambda n: {
        "$schema": D4,
        "id": "http://e/r",
        "definitions": named(lambda i: {"id": f"a{i}", "items": [{}]})(n),
        "properties": named(lambda i: {"$ref": f"a{i}#/items/0"})(n),
    },
    "identifiers where none is seen": lambda n: {
        "$schema": D19,
        "x": named(lambda i: {"$id": f"http://e/{i}", "$anchor": f"a{i}"})(n),
        "properties": named(lambda i: {"$ref": f"#/x/p{i}"})(n),
        "$defs": named(lambda i: {"$ref": f"http://e/x{i}"})(n),
    },
    "recursion": lambda n: {
        "$schema": D19,
        "$recursiveAnchor": True,
        "$defs": named(lambda i: {"$id": f"http://e/{i}", "$recursiveAnchor": True, "not": {"$recursiveRef": "#"}})(n),
    },
    "recursion seen by unevaluatedItems": lambda n: {
        "$schema": D19,
        "$recursiveAnchor": True,
        "contains": {},
        "unevaluatedItems": False,
        "allOf": [{"$recursiveRef": "#", "contains": {}} for _ in range(n)],
        "$defs": named(lambda i: {"$id": f"http://e/{i}", "$recursiveAnchor": True, "contains": {}})(n),
    },
    "dead additionalItems": lambda n: {
        "$schema": D7,
        "properties": named(lambda i: {"additionalItems": {"$id": f"#a{i}"}})(n),
        "not": named(lambda i: {"$ref": f"#/properties/p{i}/additionalItems"})(n),
    },
    "data as schemas": lambda n: {
        "$schema": D7,
        "enum": [{"items": [{}]} for _ in range(n)],
        "allOf": [{"$ref": f"#/enum/{i}"} for i in range(n)],
    },
    "names as schemas": lambda n: {
        "$schema": D7,
        "definitions": named(lambda i: {"properties": {"dependencies": {}}})(n),
        "allOf": [{"$ref": f"#/definitions/p{i}/properties"} for i in range(n)],
    },
    "beside references": lambda n: {
        "$schema": D7,
        "definitions": named(lambda i: {"$ref": f"#/definitions/p{i + 1}", "type": "object", "then": {"not": {}}})(n),
    },
    "mixed dependencies": lambda n: {
        "$schema": D7,
        "dependencies": {f"p{i}": ["a"] if i % 2 else {"items": [{}]} for i in range(n)},
        "allOf": [{"$ref": f"#/dependencies/p{i}"} for i in range(0, n, 2)],
    },
    "dangling": lambda n: {"$schema": D7, "items": [{}], "allOf": [{"$ref": f"#/prefixItems/{i}"} for i in range(n)]},
    "remote": lambda n: {
        "$schema": D7,
        "items": [{}],
        "allOf": [{"$ref": f"http://e/{i}"} for i in range(n)],
        "default": [{"$id": f"http://f/{i}"} for i in range(n)],
    },
    "doubled": lambda n: {
        "$schema": D7,
        "definitions": named(lambda i: {"$id": f"http://e/{i % 3}"})(n),
        "allOf": [{"$ref": f"http://e/{i % 3}"} for i in range(n)],
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_twice_as_large_is_twice_the_work(kind: str) -> None:
    small, large = (steps(KINDS[kind](n)) for n in (N, 2 * N))
    assert small > 30 * N
    assert large < 2.2 * small
