"""A tool's `inputSchema` is null.

## What it finds
`inputSchema: null`, or in YAML the key with nothing behind it.

## Why it matters
MCP says that `inputSchema` must be a schema object and not null. Clients refuse the whole list for one such tool.

## Example
```yaml
name: get_time
inputSchema: null
```

## Instead
```yaml
name: get_time
inputSchema: {type: object, additionalProperties: false}
```

## When no fix is offered
Where the text around the tool is half-typed. Both fixes are a choice, so `draftlift fix` applies neither.

## References
MCP 2025-11-25 and 2026-07-28, server/tools: "MUST be a valid JSON Schema object (not null)"; SEP-1613.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from draftlift.change.operations import ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.rules.missing_input_schema import ANY_ARGUMENTS, NO_ARGUMENTS


def object_repairs(*, preferred: Mapping[str, object] | None) -> tuple[Repair, ...]:
    """The two object schemas that can stand for a tool without a usable one; ``preferred`` is one of them, or None."""
    return tuple(
        Repair(title, (ReplaceValue((), schema),), preferred=schema is preferred)
        for title, schema in (
            ("Take no arguments: an empty object schema", NO_ARGUMENTS),
            ("Take any arguments: `type: object` alone", ANY_ARGUMENTS),
        )
    )


def check(view: View) -> Iterator[Report]:
    """Report null at the value."""
    if view.site.field == "inputSchema" and view.has_value and view.value is None:
        yield Report(
            (),
            "value",
            f"{view.subject} has a null `inputSchema`, so clients refuse the whole tool list. Write an object schema.",
            object_repairs(preferred=NO_ARGUMENTS),
        )


RULE = Rule("null-input-schema", "error", __doc__, check_schema=check)
