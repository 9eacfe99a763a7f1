"""A schema declares a dialect that is out of draftlift's reach.

## What it finds
A `$schema` that is neither 2020-12 nor one of draft-04, -06, -07 and 2019-09: draft-03, the undated
`http://json-schema.org/schema#`, an address of one's own, or a slip in the spelling.

## Why it matters
Clients must support only 2020-12 and refuse what they do not know. draftlift does not guess what the schema means, so it
checks nothing else in it.

## Example
```json
{"$schema": "http://json-schema.org/schema#", "type": "object"}
```

## Instead
```json
{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
```

## When no fix is offered
Never is one: only the author knows the dialect that was meant.

## References
MCP 2026-07-28, basic, "JSON Schema Usage".
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, View


def check(view: View) -> Iterator[Report]:
    """Report the declaration at its value."""
    if view.has_value and view.dialect is None and isinstance(view.declared, str):
        shown = view.declared if len(view.declared) <= 80 else view.declared[:79] + "…"
        yield Report(
            ("$schema",),
            "value",
            f"{view.subject}: `{view.site.field}` declares `{shown}`, a dialect that draftlift does not know and most "
            "clients refuse. Declare 2020-12 once the schema is written in it.",
        )


RULE = Rule("unsupported-dialect", "warning", __doc__, check_schema=check, presence=True)
