"""`$recursiveRef` or `$recursiveAnchor` is used.

## What it finds
The two keywords that only 2019-09 has.

## Why it matters
2020-12 replaced them by `$dynamicRef` and `$dynamicAnchor`. It ignores `$recursiveRef`, so the recursion silently stops
being checked, and a true or false `$recursiveAnchor` makes the schema invalid.

## Example
```json
{"$recursiveAnchor": true, "properties": {"child": {"$recursiveRef": "#"}}}
```

## Instead
```json
{"$dynamicAnchor": "recursion", "properties": {"child": {"$dynamicRef": "#recursion"}}}
```

## When no fix is offered
Where the schema as a whole cannot be translated. draft-04 to -07 ignore both words, as 2020-12 does.

## References
JSON Schema 2020-12 release notes, "$dynamicRef and $dynamicAnchor".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.old_construct import ignored_by_2020_12, invalid_in_2020_12, of_its_time
from draftlift.schema.dialects import DRAFT_2019_09
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report either keyword at its key."""
    new = "$dynamicRef" if name == "$recursiveRef" else "$dynamicAnchor"
    if view.dialect is DRAFT_2019_09:
        yield of_its_time(view, place, name, f"2020-12 has `{new}` instead")
    elif not view.legacy and isinstance(value, bool):
        yield invalid_in_2020_12(view, place, name, f"2020-12 has `{new}` instead of `{name}`")
    elif not view.legacy:
        yield ignored_by_2020_12(view, place, name, f"it has `{new}` instead")


RULE = Rule(
    "recursive-ref",
    "warning",
    __doc__,
    check_keyword=check,
    keywords=("$recursiveRef", "$recursiveAnchor"),
    presence=True,
    dialect_rule=True,
)
