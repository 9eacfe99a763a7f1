"""Identifiers that the declared draft does not see, and the references that only they could serve.

By the letter such a reference leads to no place of the schema. Validators that look for identifiers everywhere find one,
so where one would be found nothing is translated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.normalize.plan import Plan
from draftlift.schema.survey import Reference, Survey
from draftlift.schema.uri import join
from draftlift.syntax.pointer import Pointer, decoded

_NAMES = ("$anchor", "$dynamicAnchor")


def refuse_hidden_identifiers(plan: Plan) -> None:
    """Refuse each reference that leads nowhere, unless by an identifier that stands where none is seen."""
    unmet = [reference for reference in plan.survey.references if _is_unmet(reference)]
    if not unmet:
        return
    uris: set[str] = set()
    names: set[str] = set()
    for uri, name in hidden_identifiers(plan.survey):
        uris.add(uri)
        names.add(name)
    for reference in unmet:
        if plan.is_removed(reference.pointer):
            continue
        name = decoded(reference.text.partition("#")[2])
        if reference.uri in uris if reference.kind == "remote" else name in names:
            message = (
                f"`{reference.text}` leads to an identifier where {plan.dialect.name} sees none; some validators do."
            )
            plan.refuse("identifier-out-of-place", reference.pointer, message)


def _is_unmet(reference: Reference) -> bool:
    fragment = reference.text.partition("#")[2]
    return reference.kind == "remote" or (reference.kind == "dangling" and not fragment.startswith("/"))


def hidden_identifiers(survey: Survey) -> Iterator[tuple[str, str]]:
    """The URI and the name that each identifier would give, of all that stand where the dialect sees none."""
    id_keyword = survey.dialect.id_keyword
    stack: list[tuple[Pointer, Any, str]] = [((), survey.root, "")]
    while stack:
        pointer, value, base = stack.pop()
        if isinstance(value, list):
            stack += [
                ((*pointer, index), item, base) for index, item in enumerate(value) if isinstance(item, (dict, list))
            ]
        if not isinstance(value, dict):
            continue
        place = survey.by_pointer.get(pointer)
        if place is not None:
            base = place.base
        seen = place is not None and place.honoured and not place.data and not survey.dialect.hides(value)
        for keyword in sorted({"$id", id_keyword} - ({id_keyword} if seen else set())):
            identifier = value.get(keyword)
            if isinstance(identifier, str):
                uri, _, name = identifier.partition("#")
                if uri:
                    base = join(base, uri)
                yield (base if uri else "#"), name
        for keyword in _NAMES:
            anchor = value.get(keyword)
            if isinstance(anchor, str) and not (seen and keyword in survey.dialect.keywords):
                yield "#", anchor
        stack += [((*pointer, key), item, base) for key, item in value.items() if isinstance(item, (dict, list))]
