"""Random schemas of the older drafts, each decided by a seed and its number alone, with instances that reach into them.

Biased to what a translation can get wrong: references to every place that moves, goes away or is no schema; identifiers
in several spellings and in places that count and that do not; maps of names that look like keywords; ignored keywords.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote

from draftlift.schema.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, LEGACY, Dialect

T = TypeVar("T")
Pointer = tuple[Any, ...]

PLAIN = ("a", "b", "c")
TRAPS = (
    "items", "dependencies", "additionalItems", "definitions", "$ref", "$id", "id", "prefixItems", "const", "enum",
    "not", "type", "$schema", "$anchor", "$defs", "exclusiveMinimum", "x y", "a/b", "m~n", "é%", "0", "",
)  # fmt: skip
ROOT_IDS = (
    "http://e.test/root.json", "http://e.test/dir/root.json", "https://e.test:443/r.json", "http://e.test:80/dir/r.json",
    "http://e.test/~a.json", "http://e.test/%7ea.json", "HTTP://E.test/r.json", "http://e.test", "http://e.test/a/../b",
    "http://e.test/a b.json", "http://e.test/r.json#", "app://schemas/root.json", "vscode://schemas/dir/root",
    "app:root.json", "urn:e:root", "tag:e.test,2020:root", "root.json", "dir/root.json", "/root.json", "//e.test/r.json",
    "mcp://~a/r.json", "http://e.test/r?q=1", "é.json",
)  # fmt: skip
IDS = (
    "inner.json", "inner.json", "sub/inner.json", "../inner.json", "/tools/inner.json", "./~a.json", "%7Ea.json",
    "?q", "//h.test/i", "http://e.test/inner.json", "http://h.test:80/i.json", "app://schemas/inner.json",
    "app://other/inner.json", "urn:e:inner", "a b.json", "inner.json#", "",
)  # fmt: skip
NAMES = ("name", "other", "a", "definitions", "a.b", "a:b", "_n", "1st", "recursion")
SCALARS: tuple[Any, ...] = (0, 1, 2, -1, 1.5, "s", "", "long", True, False, None)
DATA: tuple[Any, ...] = (
    *SCALARS, [], {}, [1, "s"], {"a": 1}, {"type": "integer"}, {"$ref": "#/definitions/a"}, {"items": [{"type": "integer"}]},
    {"id": "http://e.test/data"}, {"$id": "#name", "additionalItems": False}, {"dependencies": {"a": ["b"]}},
)  # fmt: skip
_HOLE = "\0"


@dataclass(frozen=True)
class Case:
    """One schema of one dialect, and instances for it."""

    number: int
    dialect: Dialect
    schema: dict[str, Any]
    instances: list[Any]


def case(seed: int, number: int) -> Case:
    """The schema with this number. The dialects take turns."""
    draw = Draw(seed, number)
    dialect = LEGACY[number % len(LEGACY)]
    grammar = _Grammar(draw, dialect)
    schema = grammar.root()
    aims = _References(draw, dialect, schema).fill()
    return Case(number, dialect, schema, _Instances(draw, schema, aims).some())


class Draw:
    """A stream of choices, the same for the same seed and number with every Python."""

    def __init__(self, seed: int, number: int) -> None:
        self._next = random.Random(f"{seed}:{number}").random

    def chance(self, probability: float) -> bool:
        """True as often as told."""
        return self._next() < probability

    def below(self, end: int) -> int:
        """A number from 0, below the end."""
        return int(self._next() * end)

    def pick(self, options: Sequence[T]) -> T:
        """One of several."""
        return options[self.below(len(options))]

    def some(self, options: Sequence[T], most: int, least: int = 0) -> list[T]:
        """A few of several, none twice, in any order."""
        left = list(options)
        count = min(least + self.below(most - least + 1), len(left))
        return [left.pop(self.below(len(left))) for _ in range(count)]


# -- schemas -----------------------------------------------------------------------------------------------------------


class _Grammar:
    def __init__(self, draw: Draw, dialect: Dialect) -> None:
        self.draw = draw
        self.dialect = dialect
        self.left = 26  # subschemas that may still come
        self.by_weight = _weights(self, dialect)
        self.traps = draw.chance(0.4)  # whether names that look like keywords are among this schema's names

    def root(self) -> dict[str, Any]:
        draw, dialect = self.draw, self.dialect
        schema: dict[str, Any] = {"$schema": dialect.uri}
        if draw.chance(0.3):
            schema["type"] = "object"
        if draw.chance(0.45):
            schema[dialect.id_keyword] = draw.pick(ROOT_IDS)
        if draw.chance(0.85):
            schema["$defs" if dialect is DRAFT_2019_09 and draw.chance(0.5) else "definitions"] = self.by_name(3)
        if draw.chance(0.2):
            schema[draw.pick(("x-defs", "components", "$defs"))] = inner = self.by_name(3)
            for name, held in inner.items():
                if isinstance(held, dict) and draw.chance(0.5):
                    own = {self.name(): self.reference(2), self.name(): {"items": self.items(2)}}
                    inner[name] = {dialect.id_keyword: self.identifier(), **held, "properties": own}
        if draw.chance(0.9):
            schema["properties"] = self.by_name(3)
        schema.update(self.keywords(3, 1 + draw.below(3)))
        if draw.chance(0.5):
            schema[draw.pick(("anyOf", "allOf"))] = [self.reference(2, in_place=True)]
        if draw.chance(0.03):
            self.stow_away(schema)
        if draw.chance(0.3):
            items = list(schema.items())
            schema = dict([items[0], *draw.some(items[1:], len(items), len(items))])
        return schema

    def stow_away(self, schema: dict[str, Any]) -> None:
        """A resource where no draft looks for one, that refers to a place of its own which moves, and is referred to."""
        name, inner, moved = self.draw.pick(PLAIN), self.draw.pick(PLAIN), self.draw.pick(("d", "e"))
        schema["x-defs"] = {
            name: {
                self.dialect.id_keyword: self.identifier(),
                "properties": {inner: {"$ref": f"#/properties/{moved}/items/0"}, moved: {"items": [self.leaf()]}},
            }
        }
        schema["allOf"] = [{"$ref": f"#/x-defs/{name}"}]

    def schema(self, depth: int) -> Any:
        draw = self.draw
        self.left -= 1
        if depth <= 0 or self.left <= 0 or draw.chance(0.2):
            return self.leaf()
        if draw.chance(0.25):
            return self.reference(depth)
        schema = self.keywords(depth, 1 + draw.below(3))
        if draw.chance(0.15):
            schema = {self.dialect.id_keyword: self.identifier(), **schema}
        return schema

    def leaf(self) -> Any:
        draw, dialect = self.draw, self.dialect
        if dialect.boolean_schemas and draw.chance(0.1):
            return draw.chance(0.5)
        leaf = dict(draw.pick(_LEAVES))
        if dialect is DRAFT_04 and draw.chance(0.15):
            leaf = {"minimum": 1, "exclusiveMinimum": draw.chance(0.7)}
        if draw.chance(0.12):
            leaf[dialect.id_keyword] = self.identifier()
        if dialect is DRAFT_2019_09 and draw.chance(0.12):
            leaf["$anchor"] = draw.pick(NAMES)
        return leaf

    def reference(self, depth: int, *, in_place: bool = False) -> dict[str, Any]:
        draw = self.draw
        if self.dialect is DRAFT_2019_09 and not in_place and draw.chance(0.12):
            return {"$recursiveRef": "#"}
        schema: dict[str, Any] = {"$ref": _HOLE}
        if draw.chance(0.12):
            schema.update(self.keywords(depth - 1, 1 + draw.below(2)))
            if draw.chance(0.3):
                schema[self.dialect.id_keyword] = self.identifier()
        return schema

    def keywords(self, depth: int, count: int) -> dict[str, Any]:
        schema: dict[str, Any] = {}
        for _ in range(count):
            name, make = self.draw.pick(self.by_weight)
            schema[name] = make(depth - 1)
            if name.startswith("exclusive") and self.dialect is DRAFT_04 and self.draw.chance(0.9):
                schema[name.replace("exclusiveM", "m")] = self.draw.below(3)
            if name in ("contains", "unevaluatedItems") and self.dialect is DRAFT_2019_09 and self.draw.chance(0.3):
                schema["contains"] = self.schema(depth - 1)
                schema["unevaluatedItems"] = self.additional(depth - 1)
            if name == "items" and isinstance(schema[name], list) and self.draw.chance(0.5):
                schema["additionalItems"] = self.additional(depth - 1)
        return schema

    def identifier(self) -> str:
        draw = self.draw
        if self.dialect is not DRAFT_2019_09 and draw.chance(0.4):
            return (draw.pick(IDS) if draw.chance(0.1) else "") + "#" + draw.pick(NAMES)
        return draw.pick(ROOT_IDS) if draw.chance(0.1) else draw.pick(IDS)

    def name(self) -> str:
        return self.draw.pick(TRAPS) if self.traps and self.draw.chance(0.35) else self.draw.pick(PLAIN)

    def by_name(self, depth: int) -> dict[str, Any]:
        return {self.name(): self.schema(depth) for _ in range(self.draw.below(3) + (not self.draw.chance(0.05)))}

    def several(self, depth: int) -> list[Any]:
        return [self.schema(depth) for _ in range(1 + self.draw.below(2))]

    def items(self, depth: int) -> Any:
        if self.draw.chance(0.8):
            least = 0 if self.dialect.boolean_schemas else 1
            return [self.schema(depth) for _ in range(least + self.draw.below(3 - least))]
        return self.schema(depth)

    def additional(self, depth: int) -> Any:
        return self.draw.chance(0.3) if self.draw.chance(0.4) else self.schema(depth)

    def dependencies(self, depth: int) -> dict[str, Any]:
        if self.draw.chance(0.12):
            return {}
        return {
            self.name(): self.names() if self.draw.chance(0.5) else self.schema(depth)
            for _ in range(1 + self.draw.below(3))
        }

    def names(self) -> list[str]:
        return list(dict.fromkeys(self.name() for _ in range(1 + self.draw.below(2))))

    def newer(self, depth: int) -> Any:
        """Whatever a keyword of a later draft may hold."""
        return self.draw.pick((self.schema, self.by_name, self.several))(depth)


_LEAVES: tuple[dict[str, Any], ...] = (
    {}, {"type": "integer"}, {"type": "string"}, {"type": "integer"}, {"type": "string"}, {"type": "object"},
    {"type": "array"}, {"minimum": 1}, {"maxLength": 1}, {"enum": [1, "s"]}, {"required": ["a"]}, {"minItems": 1},
)  # fmt: skip

Maker = Callable[[int], Any]


def _weights(grammar: _Grammar, dialect: Dialect) -> list[tuple[str, Maker]]:
    """Each keyword as often as it shall come, with what makes its value."""
    draw = grammar.draw
    one, some, by_name = grammar.schema, grammar.several, grammar.by_name

    def data(_: int) -> Any:
        return draw.pick(DATA)

    def values(_: int) -> list[Any]:
        found: list[Any] = []
        for value in draw.some(DATA, 3, 1):
            if value not in found:
                found.append(value)
        return found

    table: list[tuple[int, str, Maker]] = [
        (8, "items", grammar.items),
        (2, "additionalItems", grammar.additional),
        (6, "dependencies", grammar.dependencies),
        (4, "properties", by_name),
        (2, "definitions", by_name),
        (1, "patternProperties", lambda depth: {draw.pick(("a", "^x", "")): one(depth)}),
        (2, "additionalProperties", grammar.additional),
        (2, "allOf", some),
        (3, "anyOf", some),
        (1, "oneOf", some),
        (1, "not", one),
        (1, "type", lambda _: draw.pick(("object", "array", ["object", "array", "integer"], "string"))),
        (1, "required", lambda _: grammar.names()),
        (1, "enum", values),
        (1, "default", data),
        (1, "title", lambda _: draw.pick(("t", "é: # 😀", "two\nlines"))),
        (1, "minimum", lambda _: draw.pick((0, 1, 2, -1.5))),
        (2, "x-defs", by_name),
        (1, draw.pick(("x-one", "$comment" if dialect in (DRAFT_04, DRAFT_06) else "x-two")), one),
    ]
    if dialect is DRAFT_04:
        table.append((2, "exclusiveMinimum", lambda _: draw.chance(0.6)))
        table.append((1, "exclusiveMaximum", lambda _: False))
        newer = ["contains", "const", "propertyNames", "$id", "if", "examples"]
    else:
        table += [
            (1, "exclusiveMinimum", lambda _: draw.below(3)),
            (2, "contains", one),
            (1, "const", data),
            (1, "propertyNames", one),
            (1, "examples", values),
        ]
        newer = ["id"]
    if dialect in (DRAFT_07, DRAFT_2019_09):
        table += [(1, "if", one), (1, "then", one), (1, "else", one)]
    elif dialect is DRAFT_06:
        newer += ["if", "then"]
    if dialect is DRAFT_2019_09:
        table += [
            (2, "unevaluatedItems", grammar.additional),
            (1, "unevaluatedProperties", grammar.additional),
            (1, "minContains", lambda _: draw.below(3)),
            (1, "dependentSchemas", by_name),
            (1, "dependentRequired", lambda _: {grammar.name(): grammar.names()}),
            (2, "$defs", by_name),
            (2, "$anchor", lambda _: draw.pick(NAMES)),
            (2, "$recursiveAnchor", lambda _: draw.chance(0.8)),
        ]
    else:
        newer += ["$defs", "dependentSchemas", "dependentRequired", "unevaluatedItems", "unevaluatedProperties"]
        newer += ["minContains", "$anchor", "$recursiveRef", "contentSchema"]
    newer += ["prefixItems", "$dynamicAnchor", "$dynamicRef"]
    newer = draw.some(newer, 2)
    table += [(1, name, _VALUES[name](draw) if name in _VALUES else grammar.newer) for name in newer]
    if draw.chance(0.05):
        broken = draw.pick(("items", "required", "dependencies", "definitions", "type", "$schema"))
        table.append((2, broken, lambda _: draw.pick((1, None, "s", [], {}, [1], draw.pick(LEGACY).uri))))
    return [(name, make) for weight, name, make in table for _ in range(weight)]


_VALUES: dict[str, Callable[[Draw], Maker]] = {
    "$id": lambda draw: lambda _: draw.pick(IDS),
    "id": lambda draw: lambda _: draw.pick(IDS),
    "const": lambda draw: lambda _: draw.pick(DATA),
    "examples": lambda draw: lambda _: [draw.pick(DATA)],
    "minContains": lambda draw: lambda _: draw.below(3),
    "dependentRequired": lambda draw: lambda _: {draw.pick(PLAIN): [draw.pick(PLAIN)]},
    "$anchor": lambda draw: lambda _: draw.pick(NAMES),
    "$dynamicAnchor": lambda draw: lambda _: draw.pick(NAMES),
    "$dynamicRef": lambda draw: lambda _: "#" + draw.pick(NAMES),
    "$recursiveRef": lambda draw: lambda _: "#",
}


# -- references --------------------------------------------------------------------------------------------------------


@dataclass
class _Spot:
    """One value of the schema: where, in which resource, and what kind of place a reference to it would lead to."""

    pointer: Pointer
    value: Any
    resource: Pointer
    base: str
    kinds: list[str] = field(default_factory=list)


_DATA_KEYS = ("enum", "const", "default", "examples")
_MAP_KEYS = ("properties", "definitions", "$defs", "patternProperties", "dependentSchemas", "dependencies", "x-defs")


_MOVED = frozenset(("items", "additionalItems", "dependencies"))
_IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependencies", "dependentSchemas")


class _References:
    """Fills in where the references of a schema lead, once all that they can lead to is there."""

    def __init__(self, draw: Draw, dialect: Dialect, schema: dict[str, Any]) -> None:
        self.draw = draw
        self.dialect = dialect
        self.schema = schema
        self.spots = list(self._spots((), schema, (), "", []))
        self.by_kind: dict[str, list[_Spot]] = {}
        for spot in self.spots:
            for kind in spot.kinds:
                self.by_kind.setdefault(kind, []).append(spot)
        self.kinds = sorted(self.by_kind)
        self.bases = {spot.pointer: spot.base for spot in self.spots if spot.pointer == spot.resource}

    def _spots(self, pointer: Pointer, value: Any, resource: Pointer, base: str, kinds: list[str]) -> Iterator[_Spot]:
        if isinstance(value, dict):
            identifier = value.get(self.dialect.id_keyword)
            kinds = [*kinds, "any"]
            if isinstance(identifier, str):
                uri = identifier.partition("#")[0]
                if uri:
                    resource, base = pointer, resolved(base, uri)
                    kinds.append("identified")
                if "#" in identifier:
                    kinds.append("named")
            if isinstance(value.get("$anchor"), str):
                kinds.append("named")
            yield _Spot(pointer, value, resource, base, kinds)
            for key, inner in value.items():
                yield from self._spots((*pointer, key), inner, resource, base, self._kinds(pointer, value, key))
        elif isinstance(value, list):
            inside = [*kinds, "in a list"]
            for index, inner in enumerate(value):
                yield from self._spots((*pointer, index), inner, resource, base, inside)
        elif isinstance(value, bool):
            yield _Spot(pointer, value, resource, base, [*kinds, "boolean"])

    def _kinds(self, pointer: Pointer, holder: dict[str, Any], key: str) -> list[str]:
        kinds = []
        if key in ("items", "additionalItems", "dependencies"):
            kinds.append(key)
        if key in _DATA_KEYS:
            kinds.append("data")
        if key in _MAP_KEYS:
            kinds.append("map")
        if key.startswith("x-") or key not in self.dialect.keywords:
            kinds.append("unknown")
        if "$ref" in holder:
            kinds.append("beside a reference")
        if pointer and pointer[-1] in _MAP_KEYS:
            kinds.append(f"in {pointer[-1]}")
        return kinds

    def fill(self) -> dict[Pointer, Pointer]:
        """Replace each hole; answers where the reference of which place was meant to lead."""
        aims: dict[Pointer, Pointer] = {}
        for spot in self.spots:
            if isinstance(spot.value, dict) and spot.value.get("$ref") == _HOLE:
                target = self._target(spot)
                for _ in range(8):
                    if not self._is_endless(spot.pointer, target.pointer, aims):
                        break
                    target = self._target(spot)
                aims[spot.pointer] = target.pointer
                spot.value["$ref"] = self.text(spot, target)
        return aims

    def _target(self, start: _Spot) -> _Spot:
        draw = self.draw
        near = [spot for spot in self.spots if spot.resource == start.resource] if start.resource else []
        if near and draw.chance(0.4):
            moved = [spot for spot in near if not _MOVED.isdisjoint(spot.pointer[len(spot.resource) :])]
            return draw.pick(moved if moved and draw.chance(0.6) else near)
        if draw.chance(0.2):
            by_name = [spot for kind in ("identified", "named") for spot in self.by_kind.get(kind, ())]
            if by_name:
                return draw.pick(by_name)
        return draw.pick(self.by_kind[draw.pick(self.kinds)])

    def _is_endless(self, start: Pointer, target: Pointer, aims: dict[Pointer, Pointer]) -> bool:
        """Whether a reference would come back to itself at the same instance, which costs judges much and shows little."""
        waiting, seen = [target], set()
        while waiting:
            pointer = waiting.pop()
            if pointer == start:
                return True
            if pointer in seen:
                continue
            seen.add(pointer)
            schema = at(self.schema, pointer)
            if pointer in aims:
                waiting.append(aims[pointer])
            if not isinstance(schema, dict):
                continue
            if "$recursiveRef" in schema:
                waiting.append(())
            for name in _IN_PLACE:
                inner = schema.get(name)
                if isinstance(inner, dict) and name not in ("dependencies", "dependentSchemas"):
                    waiting.append((*pointer, name))
                elif isinstance(inner, (dict, list)):
                    keys = inner if isinstance(inner, dict) else range(len(inner))
                    waiting += [(*pointer, name, key) for key in keys if isinstance(inner[key], dict)]
        return False

    def text(self, spot: _Spot, target: _Spot) -> str:
        """How the reference is spelled."""
        draw = self.draw
        if draw.chance(0.04):
            return draw.pick(("#", "#/definitions/none", "#none", "other.json#/definitions/a", "http://h.test/none"))
        name = self._name(target)
        if name is not None and draw.chance(0.6):
            fragment = "#" + name
        else:
            fragment = _fragment(target.pointer[len(target.resource) :], draw)
        if draw.chance(0.3 if target.resource and not spot.resource else 0.06):
            return _fragment(target.pointer, draw)  # across the border of a resource
        if target.base == spot.base and draw.chance(0.7):
            return fragment or "#"
        uri = target.base
        if draw.chance(0.25):
            holder = at(self.schema, target.resource)
            uri = str(holder.get(self.dialect.id_keyword, "")).partition("#")[0]
        elif draw.chance(0.4):
            uri = respelled(uri, draw)
        return uri + fragment if uri or fragment else "#"

    def _name(self, target: _Spot) -> str | None:
        if not isinstance(target.value, dict):
            return None
        if self.dialect is DRAFT_2019_09:
            name = target.value.get("$anchor")
            return name if isinstance(name, str) else None
        identifier = target.value.get(self.dialect.id_keyword)
        return identifier.partition("#")[2] or None if isinstance(identifier, str) else None


def at(value: Any, pointer: Pointer) -> Any:
    """The value at a pointer."""
    for token in pointer:
        value = value[token]
    return value


def _fragment(pointer: Pointer, draw: Draw) -> str:
    if not pointer:
        return ""
    text = "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in pointer)
    safe = "/~$:@!*+,;=" if draw.chance(0.9) else "/~"
    return "#" + quote(text, safe=safe)


def _split(uri: str) -> tuple[str, str | None, str, str | None]:
    """Scheme, authority, path and query of a URI reference without a fragment (RFC 3986, appendix B)."""
    scheme, colon, rest = uri.partition(":")
    if not colon or not scheme[:1].isalpha() or not all(letter.isalnum() or letter in "+-." for letter in scheme):
        scheme, rest = "", uri
    rest, question, query = rest.partition("?")
    authority = None
    if rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        rest = slash + path
    return scheme, authority, rest, query if question else None


def _joined(scheme: str, authority: str | None, path: str, query: str | None) -> str:
    start = (scheme + ":" if scheme else "") + ("" if authority is None else "//" + authority)
    return start + path + ("" if query is None else "?" + query)


def resolved(base: str, uri: str) -> str:
    """A URI reference against a base, for every scheme (RFC 3986, 5.2.2); written apart from draftlift's own."""
    scheme, authority, path, query = _split(uri)
    if scheme:
        return _joined(scheme, authority, _without_dots(path), query)
    of, host, folder, asked = _split(base)
    if authority is not None:
        return _joined(of, authority, _without_dots(path), query)
    if not path:
        return _joined(of, host, folder, asked if query is None else query)
    if not path.startswith("/"):
        path = "/" + path if host is not None and not folder else folder[: folder.rfind("/") + 1] + path
    return _joined(of, host, _without_dots(path) if of or host is not None else path, query)


def _without_dots(path: str) -> str:
    if "." not in path:
        return path
    kept: list[str] = []
    parts = path.split("/")
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == ".." and (len(kept) > 1 or (kept and kept[0])):
            kept.pop()
        if part in (".", ".."):
            if last:
                kept.append("")
        else:
            kept.append(part)
    return "/".join(kept)


def respelled(uri: str, draw: Draw) -> str:
    """Another spelling of the same URI (RFC 3986, 6.2.2 and 6.2.3)."""
    scheme, authority, path, query = _split(uri)
    way = draw.below(6)
    if way == 0 and scheme:
        scheme = scheme.upper()
    elif way == 1 and authority is not None:
        port = {"http": ":80", "https": ":443"}.get(scheme.lower(), "")
        authority = authority[: -len(port)] if port and authority.endswith(port) else authority + port
    elif way == 2 and "~" in path:
        path = path.replace("~", "%7E")
    elif way == 3 and authority:
        authority = authority.upper()
    elif way == 4 and path.startswith("/"):
        path = "/x/.." + path
    elif "%7e" in path:
        path = path.replace("%7e", draw.pick(("%7E", "~")))
    elif " " in path:
        path = path.replace(" ", "%20")
    elif "a" in path:
        path = path.replace("a", "%61", 1)
    elif authority is not None and not path:
        path = "/"
    return _joined(scheme, authority, path, query)


# -- instances ---------------------------------------------------------------------------------------------------------


class _Instances:
    """Values that reach into a schema, through its references as well."""

    def __init__(self, draw: Draw, schema: dict[str, Any], aims: dict[Pointer, Pointer]) -> None:
        self.draw = draw
        self.schema = schema
        self.aims = aims
        self.names = sorted(set(_names(schema)))[:8] or ["a"]

    def some(self) -> list[Any]:
        found: list[Any] = [1, "s", [1], ["s", 1], {}]
        first = sorted(self.schema.get("properties") or {}) if isinstance(self.schema.get("properties"), dict) else []
        found += [{name: value} for name in first[:3] for value in (1, "s")]
        found += [self.aim((), self.schema, 7) for _ in range(9)]
        return [value for index, value in enumerate(found) if not _among(value, found[:index])]

    def aim(self, pointer: Pointer, schema: Any, depth: int) -> Any:
        """A value that the keywords of a subschema look into, as one of them does."""
        draw = self.draw
        if not isinstance(schema, dict) or depth <= 0 or draw.chance(0.15):
            return self.anything(1)
        target = self.aims.get(pointer)
        if target is not None:
            return self.aim(target, at(self.schema, target), depth - 1)
        if "$recursiveRef" in schema:
            return self.aim((), self.schema, depth - 2)
        ways = [name for name in schema if name in _WAYS]
        if not ways:
            for name in ("enum", "examples"):
                if isinstance(schema.get(name), list) and schema[name]:
                    return draw.pick(schema[name])
            return schema["const"] if "const" in schema and draw.chance(0.7) else self.anything(1)
        name = draw.pick(ways)
        value = schema[name]
        place = (*pointer, name)
        if name in ("properties", "dependencies", "dependentSchemas", "patternProperties") and isinstance(value, dict):
            made = {}
            for key, inner in value.items():
                if draw.chance(0.7):
                    made[key] = self.aim((*place, key), inner, depth - 1) if name[0] == "p" else self.anything(1)
            if draw.chance(0.3):
                made[draw.pick(self.names)] = self.anything(1)
            return made
        if name in ("items", "prefixItems") and isinstance(value, list):
            made_items = [self.aim((*place, i), inner, depth - 1) for i, inner in enumerate(value)]
            made_items = made_items[: len(value) - draw.below(2)]
            return [*made_items, self.aim((*pointer, "additionalItems"), schema.get("additionalItems"), depth - 1)]
        if name in ("items", "contains", "additionalItems", "unevaluatedItems"):
            return [self.aim(place, value, depth - 1), *([self.anything(0)] if draw.chance(0.5) else [])]
        if name in ("additionalProperties", "unevaluatedProperties"):
            return {draw.pick(self.names): self.aim(place, value, depth - 1)}
        if isinstance(value, list) and value:
            index = draw.below(len(value))
            return self.aim((*place, index), value[index], depth - 1)
        return self.aim(place, value, depth - 1)

    def anything(self, depth: int) -> Any:
        draw = self.draw
        if depth <= 0 or draw.chance(0.65):
            return draw.pick(SCALARS)
        if draw.chance(0.5):
            return [self.anything(depth - 1) for _ in range(draw.below(4))]
        return {draw.pick(self.names): self.anything(depth - 1) for _ in range(draw.below(3))}


_WAYS = frozenset(
    (
        "properties", "dependencies", "dependentSchemas", "patternProperties", "items", "prefixItems", "contains",
        "additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf",
        "not", "if", "then", "else",
    )
)  # fmt: skip


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("properties", "dependencies", "dependentSchemas", "dependentRequired") and isinstance(
                inner, dict
            ):
                yield from inner
            yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)


def _among(value: Any, others: list[Any]) -> bool:
    return any(repr(value) == repr(other) for other in others)
