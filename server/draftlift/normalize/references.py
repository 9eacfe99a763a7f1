"""References after the moves: each local one is resolved over the source and made to follow what it meant."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from draftlift.normalize.plan import Plan
from draftlift.schema.dialects import dialect_of_uri
from draftlift.schema.survey import Reference, has_scheme, value_at
from draftlift.syntax.pointer import Pointer


def follow_moves(plan: Plan) -> None:
    """Rewrite every reference through a moved place or to a renamed anchor; refuse what cannot be kept."""
    for reference in plan.survey.references:
        if reference.keyword != "$ref" or plan.is_removed(reference.pointer):
            continue
        if reference.kind == "remote":
            _remote(plan, reference)
        elif reference.kind == "local":
            _local(plan, reference)


def refuse_resurrections(plan: Plan, result: Any) -> None:
    """Refuse where a reference that led nowhere would lead somewhere in the translated schema."""
    for reference in plan.survey.references:
        if reference.kind != "dangling" or plan.is_removed(reference.pointer):
            continue
        fragment = unquote(reference.text.partition("#")[2])
        if not fragment.startswith("/"):
            continue
        tokens = [token.replace("~1", "/").replace("~0", "~") for token in fragment[1:].split("/")]
        if _exists(result, (*plan.moves.new_place(reference.resource), *tokens)):
            plan.refuse(
                "dangling-reference",
                reference.pointer,
                f"`{reference.text}` leads nowhere now, and would not any more.",
            )


def _exists(root: Any, pointer: Pointer) -> bool:
    indexed = tuple(int(token) if isinstance(token, str) and token.isdecimal() else token for token in pointer)
    for candidate in (pointer, indexed):
        try:
            if isinstance(value_at(root, candidate), (dict, bool)):
                return True
        except LookupError:
            continue
    return False


def _remote(plan: Plan, reference: Reference) -> None:
    """Another document keeps its own dialect if it declares one: a published one is taken to, a file is not."""
    if dialect_of_uri(reference.uri) is None and not has_scheme(reference.uri):
        message = f"`{reference.text}` leads to another file, which may be read in the dialect of this one."
        plan.refuse("unknown-document", reference.pointer, message)


def _local(plan: Plan, reference: Reference) -> None:
    new_text = plan.moves.new_text(reference)
    if reference.anchor is not None:
        new_name = plan.renamed_anchors.get((reference.resource, reference.anchor))
        if new_name is not None:
            new_text = f"{reference.text.partition('#')[0]}#{new_name}"
    if new_text is not None:
        plan.replace(reference.pointer, new_text)
