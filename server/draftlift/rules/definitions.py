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
Where the same object has `$defs` as well, a reference goes through a place that the text shares, or a subschema declares
another dialect or has a tag that only its application knows, since draftlift does not look for references in there. The strings in the `mapping` of a `discriminator`
(OpenAPI) go along.

## References
JSON Schema 2020-12, core, section 8.2.4 and appendix D.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from draftlift.change.moves import Moves
from draftlift.change.operations import Operation, RenameKey, ReplaceValue
from draftlift.rules.base import Repair, Report, Rule, View
from draftlift.schema.survey import Place, Reference, Survey, follow
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.unknown import holds_unknown


def check(view: View, place: Place, name: str, _: Any) -> Iterator[Report]:
    """Report the keyword at its key, with a renaming that references follow."""
    found = view.survey
    if found is None or view.dialect is None or view.dialect.ref_hides_siblings:
        return
    pointer = (*place.pointer, name)
    repairs: tuple[Repair, ...] = ()
    through = view.recall("references through definitions", lambda: _through_definitions(found))
    if "$defs" not in place.schema and through is not None:
        moves = Moves()
        moves.rename(pointer, "$defs")
        operations: list[Operation] = [RenameKey(pointer, "$defs")]
        for reference in through.get(pointer, ()):
            text = moves.new_text(reference)
            if text is not None:
                operations.append(ReplaceValue(reference.pointer, text))
        repairs = (Repair("Rename `definitions` to `$defs`, with its references", tuple(operations)),)
    yield Report(pointer, "key", f"{view.subject}: `definitions` is called `$defs` since 2019-09.", repairs)


def _through_definitions(found: Survey) -> dict[Pointer, list[Reference]] | None:
    """The references by each `definitions` that they lead through; None where some may be unseen."""
    if found.beyond_bounds is not None or holds_unknown(found.root) or any(place.foreign for place in found.places):
        return None
    through: dict[Pointer, list[Reference]] = {}
    for reference in (*found.references, *_discriminated(found)):
        target = reference.target
        for end, token in enumerate(target, 1):
            if token == "definitions":
                through.setdefault(target[:end], []).append(reference)
    return through


def _discriminated(found: Survey) -> Iterator[Reference]:
    """The references in the `mapping` of a `discriminator`, which OpenAPI knows and JSON Schema does not."""
    for place in found.places:
        discriminator = place.schema.get("discriminator") if isinstance(place.schema, dict) else None
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        for key, text in mapping.items() if isinstance(mapping, dict) and not place.data else ():
            if isinstance(text, str) and text.startswith("#/"):
                target = follow(found.root, place.resource, unquote(text[1:]))
                if target is not None:
                    pointer = (*place.pointer, "discriminator", "mapping", key)
                    yield Reference(pointer, "mapping", text, place, "local", target, place.resource)


RULE = Rule("definitions", "hint", __doc__, check_keyword=check, keywords=("definitions",))
