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
from draftlift.rules.property_map import bare_properties
from draftlift.schema.survey import Place
from draftlift.syntax.unknown import Unknown


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report anything but an array at the key."""
    is_echo = not place.pointer and bool(bare_properties(view))  # a property of that name
    if view.dialect is None or isinstance(value, list | Unknown) or _is_hidden(view, place) or is_echo:
        return
    yield Report(
        (*place.pointer, name),
        "key",
        f"{view.subject}: `required` must be an array of property names in the object around them; "
        "like this the schema is invalid, and clients refuse it.",
    )


def _is_hidden(view: View, place: Place) -> bool:
    return view.dialect is not None and view.dialect.hides(place.schema)


RULE = Rule("required-not-array", "error", __doc__, check_keyword=check, keywords=("required",))
