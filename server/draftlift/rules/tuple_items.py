"""`items` is an array of schemas.

## What it finds
The tuple form of draft-04 to 2019-09: one schema a position, as an array under `items`.

## Why it matters
2020-12 calls this keyword `prefixItems`, and an array under `items` makes the whole schema invalid: validators refuse to
compile it. In a schema that declares its older dialect the form is right, and goes with the translation.

## Example
```json
{"items": [{"type": "number"}, {"type": "number"}], "additionalItems": false}
```

## Instead
```json
{"prefixItems": [{"type": "number"}, {"type": "number"}], "items": false}
```

## When no fix is offered
Where the schema as a whole cannot be translated. In a schema that declares nothing two fixes are offered and neither is
applied by itself, since draftlift does not guess which dialect was meant.

A note on providers: OpenAI and VS Code refuse an array without `items`, which a tuple without `additionalItems` is after
the translation. Add `"items": true` if such a client is among yours.

## References
JSON Schema 2020-12 release notes, "Changes to items and additionalItems".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.old_construct import invalid_in_2020_12, of_its_time
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report an array of schemas at the key."""
    if not isinstance(value, list):
        return
    if view.legacy:
        yield of_its_time(view, place, name, "2020-12 calls an array of schemas `prefixItems`")
    else:
        yield invalid_in_2020_12(view, place, name, "`items` cannot be an array; 2020-12 calls it `prefixItems`")


RULE = Rule("tuple-items", "error", __doc__, check_keyword=check, keywords=("items",), presence=True, dialect_rule=True)
