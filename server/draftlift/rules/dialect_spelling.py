"""2020-12 is declared in another spelling than its own.

## What it finds
`http://json-schema.org/draft/2020-12/schema`, or either scheme with a trailing `#`.

## Why it matters
It is the right dialect, but the Go SDK compares the string and refuses any other spelling.

## Example
```json
{"$schema": "http://json-schema.org/draft/2020-12/schema#", "type": "object"}
```

## Instead
```json
{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
```

## When no fix is offered
Where the text around it is half-typed.

## References
JSON Schema 2020-12, core, section 8.1.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.change.operations import ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.schema.dialects import CANONICAL_2020_12, DRAFT_2020_12


def check(view: View) -> Iterator[Report]:
    """Report the declaration at its value."""
    if isinstance(view.declared, str) and view.dialect is DRAFT_2020_12 and view.declared != CANONICAL_2020_12:
        yield Report(
            ("$schema",),
            "value",
            f"{view.subject}: `{view.site.field}` declares 2020-12 in a spelling that some clients do not recognise. "
            f"Write `{CANONICAL_2020_12}`.",
            (Repair("Use the canonical spelling", (ReplaceValue(("$schema",), CANONICAL_2020_12),), preferred=True),),
        )


RULE = Rule("dialect-spelling", "information", __doc__, check_schema=check, presence=True)
