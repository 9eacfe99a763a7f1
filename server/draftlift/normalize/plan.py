"""The notebook of one translation: operations, refusals, and where moved places went."""

from __future__ import annotations

from typing import Any, Literal

from draftlift.change.moves import Moves
from draftlift.change.operations import MoveMembers, Operation, RemoveMember, RenameKey, ReplaceValue
from draftlift.change.refusal import Refusal
from draftlift.schema.dialects import Dialect
from draftlift.schema.survey import Survey
from draftlift.syntax.pointer import Pointer

Inert = Literal["refuse", "remove"]


class Plan:
    """Steps write into it; only ``normalize`` reads it out."""

    def __init__(self, survey: Survey, inert: Inert, counting: frozenset[Pointer] = frozenset()) -> None:
        self.survey = survey
        self.dialect: Dialect = survey.dialect
        self.inert_mode = inert
        self.counting = counting
        self.operations: list[Operation] = []
        self.refusals: list[Refusal] = []
        self.renamed_anchors: dict[tuple[Pointer, str], str] = {}
        self.removed: set[Pointer] = set()
        self.moves = Moves()
        self._referred: set[Pointer] | None = None

    def refuse(self, reason: str, pointer: Pointer, message: str) -> None:
        """Note one cause that forbids the translation. ``message`` is one sentence."""
        keyword = next((token for token in reversed(pointer) if isinstance(token, str)), "")
        self.refusals.append(Refusal(reason, pointer, keyword, message))

    def rename(self, pointer: Pointer, new_key: str) -> None:
        """Rename a member; references through it follow."""
        self.operations.append(RenameKey(pointer, new_key))
        self.moves.rename(pointer, new_key)

    def replace(self, pointer: Pointer, value: Any) -> None:
        """Replace a scalar."""
        self.operations.append(ReplaceValue(pointer, value))

    def remove(self, pointer: Pointer) -> None:
        """Remove a member to which nothing refers."""
        self.operations.append(RemoveMember(pointer))
        self.removed.add(pointer)

    def move(self, pointer: Pointer, members: tuple[Pointer, ...], path: tuple[str, ...]) -> None:
        """Move members of the object at ``pointer``, or of one of its members, into a new object; references follow."""
        self.operations.append(MoveMembers(pointer, members, path))
        for member in members:
            self.moves.carry(member, pointer, path)

    def inert(self, reason: str, pointer: Pointer, message: str, schema: dict[str, Any]) -> None:
        """A keyword that does nothing now and would do something in 2020-12: refuse, or take it out of the way.

        Taken out of the way means removed, or renamed ``x-…`` where a reference leads into it.
        """
        if pointer in self.counting:
            return
        if self.inert_mode == "refuse":
            self.refuse(reason, pointer, message)
        elif self.is_referred_to(pointer):
            new_key = f"x-{str(pointer[-1]).lstrip('$')}"
            while new_key in schema:
                new_key += "-"
            self.rename(pointer, new_key)
        else:
            self.remove(pointer)

    def is_removed(self, pointer: Pointer) -> bool:
        """Whether a place goes away, by itself or with something around it."""
        return bool(self.removed) and any(pointer[:end] in self.removed for end in range(1, len(pointer) + 1))

    def is_referred_to(self, pointer: Pointer) -> bool:
        """Whether a local reference leads to this place or below it."""
        if self._referred is None:
            self._referred = {
                reference.target[:end]
                for reference in self.survey.references
                if reference.kind == "local"
                for end in range(len(reference.target) + 1)
            }
        return pointer in self._referred
