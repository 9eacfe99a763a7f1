"""A tool has no `inputSchema`.

## What it finds
A tool in a tools/list result, or beside tools that have an `inputSchema`, without that member.

## Why it matters
Every MCP revision requires `inputSchema`. The TypeScript and Python clients refuse the whole list for one tool without
it, and name only the tool's index.

## Example
```json
{"tools": [{"name": "get_time", "description": "The time"}]}
```

## Instead
```json
{"tools": [{"name": "get_time", "description": "The time",
            "inputSchema": {"type": "object", "additionalProperties": false}}]}
```

## When no fix is offered
Where the text around the tool is half-typed. Both fixes are a choice, so `draftlift fix` applies neither: the first
says that the tool takes no arguments (the form that MCP recommends), the second that it takes any.

## References
MCP 2026-07-28, server/tools, "Tool"; SEP-1613.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from draftlift.change.operations import InsertMember
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.syntax.tree import member

NO_ARGUMENTS = {"type": "object", "additionalProperties": False}
ANY_ARGUMENTS = {"type": "object"}


def check(view: View) -> Iterator[Report]:
    """Report a tool without the member, at its name."""
    site = view.site
    if site.field != "inputSchema" or site.node is not None:
        return
    after = next(key for key in ("description", "title", "name") if member(site.holder, key) is not None)

    def insert(value: Mapping[str, object]) -> tuple[InsertMember, ...]:
        return (InsertMember((), "inputSchema", dict(value), after),)

    yield Report(
        (),
        "value",
        f"{view.subject} has no `inputSchema`, so clients refuse the whole tool list. "
        "Add one; a tool without parameters takes an empty object schema.",
        (
            Repair("Add an `inputSchema` that takes no arguments", insert(NO_ARGUMENTS), "holder", preferred=True),
            Repair("Add an `inputSchema` that takes any arguments", insert(ANY_ARGUMENTS), "holder"),
        ),
        at="name",
    )


RULE = Rule("missing-input-schema", "error", __doc__, check_schema=check)
