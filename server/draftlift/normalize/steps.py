"""The steps of a translation: one function a keyword, with the dialect as an argument.

A step looks at one keyword of one subschema and writes operations or refusals into the plan. It never changes a value
and never looks at text. References are mended afterwards, by ``references``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from draftlift.normalize.plan import Plan
from draftlift.schema.dialects import CANONICAL_2020_12, DRAFT_2020_12, FORM_IN_WORDS, dialect_of_uri, has_form
from draftlift.schema.survey import Place, has_scheme, join
from draftlift.syntax.pointer import Pointer

_RECURSION = "recursion"


def translate_place(plan: Plan, place: Place) -> None:
    """Run the steps for one subschema."""
    schema = place.schema
    dialect = plan.dialect
    if not isinstance(schema, dict):
        if not dialect.is_schema(schema):
            _no_schema(plan, place)
        return
    if place.foreign:
        if "$schema" in schema:
            _schema_keyword(plan, place, schema["$schema"])
        return
    hidden = dialect.ref_hides_siblings and "$ref" in schema
    keywords = dialect.keywords
    for name, value in schema.items():
        keyword = keywords.get(name)
        if keyword is None:
            if name in DRAFT_2020_12.keywords:
                _unknown_keyword(plan, place, name, value, hidden=hidden)
        elif hidden and name not in _BESIDE_REF:
            if keyword.role != "annotation":
                _ref_sibling(plan, place, name)
            elif not has_form(value, keyword.form):
                _malformed(plan, place, name)
        elif not has_form(value, keyword.form):
            _malformed(plan, place, name)
        else:
            step = _STEPS.get(name)
            if step is not None:
                step(plan, place, value)


def _no_schema(plan: Plan, place: Place) -> None:
    """Something else in the place of a schema; under `$defs` an older draft does not look, and 2020-12 would."""
    kind = _kind(place.schema)
    if len(place.pointer) > 1 and place.pointer[-2] == "$defs" and "$defs" not in plan.dialect.keywords:
        message = f"{plan.dialect.name} does not look into `$defs`; 2020-12 wants a schema here, not {kind}."
        plan.inert("inert-keyword", place.pointer, message, {})
    else:
        plan.refuse("not-a-schema", place.pointer, f"A schema must stand here, not {kind}.")


def _malformed(plan: Plan, place: Place, name: str) -> None:
    form = plan.dialect.keywords[name].form
    plan.refuse(
        "malformed-keyword",
        (*place.pointer, name),
        f"`{name}` must be {FORM_IN_WORDS[form]} in {plan.dialect.name}, so its meaning cannot be carried over.",
    )


def _unknown_keyword(plan: Plan, place: Place, name: str, value: Any, *, hidden: bool) -> None:
    """A keyword that only a later dialect knows: harmless as an annotation, else it must not come alive."""
    keyword = DRAFT_2020_12.keywords[name]
    fits = has_form(value, keyword.form)
    if keyword.role in ("annotation", "container") and fits:
        return
    if keyword.role == "soft" and fits and not hidden and keyword.applicator is None:
        return
    pointer = (*place.pointer, name)
    if hidden:
        _ref_sibling(plan, place, name)
    elif fits:
        message = f"{plan.dialect.name} ignores `{name}`; 2020-12 would enforce it."
        plan.inert("inert-keyword", pointer, message, place.schema)
    else:
        message = f"{plan.dialect.name} ignores `{name}`; in 2020-12 it must be {FORM_IN_WORDS[keyword.form]}."
        plan.inert("inert-keyword", pointer, message, place.schema)


def _ref_sibling(plan: Plan, place: Place, name: str) -> None:
    message = f"{plan.dialect.name} ignores `{name}` beside `$ref`; 2020-12 would apply it."
    plan.inert("ref-sibling", (*place.pointer, name), message, place.schema)


def _schema_keyword(plan: Plan, place: Place, value: Any) -> None:
    pointer = (*place.pointer, "$schema")
    if not place.pointer:
        plan.replace(pointer, CANONICAL_2020_12)
    elif dialect_of_uri(value) is plan.dialect:
        plan.remove(pointer)
    else:
        plan.refuse("nested-dialect", pointer, "This subschema declares another dialect than the schema around it.")


def _old_items(plan: Plan, place: Place, value: Any) -> None:
    if not isinstance(value, list):
        return
    pointer = (*place.pointer, "items")
    if value:
        plan.rename(pointer, "prefixItems")
    else:
        plan.remove(pointer)


def _additional_items(plan: Plan, place: Place, _: Any) -> None:
    pointer = (*place.pointer, "additionalItems")
    if isinstance(place.schema.get("items"), list):
        plan.rename(pointer, "items")
    elif not plan.is_referred_to(pointer):
        plan.remove(pointer)
    elif _holds_identifier(plan, pointer):
        message = (
            "A reference leads into this `additionalItems`, which 2020-12 does not know, and it has a name of its own."
        )
        plan.refuse("identifier-out-of-place", pointer, message)
    # else it stays: 2020-12 does not know it, and the reference still finds it.


def _holds_identifier(plan: Plan, pointer: Pointer) -> bool:
    """Whether a place, or one below it, has a URI or a name by which references may mean it."""
    named = (*plan.survey.anchors.values(), *plan.survey.resources.values())
    return any(place[: len(pointer)] == pointer for place in named)


def _dependencies(plan: Plan, place: Place, value: dict[str, Any]) -> None:
    if not plan.dialect.ref_hides_siblings:
        return  # from 2019-09 on a word without effect, in 2020-12 as well
    pointer = (*place.pointer, "dependencies")
    names = [key for key, item in value.items() if isinstance(item, list)]
    for key in names:
        if not has_form(value[key], "names"):
            plan.refuse(
                "malformed-keyword", (*pointer, key), "A dependency must be a schema or an array of distinct names."
            )
    if not value:
        plan.remove(pointer)
    elif not names:
        plan.rename(pointer, "dependentSchemas")
    elif len(names) == len(value):
        plan.rename(pointer, "dependentRequired")
    else:
        plan.rename(pointer, "dependentSchemas")
        plan.move(place.pointer, tuple((*pointer, key) for key in names), ("dependentRequired",))


def _exclusive_flag(flag: str, bound: str) -> Callable[[Plan, Place, Any], None]:
    def step(plan: Plan, place: Place, value: Any) -> None:
        if not isinstance(value, bool):
            return  # a number, from draft-06 on
        pointer = (*place.pointer, flag)
        if not value:
            plan.remove(pointer)
        elif bound in place.schema:
            plan.rename((*place.pointer, bound), flag)
            plan.remove(pointer)
        else:
            plan.refuse("limit-without-bound", pointer, f"`{flag}: true` has no `{bound}` beside it to act on.")

    return step


def _identifier(plan: Plan, place: Place, value: str) -> None:
    """`id` of draft-04, `$id` after it."""
    keyword = plan.dialect.id_keyword
    pointer = (*place.pointer, keyword)
    uri, hash_, fragment = value.partition("#")
    if (
        plan.dialect.ref_hides_siblings
        and "$ref" in place.schema
        and not (uri and not fragment and _base_is_free(plan, place, uri))
    ):
        _ref_sibling(plan, place, keyword)
        return
    if not place.honoured and plan.dialect.ref_hides_siblings:
        message = f"{plan.dialect.name} sees no schema here and ignores `{keyword}`; 2020-12 would honour it."
        plan.refuse("identifier-out-of-place", pointer, message)
    elif uri and fragment:
        plan.refuse("identifier-fragment", pointer, f"2020-12 forbids the fragment in `{keyword}`.")
    elif fragment.startswith("/"):
        _pointer_as_identifier(plan, place, fragment)
    elif fragment:
        _name_to_anchor(plan, place, keyword, fragment)
    elif hash_ and not uri:
        plan.remove(pointer)
    else:
        if keyword != "$id":
            plan.rename(pointer, "$id")
        if hash_:
            plan.replace(pointer, uri)


def _base_is_free(plan: Plan, place: Place, uri: str) -> bool:
    """Whether an ignored identifier of the root can count: nothing is resolved against it, and nothing leads to it."""
    if place.pointer:
        return False
    texts = [reference.text for reference in plan.survey.references if reference.place.resource == ()]
    id_keyword = plan.dialect.id_keyword
    texts += [
        inner.schema[id_keyword]
        for inner in plan.survey.places
        if inner.pointer and isinstance(inner.schema, dict) and isinstance(inner.schema.get(id_keyword), str)
    ]
    own = join("", uri)
    return all(text.startswith("#") or (has_scheme(text) and join("", text.partition("#")[0]) != own) for text in texts)


def _pointer_as_identifier(plan: Plan, place: Place, fragment: str) -> None:
    """`$id: "#/properties/a"`, as some generators write: says nothing, unless a reference resolves by it alone."""
    pointer = (*place.pointer, plan.dialect.id_keyword)
    if any(r.kind == "dangling" and r.text.endswith("#" + fragment) for r in plan.survey.references):
        plan.refuse("identifier-fragment", pointer, "A reference uses this identifier, and 2020-12 forbids its form.")
    else:
        plan.remove(pointer)


def _name_to_anchor(plan: Plan, place: Place, keyword: str, name: str) -> None:
    """A plain name becomes `$anchor`; one that 2020-12 forbids is renamed, and its references follow."""
    pointer = (*place.pointer, keyword)
    new = name
    if not has_form(name, "anchor"):
        new = re.sub(r"[^-A-Za-z0-9._]", "-", name)
        if not has_form(new, "anchor"):
            new = "_" + new
        taken = _names(plan) | set(plan.renamed_anchors.values())
        while new in taken:
            new += "-"
        plan.renamed_anchors[place.resource, name] = new
    if keyword != "$anchor":
        plan.rename(pointer, "$anchor")
    if keyword != "$anchor" or new != name:
        plan.replace(pointer, new)


def _names(plan: Plan) -> set[str]:
    """The names that subschemas have, and those that references use although nothing has them."""
    unmet = {unquote(r.text.partition("#")[2]) for r in plan.survey.references if r.kind == "dangling"}
    return unmet | {anchor for _, anchor in plan.survey.anchors}


def _anchor(plan: Plan, place: Place, value: str) -> None:
    _name_to_anchor(plan, place, "$anchor", value)


def _recursive_anchor(plan: Plan, place: Place, value: bool) -> None:
    pointer = (*place.pointer, "$recursiveAnchor")
    if not value:
        plan.remove(pointer)
    elif place.pointer != place.resource:
        message = "`$recursiveAnchor` may stand at the root of a resource only."
        plan.refuse("malformed-keyword", pointer, message)
    else:
        plan.rename(pointer, "$dynamicAnchor")
        if any(reference.kind == "remote" for reference in plan.survey.references):
            message = "A schema that this recursion may lead to is in another document, which stays as it is."
            plan.refuse("recursion-leaves-document", pointer, message)
        plan.replace(pointer, _RECURSION)
        if _RECURSION in _names(plan):
            plan.refuse("ambiguous-anchor", pointer, f"The name `{_RECURSION}` is used by something else already.")


def _recursive_ref(plan: Plan, place: Place, value: str) -> None:
    pointer = (*place.pointer, "$recursiveRef")
    if value != "#":
        plan.refuse("malformed-keyword", pointer, "`$recursiveRef` must be `#`.")
        return
    resource = plan.survey.by_pointer[place.resource].schema
    if isinstance(resource, dict) and resource.get("$recursiveAnchor") is True:
        plan.rename(pointer, "$dynamicRef")
        plan.replace(pointer, f"#{_RECURSION}")
    else:
        plan.rename(pointer, "$dynamicRef" if "$ref" in place.schema else "$ref")


_STEPS: Mapping[str, Callable[[Plan, Place, Any], None]] = {
    "$schema": _schema_keyword,
    "id": _identifier,
    "$id": _identifier,
    "$anchor": _anchor,
    "$recursiveAnchor": _recursive_anchor,
    "$recursiveRef": _recursive_ref,
    "items": _old_items,
    "additionalItems": _additional_items,
    "dependencies": _dependencies,
    "exclusiveMinimum": _exclusive_flag("exclusiveMinimum", "minimum"),
    "exclusiveMaximum": _exclusive_flag("exclusiveMaximum", "maximum"),
}

_BESIDE_REF = frozenset(("$ref", "$schema", "id", "$id", "definitions"))
"""What is looked at as usual although it stands beside a `$ref`."""


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return {"str": "a string", "list": "an array"}.get(type(value).__name__, "a number")
