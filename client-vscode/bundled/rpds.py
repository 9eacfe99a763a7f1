"""A stand-in for rpds-py, the one compiled package behind jsonschema, which no universal extension can carry.

It has what jsonschema and referencing use of it: values that never change, and that give a changed copy. A copy costs the
length of what is copied, where rpds shares; the schemas of tools are short, and the judge has a limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

__all__ = ["HashTrieMap", "HashTrieSet", "List"]


class HashTrieMap(Mapping[Any, Any]):
    """A mapping that never changes."""

    __slots__ = ("_members",)

    def __init__(self, value: Any = (), **more: Any) -> None:
        self._members: dict[Any, Any] = dict(value, **more)

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """The value itself where it is one of these."""
        return value if isinstance(value, cls) else cls(value)

    @classmethod
    def fromkeys(cls, keys: Iterable[Any], value: Any = None) -> HashTrieMap:
        """A mapping from each key to the same value."""
        return cls(dict.fromkeys(keys, value))

    def __getitem__(self, key: Any) -> Any:
        return self._members[key]

    def __contains__(self, key: object) -> bool:
        return key in self._members

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __eq__(self, other: object) -> bool:
        return self._members == other._members if isinstance(other, HashTrieMap) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._members.items()))

    def __repr__(self) -> str:
        return f"HashTrieMap({self._members!r})"

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default."""
        return self._members.get(key, default)

    def insert(self, key: Any, val: Any) -> HashTrieMap:
        """A copy where a key has this value."""
        return HashTrieMap({**self._members, key: val})

    def update(self, *others: Any, **more: Any) -> HashTrieMap:
        """A copy with the members of all others, later ones first."""
        members = dict(self._members)
        for other in (*others, more):
            members.update(other)
        return HashTrieMap(members)

    def remove(self, key: Any) -> HashTrieMap:
        """A copy without a key. Raises KeyError where it is not there."""
        members = dict(self._members)
        del members[key]
        return HashTrieMap(members)

    def discard(self, key: Any) -> HashTrieMap:
        """A copy without a key, which need not be there."""
        return self.remove(key) if key in self._members else self


class HashTrieSet(Set[Any]):
    """A set that never changes."""

    __slots__ = ("_members",)

    def __init__(self, value: Iterable[Any] = ()) -> None:
        self._members = frozenset(value)

    def __contains__(self, value: object) -> bool:
        return value in self._members

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __hash__(self) -> int:
        return hash(self._members)

    def __repr__(self) -> str:
        return f"HashTrieSet({{{', '.join(map(repr, self._members))}}})"

    def insert(self, value: Any) -> HashTrieSet:
        """A copy with a value."""
        return HashTrieSet((*self._members, value))

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """A copy with the values of all others."""
        return HashTrieSet(self._members.union(*others))

    def remove(self, value: Any) -> HashTrieSet:
        """A copy without a value. Raises KeyError where it is not there."""
        if value not in self._members:
            raise KeyError(value)
        return HashTrieSet(self._members - {value})

    def discard(self, value: Any) -> HashTrieSet:
        """A copy without a value, which need not be there."""
        return HashTrieSet(self._members - {value})


class List:
    """A list that never changes, and that takes and gives at its front."""

    __slots__ = ("_values",)

    def __init__(self, *values: Any) -> None:
        self._values: tuple[Any, ...] = tuple(values[0]) if len(values) == 1 else values

    @property
    def first(self) -> Any:
        """The first value. Raises IndexError where there is none."""
        if not self._values:
            raise IndexError("empty list has no first element")
        return self._values[0]

    @property
    def rest(self) -> List:
        """All but the first value."""
        return List(self._values[1:])

    def push_front(self, value: Any) -> List:
        """A copy with a value in front."""
        return List((value, *self._values))

    def drop_first(self) -> List:
        """All but the first value. Raises IndexError where there is none."""
        if not self._values:
            raise IndexError("empty list has no first element")
        return self.rest

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, List) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        return f"List({list(self._values)!r})"
