"""References after the moves: each local one is resolved over the source and made to follow what it meant."""

from __future__ import annotations

import re
from typing import Any

from draftlift.change.operations import apply_to_value
from draftlift.normalize.plan import Plan
from draftlift.schema.dialects import dialect_of_uri
from draftlift.schema.survey import Reference, value_at
from draftlift.schema.uri import has_scheme
from draftlift.syntax.pointer import Pointer, decoded, index_of, to_fragment, tokens_of

_LEADING_ZERO = re.compile(r"/0[0-9]+(?:/|\Z)")


def follow_moves(plan: Plan) -> None:
    """Rewrite every reference through a moved place or to a renamed anchor; refuse what cannot be kept."""
    for reference in plan.survey.references:
        if reference.keyword != "$ref" or plan.is_removed(reference.pointer):
            continue
        if reference.kind == "remote":
            _remote(plan, reference)
        elif reference.kind == "local":
            _local(plan, reference)


def refuse_resurrections(plan: Plan) -> None:
    """Refuse where a reference that led nowhere would lead somewhere in the translated schema, or may do now."""
    dangling = [
        (reference, tokens) for reference in plan.survey.references if (tokens := _vain_tokens(plan, reference))
    ]
    if not dangling:
        return
    result = apply_to_value(plan.operations, plan.survey.root)
    for reference, tokens in dangling:
        fragment = decoded(reference.text.partition("#")[2])
        if _LEADING_ZERO.search(fragment) and _exists(plan.survey.root, (*reference.resource, *tokens), lenient=True):
            message = f"`{reference.text}` leads nowhere: an index has no leading zero, but some validators read on."
            plan.refuse("dangling-reference", reference.pointer, message)
        elif _exists(result, (*plan.moves.new_place(reference.resource), *tokens)):
            message = f"`{reference.text}` leads nowhere now, and would not any more."
            plan.refuse("dangling-reference", reference.pointer, message)


def _vain_tokens(plan: Plan, reference: Reference) -> tuple[str, ...]:
    """The tokens of a pointer that leads nowhere; none for any other reference."""
    if reference.kind != "dangling" or plan.is_removed(reference.pointer):
        return ()
    return tokens_of(decoded(reference.text.partition("#")[2])) or ()


def _exists(root: Any, pointer: Pointer, *, lenient: bool = False) -> bool:
    value = root
    for token in pointer:
        if isinstance(value, list):
            index = index_of((str(token).lstrip("0") or "0") if lenient else str(token))
            if index is None or index >= len(value):
                return False
            value = value[index]
        elif isinstance(value, dict) and token in value:
            value = value[token]
        else:
            return False
    return isinstance(value, (dict, bool))


def _remote(plan: Plan, reference: Reference) -> None:
    """Another document keeps its own dialect if it declares one: a published one is taken to, a file is not."""
    if dialect_of_uri(reference.uri) is None and not has_scheme(reference.uri):
        message = f"`{reference.text}` leads to another file, which may be read in the dialect of this one."
        plan.refuse("unknown-document", reference.pointer, message)


def _local(plan: Plan, reference: Reference) -> None:
    if plan.is_removed(reference.target) and not plan.survey.by_pointer[reference.target].data:
        message = f"`{reference.text}` leads to what has no place in 2020-12."
        plan.refuse("reference-out-of-place", reference.pointer, message)
        return
    if _is_named_in_dependencies(plan, reference):
        message = f"`{reference.text}` leads to an identifier inside `dependencies`, where 2020-12 sees no schema."
        plan.refuse("reference-out-of-place", reference.pointer, message)
        return
    new_text = plan.moves.new_text(reference)
    if reference.anchor is not None:
        head = reference.text.partition("#")[0]
        new_name = plan.renamed_anchors.get((reference.resource, reference.anchor))
        if _is_in_tuple(plan, reference):
            # Ajv, the validator of the MCP SDK, finds no name inside `prefixItems`, but it follows a pointer there.
            within = plan.moves.new_place(reference.target)[len(plan.moves.new_place(reference.resource)) :]
            new_text = f"{head}#{to_fragment(within)}"
        elif new_name is not None:
            new_text = f"{head}#{new_name}"
    if new_text is not None:
        plan.replace(reference.pointer, new_text)


def _is_named_in_dependencies(plan: Plan, reference: Reference) -> bool:
    """Whether the reference needs an identifier below a `dependencies` that means nothing: many validators see none there."""
    if plan.dialect.ref_hides_siblings:
        return False
    named = reference.target if reference.anchor is not None else reference.resource if reference.uri else ()
    return any(
        token == "dependencies" and (place := plan.survey.by_pointer.get(named[:end])) is not None and not place.data
        for end, token in enumerate(named)
    )


def _is_in_tuple(plan: Plan, reference: Reference) -> bool:
    """Whether the way from the resource to the place leads through an old tuple."""
    target = reference.target
    for end in range(len(reference.resource), len(target)):
        place = plan.survey.by_pointer.get(target[:end])
        if place is not None and target[end] == "items" and isinstance(value_at(place.schema, ("items",)), list):
            return True
    return False
