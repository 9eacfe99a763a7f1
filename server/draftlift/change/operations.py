"""What a translation does, as data: operations on source pointers, and the interpreter that applies them to a value.

The other interpreter, for text, is ``draftlift.edits``. The law that binds them: the edited text parses to exactly what
``apply_to_value`` gives. So an operation says what changes, never how it looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from draftlift.syntax.pointer import Pointer


@dataclass(frozen=True, slots=True)
class RenameKey:
    """Give the member at ``pointer`` another key; value and place among its siblings stay."""

    pointer: Pointer
    new_key: str


@dataclass(frozen=True, slots=True)
class ReplaceValue:
    """Put ``value`` where a value stands. A translation replaces strings by strings; a rule's fix may do more."""

    pointer: Pointer
    value: Any


@dataclass(frozen=True, slots=True)
class RemoveMember:
    """Take a member out of its object."""

    pointer: Pointer


@dataclass(frozen=True, slots=True)
class InsertMember:
    """Put a new member into the object at ``pointer``: behind the sibling ``after``, or first where that is None."""

    pointer: Pointer
    key: str
    value: Any
    after: str | None


@dataclass(frozen=True, slots=True)
class MoveMembers:
    """Move members, with their keys, into a new object below the object at ``pointer``, reached by the keys of ``path``.

    ``members`` are siblings; they lie directly in the object, or in one of its members. The new object stands behind
    the member of the object that holds or is the first of them.
    """

    pointer: Pointer
    members: tuple[Pointer, ...]
    path: tuple[str, ...]


Operation: TypeAlias = "RenameKey | ReplaceValue | RemoveMember | InsertMember | MoveMembers"


class _Change:
    """All that happens at one pointer, and below it."""

    __slots__ = ("below", "gone", "inserts", "moves", "new_key", "replaced", "value")

    def __init__(self) -> None:
        self.below: dict[str | int, _Change] = {}
        self.gone = False
        self.new_key: str | None = None
        self.replaced = False
        self.value: Any = None
        self.inserts: list[InsertMember] = []
        self.moves: list[MoveMembers] = []

    def at(self, pointer: Pointer) -> _Change:
        change = self
        for token in pointer:
            change = change.below.setdefault(token, _Change())
        return change


def apply_to_value(operations: Iterable[Operation], value: Any) -> Any:
    """The value after all operations, whose pointers all refer to the value before any of them.

    The input is not changed. The result shares with it whatever no operation touches: treat both as read-only.
    """
    root = _Change()
    for operation in operations:
        change = root.at(operation.pointer)
        if isinstance(operation, RenameKey):
            change.new_key = operation.new_key
        elif isinstance(operation, ReplaceValue):
            change.replaced, change.value = True, operation.value
        elif isinstance(operation, RemoveMember):
            change.gone = True
        elif isinstance(operation, InsertMember):
            change.inserts.append(operation)
        else:
            change.moves.append(operation)
            for pointer in operation.members:
                root.at(pointer).gone = True
    return _apply(root, value)


def _apply(change: _Change, value: Any) -> Any:
    if change.replaced:
        return change.value
    if isinstance(value, list):
        return [
            _apply(change.below[index], item) if index in change.below else item for index, item in enumerate(value)
        ]
    if not isinstance(value, dict):
        return value
    result: dict[str, Any] = {insert.key: insert.value for insert in change.inserts if insert.after is None}
    for key, item in value.items():
        below = change.below.get(key)
        if below is None:
            result[key] = item
        elif not below.gone:
            result[below.new_key or key] = _apply(below, item)
        for move in change.moves:
            if move.members[0][len(move.pointer)] == key:
                _put(result, move.path, _moved(change, move, value))
        for insert in change.inserts:
            if insert.after == key:
                result[insert.key] = insert.value
    return result


def _moved(change: _Change, move: MoveMembers, value: Any) -> dict[str, Any]:
    """The members a move takes along, each with what happens below it."""
    moved = {}
    for pointer in move.members:
        below, item = change, value
        for token in pointer[len(move.pointer) :]:
            below, item = below.below[token], item[token]
        moved[str(pointer[-1])] = _apply(below, item)
    return moved


def _put(result: dict[str, Any], path: tuple[str, ...], members: dict[str, Any]) -> None:
    for key in path[:-1]:
        result = result.setdefault(key, {})
    result[path[-1]] = members


def below(operation: Operation, prefix: Pointer, *, drop: int = 0) -> Operation:
    """The same operation seen from elsewhere: ``drop`` tokens taken off the front of its pointers, ``prefix`` put there."""
    pointer = prefix + operation.pointer[drop:]
    if isinstance(operation, MoveMembers):
        return replace(
            operation, pointer=pointer, members=tuple(prefix + member[drop:] for member in operation.members)
        )
    return replace(operation, pointer=pointer)
