"""`$defs` before 2019-09: nobody looks in there but through a reference, and in 2020-12 some validators look at all of it.

They resolve every reference that stands there, used or not. One that leads nowhere, or away, fails them at once.
"""

from __future__ import annotations

from draftlift.schema.dialects import dialect_of_uri
from draftlift.schema.survey import Place, Reference, Survey, subschemas
from draftlift.syntax.pointer import Pointer


def is_ignored_definition(survey: Survey, place: Place) -> bool:
    """Whether the place is one of the schemas by name in a `$defs` that the dialect does not know."""
    if "$defs" in survey.dialect.keywords or len(place.pointer) < 2 or place.pointer[-2] != "$defs":
        return False
    holder = survey.by_pointer.get(place.pointer[:-2])
    return holder is not None and not holder.data and isinstance(holder.schema, dict)


def awoken_references(survey: Survey) -> dict[Pointer, Reference]:
    """The ignored definitions through which a reference without a place at hand comes to be looked at, with that one."""
    if "$defs" in survey.dialect.keywords or not any(is_ignored_definition(survey, place) for place in survey.places):
        return {}
    unmet = [reference for reference in survey.references if _is_unmet(survey, reference)]
    if not unmet:
        return {}
    used = _used(survey)
    referrers: dict[Pointer, list[Pointer]] = {}
    for reference in survey.references:
        if reference.kind == "local":
            referrers.setdefault(reference.target, []).append(reference.place.pointer)
    found: dict[Pointer, Reference] = {}
    seen: set[Pointer] = set()
    stack = [(reference.place.pointer, reference) for reference in reversed(unmet)]
    while stack:
        pointer, reference = stack.pop()
        if pointer in used or pointer in seen:
            continue
        seen.add(pointer)
        stack += [(referrer, reference) for referrer in referrers.get(pointer, ())]
        if is_ignored_definition(survey, survey.by_pointer[pointer]):
            found[pointer] = reference
        else:
            outer = next(pointer[:end] for end in range(len(pointer) - 1, -1, -1) if pointer[:end] in survey.by_pointer)
            stack.append((outer, reference))
    return found


def _is_unmet(survey: Survey, reference: Reference) -> bool:
    """Whether a reference leads to no schema of this document, nor to a dialect's own."""
    if reference.kind == "remote":
        return dialect_of_uri(reference.uri) is None
    return reference.kind == "dangling" or survey.by_pointer[reference.target].data


def _used(survey: Survey) -> set[Pointer]:
    """The places that the dialect sees, and those to which references in these lead."""
    targets: dict[Pointer, list[Pointer]] = {}
    for reference in survey.references:
        if reference.kind == "local":
            targets.setdefault(reference.place.pointer, []).append(reference.target)
    used: set[Pointer] = set()
    stack: list[Pointer] = [()]
    while stack:
        pointer = stack.pop()
        place = survey.by_pointer.get(pointer)
        if place is None or pointer in used:
            continue
        used.add(pointer)
        stack += targets.get(pointer, ())
        if isinstance(place.schema, dict) and not place.foreign:
            inner = subschemas(place.schema, survey.dialect)
            stack += [(*pointer, *tail) for tail, _, _ in inner if tail[0] != "$defs"]
    return used
