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
Where the text around the tool is half-typed. All fixes are a choice, so `draftlift fix` applies none. A schema that was
written as text is offered as the object it is the text of.

## References
MCP schema.ts, `Tool.inputSchema`, every revision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.change.operations import ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.rules.missing_input_schema import ANY_ARGUMENTS
from draftlift.rules.null_input_schema import object_repairs
from draftlift.syntax import read
from draftlift.syntax.tree import to_value
from draftlift.syntax.unknown import Unknown


def check(view: View) -> Iterator[Report]:
    """Report anything but an object or null, at the value."""
    if (
        view.site.field != "inputSchema"
        or not view.has_value
        or view.value is None
        or isinstance(view.value, dict | Unknown)
    ):
        return
    yield Report(
        (),
        "value",
        f"{view.subject} has an `inputSchema` that is no object, so clients refuse the whole tool list. "
        "Write an object schema.",
        (*_written_out(view.value), *object_repairs(preferred=ANY_ARGUMENTS if view.value is True else None)),
    )


def _written_out(value: Any) -> tuple[Repair, ...]:
    """The schema that a string holds, as the object that it is the text of."""
    if not isinstance(value, str):
        return ()
    tree = read(value, "json")
    root = tree.documents[0]
    if root is None or root.kind != "object" or tree.problems:
        return ()
    return (Repair("Write the text as an object", (ReplaceValue((), to_value(root)),)),)


RULE = Rule("input-schema-not-object", "error", __doc__, check_schema=check)
