"""`id` names a schema, as only draft-04 does.

## What it finds
A string `id` where a subschema is meant. A property that is called `id` is none.

## Why it matters
From draft-06 on the keyword is `$id`. In 2020-12 `id` names nothing, so references to it break, and Ajv refuses the
schema: "NOT SUPPORTED: keyword id".

## Example
```json
{"id": "https://example.com/point", "type": "object"}
```

## Instead
```json
{"$id": "https://example.com/point", "type": "object"}
```

## When no fix is offered
Where the schema as a whole cannot be translated.

## References
JSON Schema draft-06 release notes, "id".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.old_construct import ignored_by_2020_12, of_its_time
from draftlift.schema.dialects import DRAFT_04
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report an identifier at its key."""
    if not isinstance(value, str):
        return
    if view.dialect is DRAFT_04:
        yield of_its_time(view, place, name, "2020-12 calls it `$id`")
    elif not view.legacy:
        yield ignored_by_2020_12(view, place, name, "an identifier is `$id`, and Ajv refuses `id`")


RULE = Rule("draft04-id", "warning", __doc__, check_keyword=check, keywords=("id",), presence=True, dialect_rule=True)
