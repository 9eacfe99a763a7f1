"""The value of what has a tag of YAML that is none of the core schema: only the application knows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.syntax.pointer import Pointer


class Unknown:
    """Stands in a value for what nobody here can tell. Two are equal where their text says the same."""

    __slots__ = ("content",)

    def __init__(self, content: tuple[object, ...]) -> None:
        self.content = content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unknown) and self.content == other.content

    def __hash__(self) -> int:
        return hash(self.content)

    def __repr__(self) -> str:
        return "Unknown()"


def is_in_doubt(value: Any) -> bool:
    """Whether a keyword's value is unknown, or an item of it is: it may be whatever the keyword demands."""
    if isinstance(value, list):
        return any(isinstance(item, Unknown) for item in value)
    if isinstance(value, dict):
        return any(
            isinstance(item, Unknown) or (isinstance(item, list) and is_in_doubt(item)) for item in value.values()
        )
    return isinstance(value, Unknown)


def unknown_places(root: Any) -> Iterator[Pointer]:
    """Where in a value something is unknown, in document order."""
    stack: list[tuple[Pointer, Any]] = [((), root)]
    while stack:
        pointer, value = stack.pop()
        if isinstance(value, dict):
            stack += [((*pointer, key), item) for key, item in reversed(value.items()) if _may_hold(item)]
        elif isinstance(value, list):
            stack += [
                ((*pointer, index), value[index]) for index in range(len(value) - 1, -1, -1) if _may_hold(value[index])
            ]
        elif isinstance(value, Unknown):
            yield pointer


def holds_unknown(root: Any) -> bool:
    """Whether something in a value is unknown."""
    level: list[Any] = [root]
    while level:
        below: list[Any] = []
        for value in level:
            if value.__class__ is dict:
                below += value.values()
            elif value.__class__ is list:
                below += value
            elif value.__class__ is Unknown:
                return True
        level = [value for value in below if value.__class__ not in _PLAIN]
    return False


_PLAIN = frozenset((str, int, float, bool, type(None)))


def _may_hold(value: Any) -> bool:
    return isinstance(value, (dict, list, Unknown))
