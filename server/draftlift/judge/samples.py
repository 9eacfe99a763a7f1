"""Sample values for a schema: its own defaults and examples, one that it should take, and values at its limits.

Pure, and linear in the schema at worst: however many properties it has and however it recurs, ``MOST_PLACES`` of its
subschemas are looked at, so that values stay small.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from draftlift.judge.likely import MOST_NAMES, Places

MOST_SAMPLES = 40
_MOST_PER_PLACE = 5
_DEEPEST = 6
_OF_OBJECTS = frozenset(
    ("properties", "required", "dependencies", "patternProperties", "additionalProperties", "propertyNames")
)
_OF_ARRAYS = frozenset(("items", "additionalItems", "contains", "uniqueItems", "minItems", "maxItems"))
_OTHER_KINDS: tuple[Any, ...] = ({}, [], "a", 0, 1.5, True, None)


def samples(schema: dict[str, Any]) -> list[Any]:
    """Up to ``MOST_SAMPLES`` distinct values for a schema, some of which it should take and some not."""
    found: list[Any] = []
    for value in chain(_Maker(schema).values(schema, 0), _OTHER_KINDS):
        if not any(value == other and type(value) is type(other) for other in found):
            found.append(value)
        if len(found) == MOST_SAMPLES:
            break
    return found


class _Maker(Places):
    """Makes values for the subschemas of one schema, as long as there are places left to look at."""

    def values(self, schema: Any, depth: int) -> Iterator[Any]:
        if not isinstance(schema, dict) or depth > _DEEPEST or not self.take():
            yield from ("a", 1)
            return
        if "default" in schema:
            yield schema["default"]
        examples = schema.get("examples")
        if isinstance(examples, list):
            yield from examples[:3]
        yield self.likely([schema])
        if "const" in schema:
            yield schema["const"]
        enum = schema.get("enum")
        if isinstance(enum, list):
            yield from enum[:3]
        target = self.target(schema)
        if target is not None:
            yield from self._few(target, depth + 1)
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = schema.get(keyword)
            for branch in branches[:3] if isinstance(branches, list) else ():
                yield from self._few(branch, depth + 1)
        kinds = schema.get("type")
        wanted = {kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)}
        if "object" in wanted or not _OF_OBJECTS.isdisjoint(schema):
            yield from self._objects(schema, depth)
        if "array" in wanted or not _OF_ARRAYS.isdisjoint(schema):
            yield from self._arrays(schema, depth)
        if wanted & {"integer", "number"} or {"minimum", "maximum"} & schema.keys():
            yield from _numbers(schema)
        if "string" in wanted or {"minLength", "maxLength", "pattern"} & schema.keys():
            yield from _strings(schema)
        if "boolean" in wanted:
            yield True
        if "null" in wanted:
            yield None

    def _few(self, schema: Any, depth: int) -> list[Any]:
        return list(islice(self.values(schema, depth), _MOST_PER_PLACE)) or [1]

    def _objects(self, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        listed, required = schema.get("properties"), schema.get("required")
        properties = listed if isinstance(listed, dict) else {}
        first = islice(required if isinstance(required, list) else (), MOST_NAMES)
        names = [name for name in first if isinstance(name, str)]
        looked_at = dict.fromkeys(islice(chain((name for name in names if name in properties), properties), MOST_NAMES))
        places = {name: self._few(properties[name], depth + 1) for name in looked_at}
        whole = {name: values[0] for name, values in places.items()}
        whole.update({name: 1 for name in names if name not in whole})
        yield whole
        if names:
            yield {name: whole[name] for name in names}
        dependencies = schema.get("dependencies")
        for name in dependencies if isinstance(dependencies, dict) else ():
            yield {**{other: whole[other] for other in names}, name: whole.get(name, 1)}
        yield {**whole, "something else": 1}
        for name, values in places.items():
            for value in values[1:]:
                yield {**whole, name: value}
        for name in whole:
            yield {other: value for other, value in whole.items() if other != name}

    def _arrays(self, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        items = schema.get("items")
        if isinstance(items, list):
            firsts = [self._few(item, depth + 1) for item in items[:MOST_NAMES]]
            whole = [values[0] for values in firsts]
            yield whole
            yield [*whole, 1]
            yield [*whole, "a"]
            for index, values in enumerate(firsts):
                yield from ([*whole[:index], value, *whole[index + 1 :]] for value in values[1:])
        else:
            values = self._few(items, depth + 1) if items is not None else [1, "a"]
            yield values[:1]
            yield values
            yield [values[0], values[0]]
        yield []


def _numbers(schema: dict[str, Any]) -> Iterator[Any]:
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        bound = schema.get(keyword)
        if isinstance(bound, (int, float)) and not isinstance(bound, bool):
            yield from (bound, bound - 1, bound + 1)
    yield from (1, 0, -1, 2.5)


def _strings(schema: dict[str, Any]) -> Iterator[Any]:
    for keyword in ("minLength", "maxLength"):
        bound = schema.get(keyword)
        if isinstance(bound, int) and 0 <= bound < 1000:
            yield from ("a" * bound, "a" * (bound + 1))
    yield from ("a", "", "ABC")
