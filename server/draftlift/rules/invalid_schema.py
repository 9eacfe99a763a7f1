"""A schema is invalid in its own dialect.

## What it finds
A keyword whose value is not what its dialect's metaschema demands (a misspelt type, a negative `minLength`, `properties`
that is an array), or something other than a schema where a schema must stand.

## Why it matters
MCP demands valid schemas. Validators refuse to compile such a schema or skip parts of it without a word.

## Example
```json
{"type": "object", "properties": {"age": {"type": "int"}}}
```

## Instead
```json
{"type": "object", "properties": {"age": {"type": "integer"}}}
```

## When no fix is offered
Never is one: what was meant is the author's to say.

## References
MCP 2025-11-25 and 2026-07-28, basic, "JSON Schema Usage"; the metaschemas of JSON Schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.rules.base import Report, Rule, View
from draftlift.schema.dialects import FORM_IN_WORDS, Dialect, Keyword, has_form


def check(view: View) -> Iterator[Report]:
    """Report each misformed keyword at its key, and each thing that is no schema."""
    dialect = view.dialect
    if view.survey is None or dialect is None:
        return
    if isinstance(view.value, dict) and not isinstance(view.declared, str | None):
        yield Report(("$schema",), "key", f"{view.subject}: `$schema` must be a string, the URI of a dialect.")
    for place in view.survey.places:
        schema = place.schema
        if place.data or place.foreign or not place.honoured:
            continue
        if isinstance(schema, dict):
            hidden = dialect.hides(schema)
            for name, value in schema.items():
                keyword = dialect.keywords.get(name)
                if keyword is None or has_form(value, keyword.form) or (hidden and keyword.role != "container"):
                    continue
                if not _has_its_own_rule(dialect, keyword, value):
                    yield Report(
                        (*place.pointer, name),
                        "key",
                        f"{view.subject}: `{name}` must be {FORM_IN_WORDS[keyword.form]} in {dialect.name}; "
                        "like this the schema is invalid, and clients refuse it.",
                    )
        elif not dialect.is_schema(schema) and not (place.pointer[-1] == "items" and isinstance(schema, list)):
            named = isinstance(place.pointer[-1], str)
            yield Report(
                place.pointer,
                "key" if named else "value",
                f'{view.subject}: a schema must stand here, an object such as `{{"type": "string"}}`; '
                "like this the schema is invalid, and clients refuse it.",
            )


def _has_its_own_rule(dialect: Dialect, keyword: Keyword, value: Any) -> bool:
    name = keyword.name
    return (
        name == "$schema"
        or (name == "required" and not isinstance(value, list))
        or (name in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool))
        or (name in ("$id", "$recursiveAnchor", "$recursiveRef") and not (isinstance(value, str) and "#" not in value))
    )


RULE = Rule("invalid-schema", "error", __doc__, check_schema=check)
