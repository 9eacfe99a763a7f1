"""`required` is not an array of names.

## What it finds
`required: true` or `false` inside a property, as draft-03 and OpenAPI parameters have it, or a single name.

## Why it matters
Since draft-04 `required` is an array of property names in the object that has them. Anything else makes the schema
invalid: clients refuse the whole list, model providers answer 400 to every request.

## Example
```json
{"type": "object", "properties": {"query": {"type": "string", "required": true}}}
```

## Instead
```json
{"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
```

## When no fix is offered
Never is one yet.

## References
JSON Schema 2020-12, validation, section 6.5.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report anything but an array at the key."""
    if view.dialect is None or isinstance(value, list) or view.dialect.hides(place.schema):
        return
    yield Report(
        (*place.pointer, name),
        "key",
        f"{view.subject}: `required` must be an array of property names in the object around them; "
        "like this the schema is invalid, and clients refuse it.",
    )


RULE = Rule("required-not-array", "error", __doc__, check_keyword=check, keywords=("required",))
