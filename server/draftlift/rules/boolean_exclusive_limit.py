"""`exclusiveMinimum` or `exclusiveMaximum` is true or false.

## What it finds
The draft-04 form, a flag that sharpens the `minimum` or `maximum` beside it.

## Why it matters
From draft-06 on the keyword is a number. A flag makes the schema invalid: validators refuse to compile it, and some
clients refuse the whole list.

## Example
```json
{"minimum": 0, "exclusiveMinimum": true}
```

## Instead
```json
{"exclusiveMinimum": 0}
```

## When no fix is offered
Where the flag has no bound beside it, or the schema as a whole cannot be translated.

## References
JSON Schema draft-06 release notes, "exclusiveMaximum/exclusiveMinimum".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.old_construct import invalid_in_2020_12, of_its_time
from draftlift.schema.dialects import DRAFT_04
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report a flag at its key."""
    if not isinstance(value, bool):
        return
    if view.dialect is DRAFT_04:
        yield of_its_time(view, place, name, "2020-12 writes the bound itself here, as a number")
    elif view.legacy and view.dialect is not None:
        yield Report(
            (*place.pointer, name),
            "key",
            f"{view.subject}: `{name}` must be a number in {view.dialect.name}; the flag is draft-04's form and makes "
            "the schema invalid.",
        )
    else:
        yield invalid_in_2020_12(view, place, name, f"`{name}` must be a number in 2020-12")


RULE = Rule(
    "boolean-exclusive-limit",
    "error",
    __doc__,
    check_keyword=check,
    keywords=("exclusiveMinimum", "exclusiveMaximum"),
    presence=True,
    dialect_rule=True,
)
