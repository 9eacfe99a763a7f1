"""A keyword is newer than the declared dialect.

## What it finds
In a schema that declares an older dialect: a keyword which that dialect does not know and 2020-12 enforces, such as
`const` in draft-04 or `dependentRequired` in draft-07; or one to which 2020-12 gives another form.

## Why it matters
By the letter of its draft the keyword does nothing, though it was surely meant to. A translation would bring it to life,
so the schema cannot be translated before somebody decides.

## Example
```json
{"$schema": "http://json-schema.org/draft-07/schema#", "dependentRequired": {"card": ["zip"]}}
```

## Instead
```json
{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"card": ["zip"]}}
```

## When no fix is offered
Letting it count is offered only where the keyword can come alive as it stands. Where the schema as a whole is valid
2020-12, and nothing in it is older, so that only the declaration seems wrong, declaring 2020-12 is offered as well.

## References
JSON Schema draft-07, core, section 6.4: unknown keywords are to be ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, View
from draftlift.rules.translation_refused import ignored_keywords


def check(view: View) -> Iterator[Report]:
    """Report what the normalizer found to be unknown to the dialect and alive in 2020-12."""
    yield from ignored_keywords(
        view, "inert-keyword", "{dialect} does not know `{keyword}` in this form and ignores it."
    )


RULE = Rule("inert-keyword", "warning", __doc__, check_schema=check, dialect_rule=True)
