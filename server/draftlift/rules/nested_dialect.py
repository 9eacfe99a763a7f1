"""A subschema has its own `$schema`.

## What it finds
`$schema` below the root of a schema, where a subschema is meant. A property that is called `$schema` is none.

## Why it matters
The same dialect said twice adds nothing and stops some tools; another dialect makes the halves of one schema follow
different rules, which few validators support.

## Example
```json
{"$schema": "http://json-schema.org/draft-07/schema#",
 "properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "string"}}}
```

## Instead
```json
{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"type": "string"}}}
```

## When no fix is offered
Where the inner declaration names another dialect than the root: which of the two was meant is the author's to say.

## References
JSON Schema 2020-12, core, sections 8.1.1 and 9.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.change.operations import RemoveMember
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.schema.dialects import dialect_of_uri
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report an inner declaration at its key."""
    if not place.pointer or view.dialect is None or not isinstance(value, str):
        return
    pointer = (*place.pointer, name)
    if dialect_of_uri(value) is view.dialect:
        yield Report(
            pointer,
            "key",
            f"{view.subject}: this inner `$schema` repeats the dialect of the whole schema. Remove it.",
            (Repair("Remove the repeated `$schema`", (RemoveMember(pointer),), preferred=True),),
        )
    elif "$id" not in place.schema or view.legacy:
        yield Report(
            pointer,
            "key",
            f"{view.subject}: this subschema declares another dialect than the schema around it ({view.dialect.name}), "
            "so its halves follow different rules. Write the whole schema in one dialect.",
        )


RULE = Rule("nested-dialect", "warning", __doc__, check_keyword=check, keywords=("$schema",), dialect_rule=True)
