"""The normalizer: one decoded JSON Schema document to the 2020-12 dialect, with every verdict kept, or the reasons why not.

It knows values and pointers only, no text and no tree. Invariants: the input is never changed; on every path but a
translation the very same object comes back; a refusal carries no operations; all causes are given, in document order,
the same on every run; what comes out is valid 2020-12 if what went in was valid in its own dialect.

Outside the promise, because no rewrite could keep it: validators that assert ``format`` or ``content…`` by a dialect's
own list, and draft-04's reading of 1.0 as no integer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from draftlift.change.operations import (
    InsertMember,
    MoveMembers,
    Operation,
    RenameKey,
    ReplaceValue,
    apply_to_value,
)
from draftlift.change.refusal import Refusal
from draftlift.normalize.contains import refuse_seen_contains
from draftlift.normalize.identifiers import Doubles, refuse_hidden_identifiers
from draftlift.normalize.plan import Inert, Plan, prefixes
from draftlift.normalize.references import follow_moves, refuse_resurrections
from draftlift.normalize.refusals import REASONS, Reason
from draftlift.normalize.shortcut import only_declares
from draftlift.normalize.steps import translate_place
from draftlift.schema.dialects import CANONICAL_2020_12, DRAFT_2020_12, dialect_of_uri
from draftlift.schema.survey import Place, Survey, survey, value_at
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.unknown import holds_unknown, unknown_places

__all__ = ["REASONS", "Inert", "Reason", "Refusal", "Result", "Status", "normalize"]

Status = Literal["translated", "unchanged", "refused", "unsupported"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the schema ``source``.

    ``refusals`` are all causes in document order. ``operations`` are on pointers of the source, and empty unless
    translated.
    """

    source: Any
    status: Status
    refusals: tuple[Refusal, ...] = ()
    operations: tuple[Operation, ...] = ()
    _translated: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def schema(self) -> Any:
        """The 2020-12 schema where ``status`` is ``translated``, and the object that came in otherwise.

        It is made when it is first asked for. Parts that no operation touched are shared between the two.
        """
        if not self.operations:
            return self.source
        if not self._translated:
            self._translated.append(apply_to_value(self.operations, self.source))
        return self._translated[0]

    @property
    def changed(self) -> bool:
        """Whether the schema was translated."""
        return self.status == "translated"

    @property
    def skipped(self) -> bool:
        """Whether the dialect is one of those translated from, but the schema had to be left alone."""
        return self.status == "refused"

    @property
    def unsupported_dialect(self) -> bool:
        """Whether the schema declares a dialect that is neither 2020-12 nor one of those translated from."""
        return self.status == "unsupported"

    @property
    def reason(self) -> str:
        """The first refusal's sentence, or an empty string."""
        return self.refusals[0].message if self.refusals else ""


def normalize(
    schema: Any,
    *,
    inert: Inert = "refuse",
    counting: frozenset[Pointer] = frozenset(),
    surveyed: Survey | None = None,
) -> Result:
    """Translate a schema that declares draft-04, -06, -07 or 2019-09 to 2020-12.

    ``inert`` says what becomes of keywords that the source ignores and 2020-12 would enforce: ``refuse`` leaves the
    whole schema alone and names them, ``remove`` takes them out, which keeps every verdict too. ``counting`` names such
    places that shall come alive: then verdicts do change, by the caller's wish. ``surveyed`` may bring a survey of this
    very schema. A schema that declares no dialect is 2020-12 already (SEP-1613) and never guessed at.
    """
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(declared, str):
        return Result(schema, "unchanged")
    dialect = dialect_of_uri(declared)
    if dialect is None:
        return Result(schema, "unsupported")
    if dialect is DRAFT_2020_12:
        return Result(schema, "unchanged")
    if holds_unknown(schema):
        return Result(schema, "refused", tuple(map(_unknown, unknown_places(schema))))
    if surveyed is None and only_declares(schema, dialect):
        operations: list[Operation] = []
        for name in schema:
            if name == "$schema":
                operations.append(ReplaceValue((name,), CANONICAL_2020_12))
            elif name == "id" and dialect.id_keyword == "id":
                operations.append(RenameKey((name,), "$id"))
        return Result(schema, "translated", (), tuple(operations))
    found = surveyed if surveyed is not None else survey(schema, dialect)
    plan = Plan(found, inert, counting)
    _translate(plan)
    if not plan.refusals:
        refuse_resurrections(plan)
    if not plan.refusals:
        return Result(schema, "translated", (), tuple(plan.operations))
    refusals = sorted(set(plan.refusals), key=lambda refusal: (found.document_order(refusal.pointer), refusal.id))
    return Result(schema, "refused", tuple(refusals))


def _unknown(pointer: Pointer) -> Refusal:
    keyword = next((token for token in reversed(pointer) if isinstance(token, str)), "")
    return Refusal(
        "unknown-value", pointer, keyword, "Only the application that reads this tag knows what stands here."
    )


def _translate(plan: Plan) -> None:
    found = plan.survey
    if found.beyond_bounds is not None:
        plan.refuse("too-large", found.beyond_bounds, "The schema is deeper or larger than draftlift looks.")
        return
    doubles = Doubles(plan)
    doubles.refuse_references()
    data: list[Place] = []
    for place in found.places:
        if place.data:
            data.append(place)
        elif not plan.is_removed(place.pointer):
            translate_place(plan, place)
    doubles.refuse_losses()
    refuse_seen_contains(plan)
    follow_moves(plan)
    refuse_hidden_identifiers(plan)
    if not plan.refusals:
        _refuse_collisions(plan)
    if data:
        _keep_data(plan, data)


def _refuse_collisions(plan: Plan) -> None:
    """No two members can have one key: where a new key is taken by a member that stays, nothing is translated."""
    renamed = {operation.pointer for operation in plan.operations if isinstance(operation, RenameKey)}
    for operation in plan.operations:
        if isinstance(operation, RenameKey):
            taken = (*operation.pointer[:-1], operation.new_key)
        elif isinstance(operation, InsertMember):
            taken = (*operation.pointer, operation.key)
        elif isinstance(operation, MoveMembers):
            taken = (*operation.pointer, *operation.path)
        else:
            continue
        if taken in renamed or taken in plan.removed or taken[-1] not in value_at(plan.survey.root, taken[:-1]):
            continue
        plan.refuse("inert-keyword", taken, f"Something else has to become `{taken[-1]}`, which stands here already.")


def _keep_data(plan: Plan, places: list[Place]) -> None:
    """What a reference uses as a schema though it is none must stay, so a translation must have nothing to do there."""
    trial = Plan(plan.survey, "refuse")
    for place in places:
        translate_place(trial, place)
    touched = prefixes(
        [
            *_touched(trial.operations),
            *_touched(plan.operations),
            *(refusal.pointer for refusal in trial.refusals),
        ]
    )
    for reference in plan.survey.references if touched else ():
        target = plan.survey.by_pointer[reference.target] if reference.kind == "local" else None
        if target is not None and target.data and target.pointer in touched:
            message = (
                f"`{reference.text}` uses as a schema what is data or a list of names as well: as the one it has to "
                "change, as the other to stay."
            )
            plan.refuse("reference-into-data", reference.pointer, message)


def _touched(operations: Iterable[Operation]) -> Iterable[Pointer]:
    """The places whose value is another one after an operation."""
    for operation in operations:
        yield operation.pointer[:-1] if isinstance(operation, RenameKey) else operation.pointer
        if isinstance(operation, MoveMembers):
            yield from operation.members
