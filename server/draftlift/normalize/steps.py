"""The steps of a translation: one function a keyword, with the dialect as an argument.

A step looks at one keyword of one subschema and writes operations or refusals into the plan. It never changes a value
and never looks at text. References are mended afterwards, by ``references``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from draftlift.normalize.harmless import is_harmless
from draftlift.normalize.plan import Plan
from draftlift.normalize.unused import is_ignored_definition
from draftlift.schema.dialects import CANONICAL_2020_12, DRAFT_2020_12, FORM_IN_WORDS, Keyword, dialect_of_uri, has_form
from draftlift.schema.survey import Place
from draftlift.schema.uri import has_scheme, join, readings


def translate_place(plan: Plan, place: Place) -> None:
    """Run the steps for one subschema."""
    schema = place.schema
    dialect = plan.dialect
    if place.pointer in plan.awoken:
        _awoken(plan, place)
        if plan.is_removed(place.pointer):
            return
    if not isinstance(schema, dict):
        if not dialect.is_schema(schema):
            _no_schema(plan, place)
        return
    if place.foreign:
        if "$schema" in schema:
            _schema_keyword(plan, place, schema["$schema"])
        return
    hidden = dialect.hides(schema)
    keywords = dialect.keywords
    for name, value in schema.items():
        keyword = keywords.get(name)
        if keyword is None:
            if name in DRAFT_2020_12.keywords:
                _unknown_keyword(plan, place, name, value, hidden=hidden)
        elif hidden and name not in _BESIDE_REF:
            _beside_ref(plan, place, keyword, value)
        elif not has_form(value, keyword.form) and not (name == "required" and value == []):
            _malformed(plan, place, name)  # draft-04 forbids an empty `required`, and everybody ignores it
        else:
            step = STEPS.get(name)
            if step is not None:
                step(plan, place, value)


def _no_schema(plan: Plan, place: Place) -> None:
    """Something else in the place of a schema; under `$defs` an older draft does not look, and 2020-12 would."""
    kind = _kind(place.schema)
    if is_ignored_definition(plan.survey, place):
        message = f"{plan.dialect.name} does not look into `$defs`; 2020-12 wants a schema here, not {kind}."
        plan.inert("inert-keyword", place.pointer, message)
    else:
        plan.refuse("not-a-schema", place.pointer, f"A schema must stand here, not {kind}.")


def _awoken(plan: Plan, place: Place) -> None:
    """An unused definition under a `$defs` that an older draft ignores, with a reference that cannot be resolved."""
    reference = plan.awoken[place.pointer]
    message = (
        f"{plan.dialect.name} does not look into `$defs`; some validators of 2020-12 resolve all references there, and "
        f"`{reference.text}` leads to no schema at hand."
    )
    plan.inert("inert-keyword", place.pointer, message)


def _malformed(plan: Plan, place: Place, name: str) -> None:
    form = plan.dialect.keywords[name].form
    plan.refuse(
        "malformed-keyword",
        (*place.pointer, name),
        f"`{name}` must be {FORM_IN_WORDS[form]} in {plan.dialect.name}, so its meaning cannot be carried over.",
    )


def _unknown_keyword(plan: Plan, place: Place, name: str, value: Any, *, hidden: bool) -> None:
    """A keyword that only a later dialect knows: it must not come alive, unless it asserts nothing."""
    if is_harmless(plan, place, name, value, hidden=hidden):
        return
    if hidden:
        _ref_sibling(plan, place, name)
        return
    keyword = DRAFT_2020_12.keywords[name]
    if not has_form(value, keyword.form):
        what = f"in 2020-12 it must be {FORM_IN_WORDS[keyword.form]}"
    elif name in ("$recursiveRef", "$recursiveAnchor"):
        what = "2020-12 does too, but some of its validators follow it"
    else:
        what = "2020-12 would enforce it"
    plan.inert("inert-keyword", (*place.pointer, name), f"{plan.dialect.name} ignores `{name}`; {what}.", place.schema)


def _beside_ref(plan: Plan, place: Place, keyword: Keyword, value: Any) -> None:
    """A keyword that a `$ref` beside it hides."""
    if keyword.role == "annotation":
        if not has_form(value, keyword.form):
            _malformed(plan, place, keyword.name)
    elif not is_harmless(plan, place, keyword.name, value, hidden=True):
        _ref_sibling(plan, place, keyword.name)


def _ref_sibling(plan: Plan, place: Place, name: str) -> None:
    pointer = (*place.pointer, name)
    if pointer == ("type",) and place.schema["type"] == "object" and plan.inert_mode == "remove":
        # Without it a tool's schema would be refused by clients, and that list of tools with it.
        message = (
            f"{plan.dialect.name} ignores `type` beside `$ref`, but at the root of a tool's schema clients demand it."
        )
        if pointer not in plan.counting:
            plan.refuse("ref-sibling", pointer, message)
        return
    who = "most validators of 2020-12 would apply it" if name == "dependencies" else "2020-12 would apply it"
    plan.inert("ref-sibling", pointer, f"{plan.dialect.name} ignores `{name}` beside `$ref`; {who}.", place.schema)


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
    else:
        message = (
            "A reference leads into this `additionalItems`, where 2020-12 sees no schema: it does not know the word."
        )
        plan.refuse("reference-out-of-place", pointer, message)


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
    if not value and not plan.is_referred_to(pointer):
        plan.remove(pointer)
    elif not names:
        plan.rename(pointer, "dependentSchemas")
    elif len(names) == len(value):
        plan.rename(pointer, "dependentRequired")
    else:
        plan.rename(pointer, "dependentSchemas")
        plan.move(place.pointer, tuple((*pointer, key) for key in names), "dependentRequired")


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
    if plan.dialect.hides(place.schema) and not (uri and not fragment and _base_is_free(plan, place, uri)):
        if plan.inert_mode == "remove" and _matters_to_ref(plan, place, uri):
            message = (
                f"{plan.dialect.name} ignores `{keyword}` beside `$ref`, but many validators resolve that `$ref` by it."
            )
            plan.refuse("ref-sibling", pointer, message)
        else:
            _ref_sibling(plan, place, keyword)
    elif not place.honoured:
        _out_of_place(plan, place, keyword)
    elif uri and fragment:
        _uri_and_name(plan, place, uri, fragment)
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


def _out_of_place(plan: Plan, place: Place, keyword: str) -> None:
    """An identifier where the draft sees no schema: it is ignored by the letter, but not by every validator."""
    pointer = (*place.pointer, keyword)
    is_used = plan.is_base_of_something(place.pointer) or plan.is_used_name(place.schema[keyword])
    if plan.inert_mode == "remove" and not is_used:
        plan.remove(pointer)
    else:
        message = f"{plan.dialect.name} sees no schema here and ignores `{keyword}`; 2020-12 would honour it."
        plan.refuse("identifier-out-of-place", pointer, message)


def _uri_and_name(plan: Plan, place: Place, uri: str, name: str) -> None:
    """`$id: "https://example.com/s#name"`: a name within the resource, or one for the root as a whole."""
    keyword = plan.dialect.id_keyword
    pointer = (*place.pointer, keyword)
    if name.startswith("/") or (place.pointer and place.pointer == place.resource):
        plan.refuse("identifier-fragment", pointer, f"2020-12 forbids the fragment in `{keyword}`.")
    elif place.pointer:
        _name_to_anchor(plan, place, keyword, name)
    else:
        if keyword != "$id":
            plan.rename(pointer, "$id")
        plan.replace(pointer, uri)
        plan.insert(place.pointer, "$anchor", _name_for(plan, place, name), keyword)


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
    return all(
        text.startswith("#") or (has_scheme(text) and own not in readings(uri, text.partition("#")[0]))
        for text in texts
    )


def _matters_to_ref(plan: Plan, place: Place, uri: str) -> bool:
    """Whether the `$ref` beside an ignored identifier leads into this schema without it and not with it, or otherwise."""
    reference = plan.reference_at((*place.pointer, "$ref"))
    if reference is None or not reference.uri:
        return False
    text = reference.text.partition("#")[0]
    found = any(one in plan.survey.resources for one in readings(join(place.base, uri), text))
    return found != (reference.kind != "remote")


def _pointer_as_identifier(plan: Plan, place: Place, fragment: str) -> None:
    """`$id: "#/properties/a"`, as some generators write: says nothing, unless a reference resolves by it alone."""
    pointer = (*place.pointer, plan.dialect.id_keyword)
    if plan.is_sought(fragment):
        plan.refuse("identifier-fragment", pointer, "A reference uses this identifier, and 2020-12 forbids its form.")
    else:
        plan.remove(pointer)


def _name_to_anchor(plan: Plan, place: Place, keyword: str, name: str) -> None:
    """A plain name becomes `$anchor`; one that 2020-12 forbids is renamed, and its references follow."""
    pointer = (*place.pointer, keyword)
    new = _name_for(plan, place, name)
    if keyword != "$anchor":
        plan.rename(pointer, "$anchor")
    if keyword != "$anchor" or new != name:
        plan.replace(pointer, new)


def _name_for(plan: Plan, place: Place, name: str) -> str:
    """The name itself, or the one that takes its place where 2020-12 forbids it."""
    if has_form(name, "anchor"):
        return name
    new = re.sub(r"[^-A-Za-z0-9._]", "-", name)
    new = plan.new_name(new if has_form(new, "anchor") else "_" + new)
    plan.renamed_anchors[place.resource, name] = new
    return new


def _anchor(plan: Plan, place: Place, value: str) -> None:
    if place.honoured:
        _name_to_anchor(plan, place, "$anchor", value)
    else:
        _out_of_place(plan, place, "$anchor")


def _recursive_anchor(plan: Plan, place: Place, value: bool) -> None:
    pointer = (*place.pointer, "$recursiveAnchor")
    if not value:
        plan.remove(pointer)
    elif place.pointer != place.resource:
        message = "`$recursiveAnchor` may stand at the root of a resource only."
        plan.refuse("malformed-keyword", pointer, message)
    else:
        plan.rename(pointer, "$dynamicAnchor")
        if plan.leads_away:
            message = "A schema that this recursion may lead to is in another document, which stays as it is."
            plan.refuse("recursion-leaves-document", pointer, message)
        plan.replace(pointer, plan.recursion_name)


def _recursive_ref(plan: Plan, place: Place, value: str) -> None:
    pointer = (*place.pointer, "$recursiveRef")
    if value != "#":
        plan.refuse("malformed-keyword", pointer, "`$recursiveRef` must be `#`.")
        return
    resource = plan.survey.by_pointer[place.resource].schema
    if isinstance(resource, dict) and resource.get("$recursiveAnchor") is True:
        plan.rename(pointer, "$dynamicRef")
        plan.replace(pointer, f"#{plan.recursion_name}")
    else:
        plan.rename(pointer, "$dynamicRef" if "$ref" in place.schema else "$ref")


STEPS: Mapping[str, Callable[[Plan, Place, Any], None]] = {
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
"""What each keyword becomes; one that is not here is the same in 2020-12, or only harmful if newly alive."""

_BESIDE_REF = frozenset(("$ref", "$schema", "id", "$id", "definitions"))
"""What is looked at as usual although it stands beside a `$ref`."""


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return {"str": "a string", "list": "an array"}.get(type(value).__name__, "a number")
