"""A keyword beside `$ref` has no effect.

## What it finds
In a schema that declares draft-04, -06 or -07: an assertion, applicator or identifier in an object that also has `$ref`.
Descriptions and other annotations are fine there.

## Why it matters
These drafts ignore everything beside `$ref`. The keyword looks like a rule and is none, unless the validator in use
breaks with its draft (Ajv does). In 2020-12 it counts, so the schema cannot be translated before somebody decides.

## Example
```json
{"$ref": "#/definitions/Name", "maxLength": 5}
```

## Instead
```json
{"allOf": [{"$ref": "#/definitions/Name"}, {"maxLength": 5}]}
```

## When no fix is offered
Letting it count is offered only where the keyword can come alive as it stands.

## References
JSON Schema draft-07, core, section 8.3: "All other properties in a '$ref' object MUST be ignored".
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.translation_refused import ignored_keywords


def check(view: View) -> Iterator[Report]:
    """Report what the normalizer found ignored beside a reference."""
    yield from ignored_keywords(
        view, "ref-sibling", "{dialect} ignores `{keyword}` beside `$ref`, so it checks nothing."
    )


RULE = Rule("ref-sibling-ignored", "warning", __doc__, check_schema=check, dialect_rule=True)
