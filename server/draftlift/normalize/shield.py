"""Keep `contains` of 2019-09 from evaluating items, which in 2020-12 it does (2020-12 release notes, `contains`)."""

from __future__ import annotations

from draftlift.normalize.plan import Plan
from draftlift.schema.survey import Place
from draftlift.syntax.pointer import Pointer

_IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas")
_MOVED_TOGETHER = ("contains", "minContains", "maxContains")


def shield_contains(plan: Plan) -> None:
    """Wrap each `contains` that an `unevaluatedItems` can see into a double `not`: same verdict, no annotations."""
    if "unevaluatedItems" not in plan.dialect.keywords:
        return
    watchers = [place for place in plan.survey.places if _has(place, "unevaluatedItems")]
    if not watchers or not any(_has(place, "contains") for place in plan.survey.places):
        return
    for pointer in sorted(_seen_from(plan, watchers), key=plan.survey.document_order):
        place = plan.survey.by_pointer[pointer]
        if not _has(place, "contains"):
            continue
        if "not" in place.schema:
            message = "2020-12 would count what matches `contains` as evaluated, and `not` is taken for a shield."
            plan.refuse("contains-evaluates", (*pointer, "contains"), message)
        else:
            members = tuple((*pointer, name) for name in place.schema if name in _MOVED_TOGETHER)
            plan.move(pointer, members, ("not", "not"))


def _has(place: Place, keyword: str) -> bool:
    return isinstance(place.schema, dict) and keyword in place.schema


def _seen_from(plan: Plan, watchers: list[Place]) -> set[Pointer]:
    """The places whose annotations reach a watcher: itself, its in-place applicators, and what these refer to."""
    survey = plan.survey
    targets: dict[Pointer, list[Pointer]] = {}
    recursive_roots = [p.pointer for p in survey.places if _has(p, "$recursiveAnchor")]
    for reference in survey.references:
        if reference.kind == "local":
            reached = targets.setdefault(reference.place.pointer, [])
            reached.append(reference.target)
            if reference.keyword == "$recursiveRef":
                reached += recursive_roots
    seen: set[Pointer] = set()
    stack = [place.pointer for place in watchers]
    while stack:
        pointer = stack.pop()
        if pointer in seen or pointer not in survey.by_pointer:
            continue
        seen.add(pointer)
        stack += targets.get(pointer, ())
        schema = survey.by_pointer[pointer].schema
        if not isinstance(schema, dict):
            continue
        for keyword in _IN_PLACE:
            value = schema.get(keyword)
            if isinstance(value, list):
                stack += [(*pointer, keyword, index) for index in range(len(value))]
            elif keyword == "dependentSchemas" and isinstance(value, dict):
                stack += [(*pointer, keyword, name) for name in value]
            elif value is not None:
                stack.append((*pointer, keyword))
    return seen
