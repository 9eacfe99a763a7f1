"""A reference leads nowhere.

## What it finds
A `$ref` into the same schema where nothing is: a wrong pointer, a name that no anchor has, or a place that holds no
schema.

## Why it matters
A validator fails when it gets there, often only for some arguments, and model providers refuse the tool.

## Example
```json
{"properties": {"s": {"$ref": "#/$defs/Screen"}}, "$defs": {"Page": {"type": "string"}}}
```

## Instead
```json
{"properties": {"s": {"$ref": "#/$defs/Page"}}, "$defs": {"Page": {"type": "string"}}}
```

## When no fix is offered
Never is one: what was meant is the author's to say. A tool's schema is a document of its own, so `#` is its root, not
the root of the file.

## References
MCP 2026-07-28, basic, "JSON Schema Usage": unresolved references should be rejected.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, View, references


def check(view: View) -> Iterator[Report]:
    """Report dangling references at their values."""
    for reference in references(view, "dangling"):
        yield Report(
            reference.pointer,
            "value",
            f"{view.subject}: `{reference.text}` leads nowhere in this schema, so validation fails where it is used. "
            "`#` is the root of this schema, not of the file.",
        )


RULE = Rule("unresolved-ref", "error", __doc__, check_schema=check)
