"""`dependencies` is used.

## What it finds
The keyword of draft-04, -06 and -07 that makes one property demand others, or a schema.

## Why it matters
2020-12 split it into `dependentRequired` and `dependentSchemas`. Validators disagree about the old word: Ajv still
enforces it, Python's jsonschema ignores it, so the same arguments pass here and fail there.

## Example
```json
{"dependencies": {"card": ["zip"], "gift": {"required": ["note"]}}}
```

## Instead
```json
{"dependentSchemas": {"gift": {"required": ["note"]}}, "dependentRequired": {"card": ["zip"]}}
```

## When no fix is offered
Where the schema as a whole cannot be translated.

## References
JSON Schema 2019-09 release notes, "dependencies".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.old_construct import ignored_by_2020_12, of_its_time
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, _: Any) -> Iterator[Report]:
    """Report the keyword at its key."""
    if view.dialect is not None and view.dialect.ref_hides_siblings:
        yield of_its_time(view, place, name, "2020-12 splits it into `dependentRequired` and `dependentSchemas`")
    else:
        yield ignored_by_2020_12(view, place, name, "it is split into `dependentRequired` and `dependentSchemas`")


RULE = Rule(
    "dependencies",
    "warning",
    __doc__,
    check_keyword=check,
    keywords=("dependencies",),
    presence=True,
    dialect_rule=True,
)
