"""A tool's `outputSchema` is not an object.

## What it finds
`null`, `true`, `false`, an array, a string or a number as `outputSchema`.

## Why it matters
The Tool type wants an object or nothing; clients refuse the list.

## Example
```json
{"name": "get_time", "inputSchema": {"type": "object"}, "outputSchema": null}
```

## Instead
Leave `outputSchema` out, or write the schema of the structured result.

## When no fix is offered
Never is one: whether the tool has a structured result is the author's to say.

## References
MCP schema.ts, `Tool.outputSchema`, 2025-06-18 and later.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, View
from draftlift.syntax.unknown import Unknown


def check(view: View) -> Iterator[Report]:
    """Report anything but an object, at the value."""
    if view.site.field == "outputSchema" and view.has_value and not isinstance(view.value, dict | Unknown):
        yield Report(
            (),
            "value",
            f"{view.subject} has an `outputSchema` that is no object, which clients refuse. "
            "Write an object schema, or leave it out.",
        )


RULE = Rule("output-schema-not-object", "error", __doc__, check_schema=check)
