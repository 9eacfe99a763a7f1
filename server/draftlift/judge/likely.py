"""One value that a schema should take: the smallest that all it says lets us think of.

It is a guess, for a schema may say what no value can satisfy, or what is not looked at here (``not``, ``if``, names of
properties). A validator judges it like any other sample value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import ceil, floor
from typing import Any, TypeGuard

from draftlift.judge.matching import matching
from draftlift.schema.survey import follow, value_at

MOST_PLACES = 1000
MOST_NAMES = 100
_DEEPEST = 12
_MOST_ITEMS = 20
_LONGEST = 1000
_KINDS = {
    "object": ("properties", "required", "patternProperties", "additionalProperties", "propertyNames", "minProperties"),
    "array": ("items", "additionalItems", "contains", "uniqueItems", "minItems", "maxItems"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_LIMITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


class Places:
    """The subschemas of one schema, as long as there are some left to look at."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = MOST_PLACES

    def take(self) -> bool:
        """Whether one more may be looked at."""
        self._left -= 1
        return self._left >= 0

    def target(self, schema: dict[str, Any]) -> Any:
        """What the schema's ``$ref`` leads to within the document; None where it has none, or it leads nowhere."""
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
            return None
        target = follow(self._root, (), reference[1:])
        return value_at(self._root, target) if target is not None else None

    def likely(self, schemas: list[Any], depth: int = 0) -> Any:
        """A value that all these subschemas should take."""
        parts = list(self._parts(schemas, depth))
        for part in parts:
            if "const" in part:
                return part["const"]
            if isinstance(part.get("enum"), list) and part["enum"]:
                return part["enum"][0]
        kind = _kind(parts)
        if kind == "object":
            return self._object(parts, depth)
        if kind == "array":
            return self._array(parts, depth)
        if kind == "string":
            return _string(parts)
        if kind in ("number", "integer"):
            return _number(parts, whole=kind == "integer")
        return {"boolean": True, "null": None}.get(kind, "a")

    def _parts(self, schemas: list[Any], depth: int) -> Iterator[dict[str, Any]]:
        """All that has to hold of a value: the subschemas, what they refer to, and one branch of each choice."""
        waiting = list(reversed(schemas))
        while waiting and depth <= _DEEPEST and self.take():
            schema = waiting.pop()
            if not isinstance(schema, dict):
                continue
            yield schema
            parts = [self.target(schema)] if "$ref" in schema else []
            branches = schema.get("allOf")
            parts += branches[:MOST_NAMES] if isinstance(branches, list) else []
            for keyword in ("anyOf", "oneOf"):
                branches = schema.get(keyword)
                parts += branches[:1] if isinstance(branches, list) else []
            waiting += reversed(parts)

    def _object(self, parts: list[dict[str, Any]], depth: int) -> dict[str, Any]:
        wanted = dict.fromkeys(name for part in parts for name in _strings(part.get("required")))
        for name in list(wanted):
            for part in parts:
                for keyword in ("dependencies", "dependentRequired"):
                    wanted.update(dict.fromkeys(_strings(_dict(part.get(keyword)).get(name))))
        least = int(_bound(parts, "minProperties", max, 0))
        if len(wanted) < least:
            offered = (name for part in parts for name in _dict(part.get("properties")))
            wanted.update(dict.fromkeys(islice(offered, least)))
            wanted.update(dict.fromkeys(f"more {number}" for number in range(min(least, MOST_NAMES) - len(wanted))))
        return {name: self.likely(_of_property(parts, name), depth + 1) for name in islice(wanted, MOST_NAMES)}

    def _array(self, parts: list[dict[str, Any]], depth: int) -> list[Any]:
        contains = [part["contains"] for part in parts if "contains" in part]
        least = max(int(_bound(parts, "minItems", max, 0)), len(contains) and 1)
        found = []
        for index in range(min(least, _MOST_ITEMS)):
            schemas = [schema for part in parts for schema in _of_item(part, index)]
            found.append(self.likely(schemas + contains if index == 0 else schemas, depth + 1))
        if any(part.get("uniqueItems") is True for part in parts):
            return [_another(value, index) for index, value in enumerate(found)]
        return found


def _kind(parts: list[dict[str, Any]]) -> str:
    """The type of a value for these subschemas: what they say, or what their keywords are about."""
    common: list[str] | None = None
    for part in parts:
        said = part.get("type")
        kinds = [said] if isinstance(said, str) else _strings(said)
        if kinds:
            both = kinds if common is None else [kind for kind in common if kind in kinds or _is_wider(kinds, kind)]
            common = both or common
    if common:
        return next((kind for kind in common if kind != "null"), "null")
    return next(
        (kind for kind, keywords in _KINDS.items() for part in parts if not part.keys().isdisjoint(keywords)), ""
    )


def _is_wider(kinds: list[str], kind: str) -> bool:
    return kind == "integer" and "number" in kinds


def _of_property(parts: list[dict[str, Any]], name: str) -> list[Any]:
    """The subschemas that a property has to satisfy, as far as its name tells."""
    found = []
    for part in parts:
        properties = _dict(part.get("properties"))
        if name in properties:
            found.append(properties[name])
        elif isinstance(part.get("additionalProperties"), dict) and not part.get("patternProperties"):
            found.append(part["additionalProperties"])
    return found


def _of_item(part: dict[str, Any], index: int) -> list[Any]:
    items = part.get("items")
    if not isinstance(items, list):
        return [items]
    return [items[index]] if index < len(items) else [part.get("additionalItems")]


def _another(value: Any, number: int) -> Any:
    """A value that differs from others of its kind, by a number; itself for number 0 and where there is none."""
    if isinstance(value, str):
        return value + "a" * number
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value + number
    return value


def _string(parts: list[dict[str, Any]]) -> str:
    least = min(int(_bound(parts, "minLength", max, 0)), _LONGEST)
    for part in parts:
        pattern = part.get("pattern")
        found = matching(pattern, least) if isinstance(pattern, str) else None
        if found is not None:
            return found
    return "a" * (least or int(min(_bound(parts, "maxLength", min, 1), 1)))


def _number(parts: list[dict[str, Any]], *, whole: bool) -> int | float:
    """Nought where it may be, else a number at, beside or between the limits; nought where there is none."""
    limits = [part[keyword] for part in parts for keyword in _LIMITS if _is_number(part.get(keyword))]
    step = _bound(parts, "multipleOf", max, 0)
    near: list[int | float] = [0, *(number for limit in limits for number in (limit, limit + 1, limit - 1))]
    near += [number for limit in limits for number in (floor(limit), ceil(limit))]
    near += [sum(limits) / len(limits)] if limits else []
    if step > 0:
        near += [number * step for limit in limits for number in (ceil(limit / step), floor(limit / step))]
        near += [number * step for limit in limits for number in (floor(limit / step) + 1, ceil(limit / step) - 1)]
    fitting = (number for number in near if not (whole and isinstance(number, float) and not number.is_integer()))
    return next((number for number in fitting if all(_takes(part, number) for part in parts)), 0)


def _takes(part: dict[str, Any], number: int | float) -> bool:
    """Whether a number is within the limits of one subschema."""
    low, high, step = (part.get(keyword) for keyword in ("minimum", "maximum", "multipleOf"))
    above, below = part.get("exclusiveMinimum"), part.get("exclusiveMaximum")
    return not (
        (_is_number(low) and (number < low or (above is True and number == low)))
        or (_is_number(high) and (number > high or (below is True and number == high)))
        or (_is_number(above) and number <= above)
        or (_is_number(below) and number >= below)
        or (_is_number(step) and step > 0 and number % step != 0)
    )


def _bound(parts: list[dict[str, Any]], keyword: str, narrower: Any, default: int) -> int | float:
    """The narrowest bound of a keyword."""
    bounds = [part[keyword] for part in parts if _is_number(part.get(keyword))]
    return narrower(bounds) if bounds else default


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> list[str]:
    listed = value[:MOST_NAMES] if isinstance(value, list) else ()
    return [name for name in listed if isinstance(name, str)]
