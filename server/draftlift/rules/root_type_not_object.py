"""An `inputSchema` does not say `type: object` at its root.

## What it finds
An `inputSchema` without `type`, or whose `type` is anything but the string `object` (an array with `object` in it
included). For the target revisions 2025-06-18 and 2025-11-25 the same of an `outputSchema`.

## Why it matters
Tool arguments are always an object, and every MCP revision has the literal `type: "object"` in the Tool type. Clients
check it and refuse the whole list for one tool that lacks it, also where a `$ref` or `allOf` would say the same.
`outputSchema` had to be of that type until 2025-11-25; since 2026-07-28 a result may be any JSON value.

## Example
```json
{"name": "search", "inputSchema": {"properties": {"q": {"type": "string"}}}}
```

## Instead
```json
{"name": "search", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}
```

## When no fix is offered
Beside a `$ref` of a draft that ignores what stands there; where an `outputSchema` says another type: its tool has to
give another result; and where what stands under `type` is no type, since it may be a property of that name. A root whose
members all look like properties is offered a move of them under `properties`. The fix is not part of the translation, and `draftlift fix`
does not apply it, since it makes the schema stricter for anything but objects.

## References
MCP schema.ts, `Tool.inputSchema.type`, every revision; SEP-2106.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.change.operations import InsertMember, MoveMembers, Operation, ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.rules.property_map import bare_properties, stray_properties
from draftlift.rules.unresolved_ref import leads_into_file
from draftlift.syntax.unknown import is_in_doubt


def check(view: View) -> Iterator[Report]:
    """Report a wrong type at its value, a missing one at the schema's key."""
    schema = view.value
    if not _must_be_object(view) or not isinstance(schema, dict):
        return
    properties = bare_properties(view)
    if properties:
        yield _bare(view, properties)
    elif "type" not in schema:
        if not leads_into_file(view, ("$ref",)):  # which is what has to be mended there
            yield _missing(view)
    elif schema["type"] != "object" and not is_in_doubt(schema["type"]):
        yield _wrong(view, schema["type"])


def _bare(view: View, properties: tuple[str, ...]) -> Report:
    after = "$schema" if "$schema" in view.value else None
    change: tuple[Operation, ...] = (
        InsertMember((), "type", "object", after),
        MoveMembers((), tuple((name,) for name in properties), ("properties",)),
    )
    return Report(
        (),
        "key",
        f"{view.subject} has an `{view.site.field}` whose members look like properties: a schema has them under "
        "`properties`. Like this it checks nothing, and without `type: object` at its root clients refuse the whole tool "
        "list.",
        (Repair("Put these members under `properties`, with `type: object`", change, preferred=True),),
    )


def _missing(view: View) -> Report:
    schema, field = view.value, view.site.field
    after = "$schema" if "$schema" in schema else None
    hidden = view.dialect is not None and view.dialect.hides(schema)
    insert = (InsertMember((), "type", "object", after),)
    demand = "demands it in every revision" if field == "inputSchema" else f"{view.target} demands it"
    return Report(
        (),
        "key",
        f"{view.subject} has an `{field}` without `type: object` at its root. "
        f"MCP {demand}, and clients refuse the whole tool list without it.",
        () if hidden else (Repair("Add `type: object`", insert, preferred=not stray_properties(view)),),
    )


def _wrong(view: View, type_: object) -> Report:
    is_input = view.site.field == "inputSchema"
    reason = "Arguments are always an object" if is_input else f"MCP {view.target} knows no other results"
    may_be_meant = isinstance(type_, list) and "object" in type_
    repair = Repair(
        "Set the root `type` to `object`",
        (ReplaceValue(("type",), "object"),),
        preferred=may_be_meant or "properties" in view.value,
    )
    return Report(
        ("type",),
        "value",
        f"{view.subject} has an `{view.site.field}` whose root `type` is not the string `object`. "
        f"{reason}, and clients refuse the whole tool list.",
        (repair,) if is_input and isinstance(type_, (str, list)) else (),
    )


def _must_be_object(view: View) -> bool:
    return view.site.kind == "mcp" and (view.site.field == "inputSchema" or "2025-06-18" <= view.target < "2026-07-28")


RULE = Rule("root-type-not-object", "error", __doc__, check_schema=check)
