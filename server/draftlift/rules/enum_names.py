"""`enumNames` gives titles to choices.

## What it finds
`enumNames` in the `requestedSchema` of an elicitation. Not for a target revision before 2025-11-25, which knows no
other form.

## Why it matters
It is no JSON Schema keyword. MCP calls the form legacy since 2025-11-25 and will remove it; titled choices are a list of
`const` and `title`.

## Example
```json
{"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]}
```

## Instead
```json
{"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]}
```

## When no fix is offered
Where `enum` and `enumNames` are not two arrays of strings of the same length, or the new keyword is taken.

## References
SEP-1330; MCP 2025-11-25, client/elicitation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.change.operations import Operation, RemoveMember, RenameKey, ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, value: Any) -> Iterator[Report]:
    """Report the keyword at its key."""
    if view.site.kind != "elicitation" or view.target < "2025-11-25":
        return
    pointer = (*place.pointer, name)
    yield Report(
        pointer,
        "key",
        f"{view.subject}: `enumNames` is a legacy form that MCP will remove. Write the choices as `oneOf` of `const` and "
        "`title`.",
        _repairs(place, pointer, value),
    )


def _repairs(place: Place, pointer: tuple[str | int, ...], names: Any) -> tuple[Repair, ...]:
    choices = place.schema.get("enum")
    new = "anyOf" if place.pointer and place.pointer[-1] == "items" else "oneOf"  # schema.ts: many choices use anyOf
    if not _strings(choices) or not _strings(names) or len(choices) != len(names) or new in place.schema:
        return ()
    titled = [{"const": choice, "title": title} for choice, title in zip(choices, names, strict=True)]
    enum = (*place.pointer, "enum")
    operations: tuple[Operation, ...] = (RenameKey(enum, new), ReplaceValue(enum, titled), RemoveMember(pointer))
    return (Repair(f"Write the choices as `{new}` of `const` and `title`", operations, preferred=True),)


def _strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


RULE = Rule("enum-names", "warning", __doc__, check_keyword=check, keywords=("enumNames",))
