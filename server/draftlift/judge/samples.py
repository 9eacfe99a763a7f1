"""Proof on demand: sample values judged by the old dialect and by the new one.

The translation is right by construction and by tests; this shows it for one schema, on its own defaults and examples
and on values made to sit at its limits. It is never on the typing path, and loads ``jsonschema`` only when asked.
Invariant: nothing is fetched, since the validators get an empty registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from draftlift.schema.dialects import DRAFT_2020_12, Dialect
from draftlift.schema.survey import follow, value_at

MOST_SAMPLES = 40
_MOST_PER_PLACE = 5
_DEEPEST = 6
_OF_OBJECTS = frozenset(
    ("properties", "required", "dependencies", "patternProperties", "additionalProperties", "propertyNames")
)
_OF_ARRAYS = frozenset(("items", "additionalItems", "contains", "uniqueItems", "minItems", "maxItems"))
_ENDLESS, _FAILED = "endless", "failed"
_OTHER_KINDS: tuple[Any, ...] = ({}, [], "a", 0, 1.5, True, None)


@dataclass(frozen=True, slots=True)
class Proof:
    """How many sample values got the same verdict: ``passed`` pass in both dialects, ``failed`` fail in both.

    ``differing`` are those that do not get the same verdict; there should be none.
    """

    passed: int
    failed: int
    differing: tuple[Any, ...]

    @property
    def sentence(self) -> str:
        """The outcome for the author."""
        if self.differing:
            return f"{len(self.differing)} sample values do not get the same verdict; please report this schema"
        number = self.passed + self.failed
        return f"same verdict on {number} sample values ({self.passed} pass, {self.failed} fail, before and after)"


def prove(schema: dict[str, Any], translated: Any, dialect: Dialect) -> Proof | None:
    """Judge samples by both; None where ``jsonschema`` is not at hand or can judge none of them."""
    try:
        import referencing  # noqa: PLC0415
        from jsonschema import validators  # noqa: PLC0415
    except ImportError:
        return None
    classes = {
        "draft-04": validators.Draft4Validator,
        "draft-06": validators.Draft6Validator,
        "draft-07": validators.Draft7Validator,
        "2019-09": validators.Draft201909Validator,
        "2020-12": validators.Draft202012Validator,
    }
    registry: Any = referencing.Registry()
    before = classes[dialect.name](schema, registry=registry)
    after = classes[DRAFT_2020_12.name](translated, registry=registry)
    passed = failed = 0
    differing = []
    for value in samples(schema):
        old, new = _verdict(before, value), _verdict(after, value)
        if not isinstance(old, bool) or new == _ENDLESS:
            continue
        if new is not old:
            differing.append(value)
        elif old:
            passed += 1
        else:
            failed += 1
    return Proof(passed, failed, tuple(differing)) if passed or failed or differing else None


def _verdict(validator: Any, value: Any) -> bool | str:
    """True or False, or the word for why there is none."""
    try:
        return bool(validator.is_valid(value))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:
        # A recursion may come to its end inside of rpds, whose panic is no Exception.
        return _FAILED if isinstance(problem, Exception) and not isinstance(problem, RecursionError) else _ENDLESS


def samples(schema: dict[str, Any]) -> list[Any]:
    """Up to ``MOST_SAMPLES`` distinct values for a schema, some of which it should take and some not."""
    found: list[Any] = []
    for value in chain(_values(schema, schema, 0), _OTHER_KINDS):
        if not any(value == other and type(value) is type(other) for other in found):
            found.append(value)
        if len(found) == MOST_SAMPLES:
            break
    return found


def _values(schema: Any, root: Any, depth: int) -> Iterator[Any]:
    if not isinstance(schema, dict) or depth > _DEEPEST:
        yield from ("a", 1)
        return
    if "default" in schema:
        yield schema["default"]
    examples = schema.get("examples")
    if isinstance(examples, list):
        yield from examples[:3]
    if "const" in schema:
        yield schema["const"]
    enum = schema.get("enum")
    if isinstance(enum, list):
        yield from enum[:3]
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target = follow(root, (), reference[1:])
        if target is not None:
            yield from _few(value_at(root, target), root, depth + 1)
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(keyword)
        for branch in branches[:3] if isinstance(branches, list) else ():
            yield from _few(branch, root, depth + 1)
    kinds = schema.get("type")
    wanted = set(kinds if isinstance(kinds, list) else [kinds])
    if "object" in wanted or not _OF_OBJECTS.isdisjoint(schema):
        yield from _objects(schema, root, depth)
    if "array" in wanted or not _OF_ARRAYS.isdisjoint(schema):
        yield from _arrays(schema, root, depth)
    if wanted & {"integer", "number"} or {"minimum", "maximum"} & schema.keys():
        yield from _numbers(schema)
    if "string" in wanted or {"minLength", "maxLength", "pattern"} & schema.keys():
        yield from _strings(schema)
    if "boolean" in wanted:
        yield True
    if "null" in wanted:
        yield None


def _few(schema: Any, root: Any, depth: int) -> list[Any]:
    return list(islice(_values(schema, root, depth), _MOST_PER_PLACE)) or [1]


def _objects(schema: dict[str, Any], root: Any, depth: int) -> Iterator[Any]:
    properties = schema.get("properties")
    places = (
        {name: _few(sub, root, depth + 1) for name, sub in properties.items()} if isinstance(properties, dict) else {}
    )
    whole = {name: values[0] for name, values in places.items()}
    required = schema.get("required")
    names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
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


def _arrays(schema: dict[str, Any], root: Any, depth: int) -> Iterator[Any]:
    items = schema.get("items")
    if isinstance(items, list):
        firsts = [_few(item, root, depth + 1) for item in items]
        whole = [values[0] for values in firsts]
        yield whole
        yield [*whole, 1]
        yield [*whole, "a"]
        for index, values in enumerate(firsts):
            yield from ([*whole[:index], value, *whole[index + 1 :]] for value in values[1:])
    else:
        values = _few(items, root, depth + 1) if items is not None else [1, "a"]
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
