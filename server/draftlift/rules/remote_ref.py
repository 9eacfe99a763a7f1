"""A reference leads to another document.

## What it finds
A `$ref` to a URI or file that is not part of the schema.

## Why it matters
MCP 2026-07-28 forbids clients to fetch it by themselves, and earlier clients rarely could: the schema fails or is
refused. draftlift never fetches it either, and takes a published document to declare its own dialect.

## Example
```json
{"properties": {"point": {"$ref": "https://example.com/geo.json#/$defs/Point"}}}
```

## Instead
Copy the definition into the schema's `$defs` and refer to it there.

## When no fix is offered
Never is one: draftlift does not open other documents.

## References
MCP 2026-07-28, basic, "JSON Schema Usage": network references must not be dereferenced automatically.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, View, references


def check(view: View) -> Iterator[Report]:
    """Report references to other documents at their values."""
    for reference in references(view, "remote"):
        yield Report(
            reference.pointer,
            "value",
            f"{view.subject}: this reference leads to another document, which MCP clients must not fetch. "
            "Copy what it means into this schema.",
        )


RULE = Rule("remote-ref", "warning", __doc__, check_schema=check)
