"""Where a schema is invalid in a dialect, whatever dialect it declares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from draftlift.schema.dialects import Keyword, has_form
from draftlift.schema.survey import Survey
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.unknown import Unknown, is_in_doubt


@dataclass(frozen=True, slots=True)
class Fault:
    """A value that is not what the metaschema demands; ``keyword`` is None where a schema is what must stand."""

    pointer: Pointer
    value: Any
    keyword: Keyword | None


def faults(found: Survey) -> Iterator[Fault]:
    """All such places, in document order, but what nobody can tell; an array under ``items`` is one where the dialect knows no tuples."""
    dialect = found.dialect
    for place in found.places:
        schema = place.schema
        if place.data or place.foreign or not place.honoured:
            continue
        if isinstance(schema, dict):
            hidden = dialect.hides(schema)
            for name, value in schema.items():
                keyword = dialect.keywords.get(name)
                if keyword is None or has_form(value, keyword.form) or (hidden and keyword.role != "container"):
                    continue
                if is_in_doubt(value):
                    continue
                yield Fault((*place.pointer, name), value, keyword)
        elif not dialect.is_schema(schema) and not isinstance(schema, Unknown):
            yield Fault(place.pointer, schema, None)
