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
Beside a `$ref` of a draft that ignores what stands there, and where an `outputSchema` says another type: its tool has to
give another result. The fix is not part of the translation, and `draftlift fix`
does not apply it, since it makes the schema stricter for anything but objects.

## References
MCP schema.ts, `Tool.inputSchema.type`, every revision; SEP-2106.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.change.operations import InsertMember, ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View


def check(view: View) -> Iterator[Report]:
    """Report a wrong type at its value, a missing one at the schema's key."""
    schema = view.value
    if not _must_be_object(view) or not isinstance(schema, dict):
        return
    field = view.site.field
    is_input = field == "inputSchema"
    if "type" not in schema:
        after = "$schema" if "$schema" in schema else None
        hidden = view.dialect is not None and view.dialect.hides(schema)
        insert = (InsertMember((), "type", "object", after),)
        demand = "demands it in every revision" if is_input else f"{view.target} demands it"
        yield Report(
            (),
            "key",
            f"{view.subject} has an `{field}` without `type: object` at its root. "
            f"MCP {demand}, and clients refuse the whole tool list without it.",
            () if hidden else (Repair("Add `type: object`", insert, preferred=True),),
        )
    elif schema["type"] != "object":
        repair = Repair("Set the root `type` to `object`", (ReplaceValue(("type",), "object"),), preferred=True)
        reason = "Arguments are always an object" if is_input else f"MCP {view.target} knows no other results"
        yield Report(
            ("type",),
            "value",
            f"{view.subject} has an `{field}` whose root `type` is not the string `object`. "
            f"{reason}, and clients refuse the whole tool list.",
            (repair,) if is_input else (),
        )


def _must_be_object(view: View) -> bool:
    return view.site.kind == "mcp" and (view.site.field == "inputSchema" or "2025-06-18" <= view.target < "2026-07-28")


RULE = Rule("root-type-not-object", "error", __doc__, check_schema=check)
