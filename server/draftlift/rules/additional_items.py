"""`additionalItems` is used.

## What it finds
The keyword of draft-04 to 2019-09 that rules the items behind a tuple.

## Why it matters
2020-12 does not know it and says nothing: a limit like `additionalItems: false` silently stops working. Beside a tuple
its 2020-12 name is `items`; anywhere else it never had an effect.

## Example
```json
{"items": [{"type": "number"}], "additionalItems": false}
```

## Instead
```json
{"prefixItems": [{"type": "number"}], "items": false}
```

## When no fix is offered
Where the schema as a whole cannot be translated.

## References
JSON Schema 2020-12 release notes, "Changes to items and additionalItems".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.old_construct import ignored_by_2020_12, of_its_time
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, _: Any) -> Iterator[Report]:
    """Report the keyword at its key."""
    if not view.legacy:
        yield ignored_by_2020_12(view, place, name, "the items behind a tuple are ruled by `items`")
    elif isinstance(place.schema.get("items"), list):
        yield of_its_time(view, place, name, "2020-12 calls it `items`, beside `prefixItems`")
    else:
        yield of_its_time(view, place, name, "it has no effect without an array under `items`, and 2020-12 dropped it")


RULE = Rule(
    "additional-items",
    "warning",
    __doc__,
    check_keyword=check,
    keywords=("additionalItems",),
    presence=True,
    dialect_rule=True,
)
