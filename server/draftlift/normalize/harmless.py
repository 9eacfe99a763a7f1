"""What may come alive in 2020-12 because it asserts nothing there: it can stay as it stands."""

from __future__ import annotations

from typing import Any

from draftlift.normalize.plan import Plan
from draftlift.schema.dialects import DRAFT_2020_12, has_form
from draftlift.schema.survey import Place, survey

_SCHEMA_FOR_ALL = ("items", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties")
_ONLY_WITH = {
    "then": ("if",),
    "else": ("if",),
    "if": ("then", "else"),
    "minContains": ("contains",),
    "maxContains": ("contains",),
}
"""Keywords without effect where none of these stands beside them."""
_SAYS_NOTHING = {"uniqueItems": False, "minLength": 0, "minItems": 0, "minProperties": 0, "required": []}
_FOLLOWED = ("$recursiveRef", "$recursiveAnchor")
"""What 2020-12 only reserves, and validators of 2020-12 follow all the same."""
_HOPS = 10
"""How many references are followed to see what a target says."""


def is_harmless(plan: Plan, place: Place, name: str, value: Any, *, hidden: bool) -> bool:
    """Whether a keyword that the source ignores asserts nothing in 2020-12, nor names or identifies anything.

    ``hidden`` says that a `$ref` beside it is why it is ignored.
    """
    keyword = DRAFT_2020_12.keywords.get(name)
    if keyword is None:
        return name == "additionalItems"
    if name in _FOLLOWED or not has_form(value, keyword.form):
        return False
    if keyword.role in ("annotation", "container"):
        return name not in plan.dialect.keywords
    if keyword.role == "soft":
        return not hidden and (keyword.applicator is None or _is_quiet(value))
    if name in ("$anchor", "$dynamicAnchor"):
        return _is_free_name(plan, place, name, value)
    if name == "type":
        return hidden and value == _type_of_target(plan, place)
    if name in _ONLY_WITH:
        alone = not any(other in place.schema for other in _ONLY_WITH[name])
        return alone and (keyword.applicator is None or _is_quiet(value))
    if name in _SCHEMA_FOR_ALL:
        return _is_true(value)
    if name in _SAYS_NOTHING:
        return has_form(value, keyword.form) and value == _SAYS_NOTHING[name]
    if name in ("dependentRequired", "dependentSchemas"):
        says_nothing = all(_is_true(item) or item == [] for item in value.values())
        return says_nothing and "dependencies" not in place.schema
    return False


def _is_true(value: Any) -> bool:
    return value is True or value == {}


def _is_free_name(plan: Plan, place: Place, keyword: str, name: str) -> bool:
    """Whether a name may come alive: it is the only one of its kind, and nothing else becomes this keyword."""
    identifier = place.schema.get(plan.dialect.id_keyword)
    becomes_anchor = isinstance(identifier, str) and "#" in identifier
    if (keyword == "$anchor" and becomes_anchor) or "$recursiveAnchor" in place.schema:
        return False
    return plan.is_only_name(name)


def _is_quiet(value: Any) -> bool:
    """Whether this is a valid 2020-12 schema that refers to nothing and that nothing can refer to by name."""
    if isinstance(value, bool):
        return True
    if not isinstance(value, dict):
        return False
    found = survey(value, DRAFT_2020_12)
    return found.beyond_bounds is None and all(_is_plain(place) for place in found.places)


def _is_plain(place: Place) -> bool:
    schema = place.schema
    if not isinstance(schema, dict):
        return isinstance(schema, bool)
    for name, value in schema.items():
        if name in ("id", "dependencies") or (name.startswith("$") and name not in ("$comment", "$defs")):
            return False
        keyword = DRAFT_2020_12.keywords.get(name)
        if keyword is not None and not has_form(value, keyword.form):
            return False
    return True


def _type_of_target(plan: Plan, place: Place) -> Any:
    """The `type` of what a hiding `$ref` leads to in the end; None where that says none or cannot be told."""
    for _ in range(_HOPS):
        reference = plan.reference_at((*place.pointer, "$ref"))
        if reference is None or reference.kind != "local":
            return None
        place = plan.survey.by_pointer[reference.target]
        if place.foreign or place.data or not isinstance(place.schema, dict):
            return None
        if not plan.dialect.hides(place.schema):
            return place.schema.get("type")
    return None
