"""The positioned tree that both readers make: values with their spans, and nothing about schemas.

Invariants: nodes hold no parent links, and an alias points at a finished node, so a tree has no cycles and reference
counting frees it; offsets are code points of the whole text; a tree may be of half-typed text, then ``problems`` says
where. Walks over a tree never recurse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from draftlift.syntax.pointer import Pointer
from draftlift.syntax.unknown import Unknown

Kind = Literal["object", "array", "string", "number", "boolean", "null", "alias", "missing", "unknown"]
Style = Literal["", '"', "'", "|", ">", "block", "flow"]
Language = Literal["json", "yaml"]

MAX_VALUES = 1_000_000
"""How many values a subtree may unfold to, aliases followed; beyond that it is not looked at (alias bombs)."""

MERGE_KEY = "<<"

_PLAIN_DEPTH = 60
"""Levels that a subtree may have for a plain look, which recurses."""

_FEW = 12
"""Up to so many members are looked through, which is quicker than to index them."""


class Node:
    """One value, with its key where it is a member of an object.

    ``value`` is a ``list[Node]`` for objects and arrays, the target ``Node`` for an alias, and the decoded scalar
    otherwise: str, bool, None, int, float, or Decimal where int or float would lose digits. ``missing`` stands where a
    value is not typed yet or cannot be read; its value is None. ``unknown`` is what has a tag of YAML that is none of the core
    schema: its value is the nodes in a collection, the text of a scalar.

    ``start`` and ``end`` span the value's own token: quotes, brackets and block indicators included, a YAML anchor or
    tag not. A block collection ends with its last descendant. ``properties_start`` is where its anchor or tag begins,
    else equal to ``start``. ``key_start`` and ``key_end`` span the key's token with its quotes; both are -1 and
    ``key`` is None for array items and roots. A key of YAML that is no scalar has an empty ``key`` and
    ``complex_key`` True.
    """

    __slots__ = (
        "_members",
        "anchor",
        "complex_key",
        "end",
        "key",
        "key_end",
        "key_start",
        "kind",
        "properties_start",
        "start",
        "style",
        "value",
    )

    def __init__(
        self,
        kind: Kind,
        start: int,
        end: int,
        value: Any,
        style: Style = "",
        key: str | None = None,
        key_start: int = -1,
        key_end: int = -1,
    ) -> None:
        self.kind: Kind = kind
        self.start = start
        self.end = end
        self.value = value
        self.style: Style = style
        self.key = key
        self.key_start = key_start
        self.key_end = key_end
        self.properties_start = start
        self.anchor: str | None = None
        self.complex_key = False
        self._members: dict[str, Node] | None = None

    def __repr__(self) -> str:
        return f"Node({self.kind} {self.start}:{self.end} key={self.key!r})"


@dataclass(frozen=True, slots=True)
class Problem:
    """A place where the text breaks the syntax of its language. ``message`` is one plain sentence."""

    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Tree:
    """What a reader made of a text: one root per document (JSON has one; an empty text or document has None)."""

    language: Language
    text: str
    documents: tuple[Node | None, ...]
    problems: tuple[Problem, ...]


class NotJsonError(ValueError):
    """A subtree has no JSON value: a complex key, a missing value, a non-finite number, or too much of everything."""


def resolve(node: Node) -> Node:
    """The node itself, or what an alias stands for."""
    while node.kind == "alias":
        node = node.value
    return node


def has_merge_key(child: Node) -> bool:
    """Whether a member has the merge key of YAML. In quotes, and so in JSON, it is a key like any other."""
    return child.key == MERGE_KEY and child.key_end - child.key_start == len(MERGE_KEY)


def members(node: Node) -> dict[str, Node]:
    """The members of an object as a reader of the value sees them: the later of two equal keys, merge keys applied.

    An own member wins over a merged one, an earlier merge over a later one, as YAML's merge key type says. The dict
    is shared between callers: read it only.
    """
    if node._members is not None:
        return node._members
    found: dict[str, Node] = {}
    seen: set[int] = set()
    stack = [node]
    while stack:
        source = stack.pop()
        if id(source) in seen:
            continue  # all it has to give is there already
        seen.add(id(source))
        own: dict[str, Node] = {}
        merges: list[Node] = []
        for child in source.value:
            if has_merge_key(child) and child.kind in ("alias", "object", "array"):
                merges += _merge_sources(child)
            else:
                own[child.key] = child
        for key, child in own.items():
            found.setdefault(key, child)
        stack += reversed(merges)
    if len(node.value) > _FEW:
        node._members = found
    return found


def merges_unknown(node: Node) -> bool:
    """Whether an object has members of a merge that is unknown, so that nobody can tell which it has."""
    seen: set[int] = set()
    stack = [node]
    while stack:
        source = stack.pop()
        if source.kind == "unknown":
            return True
        if source.kind == "object" and id(source) not in seen:
            seen.add(id(source))
            for child in filter(has_merge_key, source.value):
                target = resolve(child)
                stack += map(resolve, target.value) if target.kind == "array" else [target]
    return False


def _merge_sources(merge: Node) -> list[Node]:
    target = resolve(merge)
    sources = target.value if target.kind == "array" else [target]
    return [source for source in map(resolve, sources) if source.kind == "object"]


def member(node: Node, key: str) -> Node | None:
    """The member of an object that a reader of the value sees under ``key``, unresolved; None where there is none."""
    if len(node.value) > _FEW:
        return members(node).get(key)
    merged = False
    for child in reversed(node.value):
        if child.key == key:
            return child  # type: ignore[no-any-return]
        merged = merged or has_merge_key(child)
    return members(node).get(key) if merged else None


def at(root: Node, pointer: Pointer) -> Node | None:
    """The node a pointer leads to, aliases and merges followed on the way; the last node is not resolved."""
    node = root
    for token in pointer:
        node = resolve(node)
        if node.kind == "object":
            found = member(node, str(token))
            if found is None:
                return None
            node = found
        elif node.kind == "array" and isinstance(token, int) and token < len(node.value):
            node = node.value[token]
        else:
            return None
    return node


class _Missing:
    """Stands for a value that is not typed yet."""


_MISSING = _Missing()


def to_value(root: Node, *, skip_missing: bool = False) -> Any:
    """The JSON value of a subtree; shared where the text shares (aliases).

    With ``skip_missing`` a member that has no value yet is left out, and an item that is none yet is None. Raises
    NotJsonError where there is no value.
    """
    try:
        return _plain_value(root, _PLAIN_DEPTH)
    except _NotPlainError:
        return _any_value(root, skip_missing=skip_missing)


class _NotPlainError(Exception):
    """A subtree has something in it that takes more than a plain look."""


def _plain_value(node: Node, levels: int) -> Any:
    """The value of a subtree that shares nothing, lacks nothing and is not deep: most are, and so it is quick."""
    kind = node.kind
    value = node.value
    if kind == "object":
        if not levels:
            raise _NotPlainError
        found = {}
        for child in value:
            if child.complex_key or (child.key == MERGE_KEY and has_merge_key(child)):
                raise _NotPlainError
            found[child.key] = child.value if child.kind == "string" else _plain_value(child, levels - 1)
        return found
    if kind == "array":
        if not levels:
            raise _NotPlainError
        return [child.value if child.kind == "string" else _plain_value(child, levels - 1) for child in value]
    if kind in ("alias", "missing", "unknown") or (value.__class__ is float and value - value != 0):
        raise _NotPlainError
    return value


def _any_value(root: Node, *, skip_missing: bool) -> Any:
    done: dict[int, tuple[Any, int]] = {}
    stack: list[tuple[Node, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        node = resolve(node)
        if id(node) in done:
            continue
        if node.kind == "missing" and skip_missing:
            done[id(node)] = (_MISSING, 0)
        elif node.kind == "unknown":
            done[id(node)] = (_unknown(node), 1)
        elif node.kind not in ("object", "array"):
            done[id(node)] = (_scalar(node), 1)
        elif ready:
            value, size = _collection(node, done)
            if size > MAX_VALUES:
                raise NotJsonError("the value is too large")
            done[id(node)] = (value, size)
        else:
            stack.append((node, True))
            stack += [(child, False) for child in node.value]
    value = done[id(resolve(root))][0]
    return None if value is _MISSING else value


def _unknown(node: Node) -> Unknown:
    """Equal for texts that say the same. What aliases in it stand for is not looked at."""
    return Unknown(
        tuple(
            (inner.kind, inner.key, len(inner.value) if isinstance(inner.value, list) else inner.value)
            for inner in walk(node)
            if inner.kind != "alias"
        )
    )


def _scalar(node: Node) -> Any:
    value = node.value
    if node.kind == "missing" or node.complex_key:
        raise NotJsonError("a value is missing")
    if isinstance(value, float) and value - value != 0:
        raise NotJsonError("JSON has no such number")
    return value


def _collection(node: Node, done: dict[int, tuple[Any, int]]) -> tuple[Any, int]:
    size = 1
    if node.kind == "array":
        items = []
        for child in node.value:
            value, count = done[id(resolve(child))]
            items.append(None if value is _MISSING else value)
            size += count
        return items, size
    result: dict[str, Any] = {}
    merged = False
    for child in node.value:
        if child.complex_key:
            raise NotJsonError("a key is not a string")
        value, count = done[id(resolve(child))]
        size += count
        merged = merged or has_merge_key(child)
        if value is not _MISSING:
            result[child.key] = value
    if merged and merges_unknown(node):
        return _unknown(node), size
    if merged:
        values = ((key, done[id(resolve(child))][0]) for key, child in members(node).items())
        result = {key: value for key, value in values if value is not _MISSING}
    return result, size


def is_number(value: object) -> bool:
    """Whether a decoded value is a JSON number; True and False are not."""
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def walk(root: Node) -> Iterator[Node]:
    """Every node of a subtree once, in document order, aliases not followed."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if node.kind in ("object", "array") or (node.kind == "unknown" and isinstance(node.value, list)):
            stack.extend(reversed(node.value))
