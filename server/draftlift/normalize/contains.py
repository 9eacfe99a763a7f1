"""`contains` of 2019-09 below an `unevaluatedItems`, which in 2020-12 it evaluates items for.

By the letter of 2019-09 it evaluates none; most validators read it as 2020-12 does. No translation keeps both verdicts.
"""

from __future__ import annotations

from draftlift.normalize.plan import Plan
from draftlift.schema.survey import Place
from draftlift.syntax.pointer import Pointer

_IN_PLACE = ("allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas")


def refuse_seen_contains(plan: Plan) -> None:
    """Refuse each `contains` that an `unevaluatedItems` can see."""
    survey = plan.survey
    if "unevaluatedItems" not in plan.dialect.keywords:
        return
    watchers = [place.pointer for place in survey.places if _watches(place) and not plan.is_removed(place.pointer)]
    if not watchers or not any(_has(place, "contains") for place in survey.places):
        return
    for pointer in _seen_from(plan, watchers):
        if _has(survey.by_pointer[pointer], "contains") and not plan.is_removed(pointer):
            message = (
                "`unevaluatedItems` looks at what this `contains` matches: by the letter of 2019-09 such items are not "
                "evaluated, to 2020-12 and most validators they are."
            )
            plan.refuse("contains-evaluates", (*pointer, "contains"), message)


def _has(place: Place, keyword: str) -> bool:
    return isinstance(place.schema, dict) and keyword in place.schema


def _watches(place: Place) -> bool:
    """Whether the place has an `unevaluatedItems` that some item could come to, and fail."""
    if not _has(place, "unevaluatedItems") or place.schema["unevaluatedItems"] in (True, {}):
        return False
    items = place.schema.get("items")
    return not isinstance(items, dict) and not (isinstance(items, list) and "additionalItems" in place.schema)


def _seen_from(plan: Plan, watchers: list[Pointer]) -> set[Pointer]:
    """The places whose annotations reach a watcher: itself, its in-place applicators, and what these refer to."""
    survey = plan.survey
    targets: dict[Pointer, list[Pointer]] = {}
    recursive_roots = [place.pointer for place in survey.places if _has(place, "$recursiveAnchor")]
    all_roots_added = False
    for reference in survey.references:
        if reference.kind == "local":
            targets.setdefault(reference.place.pointer, []).append(reference.target)
    seen: set[Pointer] = set()
    stack = list(watchers)
    while stack:
        pointer = stack.pop()
        if pointer in seen or pointer not in survey.by_pointer:
            continue
        seen.add(pointer)
        stack += targets.get(pointer, ())
        schema = survey.by_pointer[pointer].schema
        if not isinstance(schema, dict):
            continue
        if "$recursiveRef" in schema and not all_roots_added:
            all_roots_added = True
            stack += recursive_roots
        for keyword in _IN_PLACE:
            value = schema.get(keyword)
            if isinstance(value, list):
                stack += [(*pointer, keyword, index) for index in range(len(value))]
            elif keyword == "dependentSchemas" and isinstance(value, dict):
                stack += [(*pointer, keyword, name) for name in value]
            elif value is not None:
                stack.append((*pointer, keyword))
    return seen
