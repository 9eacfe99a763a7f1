"""An identifier carries a fragment.

## What it finds
`$id` (or draft-04's `id`) with a `#` in it: a plain name such as `#row`, a URI with a fragment, or an empty fragment in
an older dialect.

## Why it matters
2020-12 forbids fragments in `$id`; a plain name is `$anchor` there.

## Example
```json
{"definitions": {"row": {"$id": "#row", "type": "array"}}}
```

## Instead
```json
{"definitions": {"row": {"$anchor": "row", "type": "array"}}}
```

## When no fix is offered
Where the schema as a whole cannot be translated: a URI and a name in one identifier cannot be carried over.

## References
JSON Schema 2019-09 release notes, "$id and $anchor"; 2020-12, core, section 8.2.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.old_construct import invalid_in_2020_12, of_its_time
from draftlift.schema.dialects import DRAFT_04
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report an identifier with a fragment at its key."""
    if not isinstance(value, str) or "#" not in value or (name == "id") != (view.dialect is DRAFT_04):
        return
    if view.legacy:
        yield of_its_time(view, place, name, "2020-12 forbids a fragment in `$id`, and names a place by `$anchor`")
    elif not value.endswith("#"):  # an empty fragment is tolerated
        yield invalid_in_2020_12(view, place, name, "`$id` cannot have a fragment; a plain name is `$anchor`")


RULE = Rule(
    "id-fragment", "error", __doc__, check_keyword=check, keywords=("$id", "id"), presence=True, dialect_rule=True
)
