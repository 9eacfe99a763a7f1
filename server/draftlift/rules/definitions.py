"""`definitions` is used where `$defs` is meant.

## What it finds
In a 2019-09 or 2020-12 schema: the older word for the place of reusable subschemas.

## Why it matters
It does not: references into `definitions` work in 2020-12, which keeps the word. `$defs` is its name today, and some
tools look for nothing else.

## Example
```json
{"definitions": {"Name": {"type": "string"}}, "properties": {"a": {"$ref": "#/definitions/Name"}}}
```

## Instead
```json
{"$defs": {"Name": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/Name"}}}
```

## When no fix is offered
Where the same object has `$defs` as well, or a reference goes through a place that the text shares.

## References
JSON Schema 2020-12, core, section 8.2.4 and appendix D.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.change.moves import Moves
from draftlift.change.operations import Operation, RenameKey, ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.schema.survey import Place


def check(view: View, place: Place, name: str, _: Any) -> Iterator[Report]:
    """Report the keyword at its key, with a renaming that references follow."""
    if view.survey is None or view.dialect is None or view.dialect.ref_hides_siblings:
        return
    pointer = (*place.pointer, name)
    repairs: tuple[Repair, ...] = ()
    if "$defs" not in place.schema:
        moves = Moves()
        moves.rename(pointer, "$defs")
        operations: list[Operation] = [RenameKey(pointer, "$defs")]
        for reference in view.survey.references:
            text = moves.new_text(reference)
            if text is not None:
                operations.append(ReplaceValue(reference.pointer, text))
        repairs = (Repair("Rename `definitions` to `$defs`, with its references", tuple(operations)),)
    yield Report(pointer, "key", f"{view.subject}: `definitions` is called `$defs` since 2019-09.", repairs)


RULE = Rule("definitions", "hint", __doc__, check_keyword=check, keywords=("definitions",))
