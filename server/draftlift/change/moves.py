"""Members that get another place, and the references that follow them.

A reference is resolved over the source and mended by where its target goes; text is never replaced by search.
"""

from __future__ import annotations

from draftlift.schema.survey import Reference
from draftlift.syntax.pointer import Pointer, to_fragment


class Moves:
    """Where members of a schema go. Pointers are the source's."""

    __slots__ = ("_moves",)

    def __init__(self) -> None:
        self._moves: dict[Pointer, tuple[int, Pointer]] = {}

    def rename(self, pointer: Pointer, new_key: str) -> None:
        """The member at ``pointer`` gets another key."""
        self._moves[pointer] = (0, (new_key,))

    def carry(self, member: Pointer, holder: Pointer, path: Pointer) -> None:
        """A member goes, with its key, into the object reached from ``holder`` by ``path``."""
        self._moves[member] = (len(member) - len(holder) - 1, (*path, member[-1]))

    def new_place(self, pointer: Pointer) -> Pointer:
        """Where the value at a pointer is afterwards."""
        if not self._moves:
            return pointer
        out: list[str | int] = []
        for end in range(1, len(pointer) + 1):
            move = self._moves.get(pointer[:end])
            if move is None:
                out.append(pointer[end - 1])
            else:
                dropped, tail = move
                del out[len(out) - dropped :]
                out += tail
        return tuple(out)

    def new_text(self, reference: Reference) -> str | None:
        """What a local reference by JSON Pointer must say afterwards; None where it may stay as it is."""
        uri, _, fragment = reference.text.partition("#")
        if not self._moves or not fragment or reference.kind != "local" or reference.anchor is not None:
            return None
        old = reference.target[len(reference.resource) :]
        new = self.new_place(reference.target)[len(self.new_place(reference.resource)) :]
        return None if old == new else f"{uri}#{_fragment(fragment, old, new)}"


def _fragment(fragment: str, old: Pointer, new: Pointer) -> str:
    """The fragment for ``new``; what it has in common with ``old`` stays written as it was."""
    raw = fragment[1:].split("/")
    if len(raw) != len(old):  # an encoded slash
        return to_fragment(new)
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return (
        "".join("/" + token for token in raw[:head])
        + to_fragment(new[head : len(new) - tail])
        + "".join("/" + token for token in raw[len(raw) - tail :])
    )
