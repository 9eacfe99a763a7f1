"""Identifiers that the declared draft does not see, or that stand twice, and the references that could mean them.

By the letter a reference leads to no identifier that its draft ignores, and of two equal ones nobody says which is meant.
Validators that look for identifiers everywhere find one, or give up, so there nothing is translated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from draftlift.normalize.plan import Plan
from draftlift.schema.dialects import DRAFT_2020_12, Dialect
from draftlift.schema.survey import Reference, Survey
from draftlift.schema.uri import join
from draftlift.syntax.pointer import Pointer, decoded

_NAMES = ("$anchor", "$dynamicAnchor")


@dataclass(frozen=True, slots=True)
class Hidden:
    """An identifier at ``place`` that the dialect does not see: the URI and the name it would give, empty where none.

    ``in_view`` says that some dialect looks there, so that only a `$ref` beside it, or the age of the draft, hides it.
    """

    place: Pointer
    keyword: str
    uri: str
    name: str
    in_view: bool


def refuse_hidden_identifiers(plan: Plan) -> None:
    """Refuse each reference that leads nowhere, unless by an identifier that stands where none is seen."""
    unmet = [reference for reference in plan.survey.references if _is_unmet(reference)]
    if not unmet:
        return
    hidden = list(hidden_identifiers(plan.survey))
    uris = {one.uri for one in hidden if one.uri}
    names = {one.name for one in hidden}
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


class Doubles:
    """The identifiers of one schema that stand twice."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        survey = plan.survey
        named = {name: place for (_, name), place in survey.anchors.items()}
        hidden = list(hidden_identifiers(survey)) if survey.resources or named else []
        self._uris = [one for one in hidden if one.uri and survey.resources.get(one.uri, one.place) != one.place]
        self._names = [one for one in hidden if one.in_view and named.get(one.name, one.place) != one.place]

    def refuse_references(self) -> None:
        """Refuse each name that a resource has twice, and each reference that may mean either of two."""
        plan, survey = self._plan, self._plan.survey
        for pointer in survey.doubled_anchors:
            plan.refuse("ambiguous-anchor", pointer, "Another subschema of this resource has the same name.")
        in_view = survey.doubled_resources | {one.uri for one in self._uris if one.in_view}
        anywhere = in_view | {one.uri for one in self._uris}
        names = {one.name for one in self._names}
        if not anywhere and not names:
            return
        for reference in survey.references:
            if reference.uri:
                leads_to_one = reference.uri in in_view
            else:
                leads_to_one = survey.by_pointer[reference.resource].base in anywhere
            if leads_to_one or (reference.anchor is not None and reference.anchor in names):
                message = f"`{reference.text}` leads to an identifier that two subschemas have."
                plan.refuse("ambiguous-anchor", reference.pointer, message)

    def refuse_losses(self) -> None:
        """Refuse each that a step takes out: validators that gave up at the two would go on with the one."""
        plan, survey = self._plan, self._plan.survey
        id_keyword = plan.dialect.id_keyword
        doubled = [(*one.place, one.keyword) for one in self._uris]
        if survey.doubled_resources:
            doubled += [
                (*place.pointer, id_keyword)
                for place in survey.places
                if place.pointer == place.resource and place.base in survey.doubled_resources
            ]
        for pointer in doubled:
            if plan.is_removed(pointer):
                message = "Another subschema has the same identifier, and validators that give up there would go on."
                plan.refuse("ambiguous-anchor", pointer, message)


def hidden_identifiers(survey: Survey) -> Iterator[Hidden]:
    """All identifiers that stand where the dialect sees none."""
    id_keyword = survey.dialect.id_keyword
    stack: list[tuple[Pointer, Any, str, bool]] = [((), survey.root, "", True)]
    while stack:
        pointer, value, base, in_view = stack.pop()
        if isinstance(value, list):
            stack += [
                ((*pointer, index), item, base, in_view)
                for index, item in enumerate(value)
                if isinstance(item, (dict, list))
            ]
        if not isinstance(value, dict):
            continue
        place = survey.by_pointer.get(pointer)
        if place is not None:
            base, in_view = place.base, not place.data
        seen = place is not None and place.honoured and not place.data and not survey.dialect.hides(value)
        for keyword in sorted({"$id", id_keyword} - ({id_keyword} if seen else set())):
            identifier = value.get(keyword)
            if isinstance(identifier, str):
                uri, _, name = identifier.partition("#")
                if uri:
                    base = join(base, uri)
                yield Hidden(pointer, keyword, base if uri else "", name, in_view)
        for keyword in _NAMES:
            anchor = value.get(keyword)
            if isinstance(anchor, str) and not (seen and keyword in survey.dialect.keywords):
                yield Hidden(pointer, keyword, "", anchor, in_view)
        for key, item in value.items():
            if isinstance(item, (dict, list)):
                stack.append(
                    ((*pointer, key), item, base, _holds_schemas(survey.dialect, key) if place is not None else in_view)
                )


def _holds_schemas(dialect: Dialect, name: str) -> bool:
    return any(
        keyword is not None and keyword.applicator is not None
        for keyword in (dialect.keywords.get(name), DRAFT_2020_12.keywords.get(name))
    )
