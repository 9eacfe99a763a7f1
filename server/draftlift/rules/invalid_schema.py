"""A schema is invalid in its own dialect.

## What it finds
A keyword whose value is not what its dialect's metaschema demands (a misspelt type, a negative `minLength`, `properties`
that is an array), or something other than a schema where a schema must stand.

## Why it matters
MCP demands valid schemas. Validators refuse to compile such a schema or skip parts of it without a word.

## Example
```json
{"type": "object", "properties": {"age": {"type": "int"}}}
```

## Instead
```json
{"type": "object", "properties": {"age": {"type": "integer"}}}
```

## When no fix is offered
Mostly, since what was meant is the author's to say. There is one for what says nothing: a keyword that is null, an empty
`required` of draft-04; for the null value among types, where the type `"null"` is meant; and for a `$schema` that is no
string.

## References
MCP 2025-11-25 and 2026-07-28, basic, "JSON Schema Usage"; the metaschemas of JSON Schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.change.operations import RemoveMember, ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.rules.faults import Fault, faults
from draftlift.rules.old_construct import advice, declare, has_old_constructs
from draftlift.rules.property_map import bare_properties
from draftlift.schema.dialects import DRAFT_2020_12, FORM_IN_WORDS, Keyword
from draftlift.syntax.unknown import Unknown


def check(view: View) -> Iterator[Report]:
    """Report each misformed keyword at its key, and each thing that is no schema."""
    if view.survey is None:
        return
    yield from _declarations(view)
    echoes = bool(bare_properties(view))  # a property called `title` is no misformed `title`
    for fault in faults(view.survey):
        if fault.keyword is None:
            if fault.pointer[-1] != "items" or not isinstance(fault.value, list):
                yield _no_schema(view, fault)
        elif not _has_its_own_rule(fault.keyword, fault.value) and not (echoes and len(fault.pointer) == 1):
            yield from _misformed(view, fault, fault.keyword)


def _declarations(view: View) -> Iterator[Report]:
    """Report each ``$schema`` that is no string; inside the schema too, where nothing below it is looked at."""
    assert view.survey is not None
    for place in view.survey.places:
        schema = place.schema
        if not isinstance(schema, dict) or "$schema" not in schema or isinstance(schema["$schema"], str | Unknown):
            continue
        hidden = view.survey.dialect.hides(schema)
        if not place.data and (not place.pointer or not hidden):
            yield Report(
                (*place.pointer, "$schema"),
                "key",
                f"{view.subject}: `$schema` must be a string, the URI of a dialect.",
                () if place.pointer else _ways_to_declare(view),
            )


def _ways_to_declare(view: View) -> tuple[Repair, ...]:
    if has_old_constructs(view):
        return advice(view)[1]
    is_null = view.value["$schema"] is None
    return (Repair("Declare 2020-12", (declare(view, DRAFT_2020_12),), preferred=is_null),)


def _no_schema(view: View, fault: Fault) -> Report:
    return Report(
        fault.pointer,
        "key" if isinstance(fault.pointer[-1], str) else "value",
        f'{view.subject}: a schema must stand here, an object such as `{{"type": "string"}}`; '
        "like this the schema is invalid, and clients refuse it.",
    )


def _misformed(view: View, fault: Fault, keyword: Keyword) -> Iterator[Report]:
    assert view.dialect is not None
    if keyword.name == "type" and isinstance(fault.value, list) and None in fault.value:
        yield from _null_types(view, fault)
        return
    yield Report(
        fault.pointer,
        "key",
        f"{view.subject}: `{keyword.name}` must be {FORM_IN_WORDS[keyword.form]} in {view.dialect.name}; "
        "like this the schema is invalid, and clients refuse it.",
        _removal(fault, keyword),
    )


def _null_types(view: View, fault: Fault) -> Iterator[Report]:
    """In YAML nearly always a type that lacks its quotes."""
    is_all = fault.value.count(None) == 1 and "null" not in fault.value
    for index, item in enumerate(fault.value):
        if item is None:
            change = (ReplaceValue((*fault.pointer, index), "null"),)
            yield Report(
                (*fault.pointer, index),
                "value",
                f'{view.subject}: this is the null value, no type; the type that allows null is the string `"null"`, in '
                "quotes. Like this the schema is invalid, and clients refuse it.",
                (Repair("Write the type `null` as a string", change, preferred=is_all),),
            )


def _removal(fault: Fault, keyword: Keyword) -> tuple[Repair, ...]:
    """Taking out what says nothing. What null was to say is plain only of a keyword that asserts nothing."""
    remove = (RemoveMember(fault.pointer),)
    if fault.value is None:
        says_nothing = keyword.role in ("annotation", "soft")
        return (Repair(f"Remove `{keyword.name}`, which is null", remove, preferred=says_nothing),)
    if keyword.name == "required" and fault.value == []:
        return (Repair("Remove the empty `required`", remove, preferred=True),)
    return ()


def _has_its_own_rule(keyword: Keyword, value: Any) -> bool:
    name = keyword.name
    return (
        name == "$schema"
        or (name == "required" and not isinstance(value, list))
        or (name in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool))
        or (name in ("$id", "$recursiveAnchor", "$recursiveRef") and not (isinstance(value, str) and "#" not in value))
    )


RULE = Rule("invalid-schema", "error", __doc__, check_schema=check)
