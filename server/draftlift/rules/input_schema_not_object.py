"""A tool's `inputSchema` is not an object.

## What it finds
`true`, `false`, an array, a string or a number as `inputSchema`.

## Why it matters
`true` is a valid JSON Schema, and SEP-1613 names it, but the Tool type of every MCP revision wants an object, and
clients refuse the whole list otherwise.

## Example
```json
{"name": "get_time", "inputSchema": true}
```

## Instead
```json
{"name": "get_time", "inputSchema": {"type": "object"}}
```

## When no fix is offered
Where the text around the tool is half-typed. Both fixes are a choice, so `draftlift fix` applies neither.

## References
MCP schema.ts, `Tool.inputSchema`, every revision.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.null_input_schema import object_repairs


def check(view: View) -> Iterator[Report]:
    """Report anything but an object or null, at the value."""
    if view.site.field != "inputSchema" or not view.has_value or view.value is None or isinstance(view.value, dict):
        return
    yield Report(
        (),
        "value",
        f"{view.subject} has an `inputSchema` that is no object, so clients refuse the whole tool list. "
        "Write an object schema.",
        object_repairs(),
    )


RULE = Rule("input-schema-not-object", "error", __doc__, check_schema=check)
