"""An `inputSchema` does not say `type: object` at its root.

## What it finds
An `inputSchema` without `type`, or whose `type` is anything but the string `object` (an array with `object` in it
included).

## Why it matters
Tool arguments are always an object, and every MCP revision has the literal `type: "object"` in the Tool type. Clients
check it and refuse the whole list for one tool that lacks it, also where a `$ref` or `allOf` would say the same.

## Example
```json
{"name": "search", "inputSchema": {"properties": {"q": {"type": "string"}}}}
```

## Instead
```json
{"name": "search", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}
```

## When no fix is offered
Beside a `$ref` of a draft that ignores what stands there. The fix is not part of the translation, and `draftlift fix`
does not apply it, since it makes the schema stricter for anything but objects.

## References
MCP schema.ts, `Tool.inputSchema.type`, every revision; SEP-2106.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.operations import InsertMember, ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View


def check(view: View) -> Iterator[Report]:
    """Report a wrong type at its value, a missing one at the schema's key."""
    schema = view.value
    if view.site.field != "inputSchema" or view.site.kind != "mcp" or not isinstance(schema, dict):
        return
    if "type" not in schema:
        after = "$schema" if "$schema" in schema else None
        hidden = "$ref" in schema and view.dialect is not None and view.dialect.ref_hides_siblings
        insert = (InsertMember((), "type", "object", after),)
        yield Report(
            (),
            "key",
            f"{view.subject} has an `inputSchema` without `type: object` at its root. "
            "MCP demands it in every revision, and clients refuse the whole tool list without it.",
            () if hidden else (Repair("Add `type: object`", insert, preferred=True),),
        )
    elif schema["type"] != "object":
        yield Report(
            ("type",),
            "value",
            f"{view.subject} has an `inputSchema` whose root `type` is not the string `object`. "
            "Arguments are always an object, and clients refuse the whole tool list.",
            (Repair("Set the root `type` to `object`", (ReplaceValue(("type",), "object"),), preferred=True),),
        )


RULE = Rule("root-type-not-object", "error", __doc__, check_schema=check)
