"""A property of a tool's schema is true or false.

## What it finds
`true` or `false` as the schema of a property at the root of an `inputSchema` or `outputSchema`, where the target revision
(`draftlift.targetRevision`, `--target-revision`) is 2025-11-25 or older.

## Why it matters
Up to 2025-11-25 the Tool type says that the schema of a property is an object. Clients of these revisions check it and
refuse the whole list for one that is not. Since 2026-07-28 any schema may stand there.

## Example
```json
{"name": "log", "inputSchema": {"type": "object", "properties": {"value": true}}}
```

## Instead
```json
{"name": "log", "inputSchema": {"type": "object", "properties": {"value": {}}}}
```

## When no fix is offered
In draft-04, where true and false are no schemas at all.

## References
MCP schema.ts, `Tool.inputSchema.properties`, up to 2025-11-25; SEP-2106 for what came then.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.change.operations import ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.schema.dialects import DRAFT_04


def check(view: View) -> Iterator[Report]:
    """Report each such property at its value."""
    properties = view.value.get("properties") if isinstance(view.value, dict) else None
    if view.site.kind != "mcp" or view.target >= "2026-07-28" or not isinstance(properties, dict):
        return
    for name, value in properties.items():
        if isinstance(value, bool):
            text, instead = ("true", "{}") if value else ("false", '{"not": {}}')
            pointer = ("properties", name)
            change = (ReplaceValue(pointer, {} if value else {"not": {}}),)
            repair = Repair(f"Write `{text}` as `{instead}`", change, preferred=True)
            yield Report(
                pointer,
                "value",
                f"{view.subject}: property `{name}` has `{text}` as its schema, and clients of MCP {view.target} refuse "
                f"the whole tool list. `{instead}` says the same.",
                () if view.dialect is DRAFT_04 else (repair,),
            )


RULE = Rule("boolean-property", "error", __doc__, check_schema=check)
