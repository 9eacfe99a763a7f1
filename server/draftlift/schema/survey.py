"""Where the subschemas of a schema are, which resource each belongs to, and where its references lead.

A survey goes by position, never by a key's name alone: a property called ``items`` is a name, an ``items`` inside
``enum`` is data. Places that no keyword names but a reference reaches (``#/x-types/pair``) are schemas as well.
Invariants: values are read and never changed; nothing is fetched; the walk does not recurse; it ends at the bounds
below, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from draftlift.schema.dialects import Dialect, Keyword, dialect_of_uri
from draftlift.schema.uri import join, readings
from draftlift.syntax.pointer import Pointer, decoded, index_of, tokens_of

MAX_DEPTH = 300
"""How many JSON Pointer tokens deep a subschema may lie; the deepest real tool schema known has 27."""

MAX_PLACES = 500_000
"""How many subschemas one schema may have, aliases followed."""

_SCHEMAS_BY_NAME = Keyword("$defs", "container", "map", "map")


class Place:
    """One subschema: where it lies, what stands there, and the resource whose base its references use.

    ``honoured`` is False where no keyword of the dialect makes it a schema: under ``$defs`` before 2019-09, or in a
    made-up place that a reference reaches. An identifier there is none by the letter of the draft. ``data`` is True
    where a reference reaches what is no schema but for that: a value inside ``enum``, ``const``, ``default`` or the
    like, the switch of a keyword, or an object of schemas by name such as that of ``properties``. ``foreign`` is True
    where the place, or one around it, declares another dialect: its keywords follow other rules, and nothing below it
    is walked.
    """

    __slots__ = ("base", "data", "foreign", "honoured", "pointer", "resource", "schema")

    def __init__(
        self,
        pointer: Pointer,
        schema: Any,
        base: str,
        resource: Pointer,
        *,
        honoured: bool = True,
        data: bool = False,
        foreign: bool = False,
    ) -> None:
        self.pointer = pointer
        self.schema = schema
        self.base = base
        self.resource = resource
        self.honoured = honoured
        self.data = data
        self.foreign = foreign


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference keyword and where it leads.

    ``kind`` is ``local`` (``target`` is the pointer of the place meant), ``dangling`` (into a resource at hand, but
    nothing is there) or ``remote`` (into another document). ``uri`` is the absolute URI it goes by, without fragment; empty
    for a fragment alone. ``anchor`` is the plain name that was used, if one was. ``resource`` is the root of the resource
    the reference was resolved in.
    """

    pointer: Pointer
    keyword: str
    text: str
    place: Place
    kind: Literal["local", "dangling", "remote"]
    target: Pointer = ()
    resource: Pointer = ()
    anchor: str | None = None
    uri: str = ""


@dataclass(slots=True)
class Survey:
    """All places and references of one schema, in document order but for places that only a reference reaches."""

    root: Any
    dialect: Dialect
    places: list[Place] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    by_pointer: dict[Pointer, Place] = field(default_factory=dict)
    anchors: dict[tuple[Pointer, str], Pointer] = field(default_factory=dict)
    resources: dict[str, Pointer] = field(default_factory=dict)
    doubled_anchors: list[Pointer] = field(default_factory=list)
    doubled_resources: set[str] = field(default_factory=set)
    beyond_bounds: Pointer | None = None
    _ranks: dict[int, dict[str, int]] = field(default_factory=dict)

    def document_order(self, pointer: Pointer) -> tuple[int, ...]:
        """A sort key: where along the document the value at a pointer stands."""
        key: list[int] = []
        value = self.root
        for token in pointer:
            if isinstance(value, dict) and token in value:
                ranks = self._ranks.get(id(value))
                if ranks is None:
                    ranks = self._ranks[id(value)] = {name: rank for rank, name in enumerate(value)}
                key.append(ranks[str(token)])
            elif isinstance(value, list) and isinstance(token, int) and token < len(value):
                key.append(token)
            else:
                break
            value = value[token]
        return tuple(key)


def value_at(root: Any, pointer: Pointer) -> Any:
    """The value a pointer leads to. Raises LookupError where there is none."""
    value = root
    for token in pointer:
        if isinstance(value, dict) or (isinstance(value, list) and isinstance(token, int)):
            value = value[token]  # type: ignore[index]
        else:
            raise LookupError(pointer)
    return value


def subschemas(schema: dict[str, Any], dialect: Dialect) -> Iterator[tuple[Pointer, Any, bool]]:
    """The direct subschemas of a schema object: pointer from it, value, and whether the dialect honours the place.

    Beside a ``$ref`` that hides its siblings only the containers of definitions are looked into.
    """
    keywords = dialect.keywords
    hidden = dialect.hides(schema)
    for name, value in schema.items():
        keyword = keywords.get(name)
        if keyword is None:
            if name != "$defs":
                continue
            keyword = _SCHEMAS_BY_NAME
        kind = keyword.applicator
        if kind is None or (hidden and keyword.role != "container"):
            continue
        if kind == "schema":
            if keyword.form != "schema or boolean" or not isinstance(value, bool):
                yield (name,), value, True
        elif kind == "map":
            if isinstance(value, dict):
                honoured = keyword is not _SCHEMAS_BY_NAME
                for key, item in value.items():
                    yield (name, key), item, honoured
        elif kind == "dependencies":
            if isinstance(value, dict):
                for key, item in value.items():
                    if not isinstance(item, list):
                        yield (name, key), item, True
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield (name, index), item, True
        elif kind == "items":
            yield (name,), value, True


def survey(root: Any, dialect: Dialect) -> Survey:
    """Walk a schema as its dialect reads it; see Survey for what comes out."""
    found = Survey(root, dialect)
    waiting: list[tuple[Place, str, str]] = []
    all_reached: list[Place] = []
    _visit(found, waiting, Place((), root, "", ()))
    while waiting and found.beyond_bounds is None:
        round_, waiting = waiting, []
        for place, keyword, text in round_:
            reference = _resolve(found, place, keyword, text)
            found.references.append(reference)
            if reference.kind == "local" and reference.target not in found.by_pointer:
                target = reference.target
                outer = _nearest_place(found, target)
                data = outer.data or _is_no_schema(dialect, outer, target)
                reached = Place(
                    target,
                    value_at(root, target),
                    outer.base,
                    outer.resource,
                    honoured=False,
                    data=data,
                    foreign=outer.foreign,
                )
                all_reached.append(reached)
                _visit(found, waiting, reached)
    for reached in all_reached:  # a place around it may have been reached after it
        reached.data = reached.data or _lies_in_no_schema(found, reached)
    return found


def _visit(found: Survey, waiting: list[tuple[Place, str, str]], start: Place) -> None:
    dialect = found.dialect
    id_keyword = dialect.id_keyword
    by_pointer = found.by_pointer
    stack = [start]
    while stack:
        place = stack.pop()
        if place.pointer in by_pointer:
            continue
        if len(place.pointer) > MAX_DEPTH or len(found.places) >= MAX_PLACES:
            found.beyond_bounds = place.pointer
            return
        found.places.append(place)
        by_pointer[place.pointer] = place
        schema = place.schema
        if not isinstance(schema, dict):
            continue
        if place.pointer and "$schema" in schema and dialect_of_uri(schema["$schema"]) is not dialect:
            place.foreign = True
        if place.foreign:
            continue
        if id_keyword in schema or "$anchor" in schema or "$dynamicAnchor" in schema:
            _identify(found, place)
        if "$ref" in schema or "$recursiveRef" in schema or "$dynamicRef" in schema:
            for name in ("$ref", "$recursiveRef", "$dynamicRef"):
                text = schema.get(name)
                keyword = dialect.keywords.get(name)
                if isinstance(text, str) and keyword is not None and keyword.role == "reference":
                    waiting.append((place, name, text))
        children = [
            Place(
                place.pointer + tail,
                value,
                place.base,
                place.resource,
                honoured=place.honoured and honoured,
                data=place.data,
            )
            for tail, value, honoured in subschemas(schema, dialect)
        ]
        children.reverse()
        stack += children


def _identify(found: Survey, place: Place) -> None:
    """Note a new resource or anchor, where the dialect honours it."""
    schema, dialect = place.schema, found.dialect
    identifier = schema.get(dialect.id_keyword)
    if isinstance(identifier, str) and place.honoured and not dialect.hides(schema):
        uri, _, fragment = identifier.partition("#")
        if uri and not (place.pointer and names_within(place.base, uri, fragment)):
            place.base = join(place.base, uri)
            place.resource = place.pointer
            if found.resources.setdefault(place.base, place.pointer) != place.pointer:
                found.doubled_resources.add(place.base)
        if fragment and dialect.ref_hides_siblings and not fragment.startswith("/"):
            _note_anchor(found, place, dialect.id_keyword, fragment)
    for name in ("$anchor", "$dynamicAnchor"):
        anchor = schema.get(name)
        if isinstance(anchor, str) and name in dialect.keywords:
            _note_anchor(found, place, name, anchor)


def _note_anchor(found: Survey, place: Place, keyword: str, name: str) -> None:
    if found.anchors.setdefault((place.resource, name), place.pointer) != place.pointer:
        found.doubled_anchors.append((*place.pointer, keyword))


def names_within(base: str, uri: str, fragment: str) -> bool:
    """Whether an identifier of a subschema is the resource's own URI and a name, and so names a place in it."""
    return fragment != "" and not fragment.startswith("/") and base != "" and join(base, uri) == base


def _resolve(found: Survey, place: Place, keyword: str, text: str) -> Reference:
    pointer = (*place.pointer, keyword)
    uri, _, fragment = text.partition("#")
    if uri:
        meant = readings(place.base, uri)
        uri = next((one for one in meant if one in found.resources), meant[0])
        if uri not in found.resources:
            return Reference(pointer, keyword, text, place, "remote", uri=uri)
        resource = found.resources[uri]
    else:
        resource = place.resource
    if (resource, fragment) not in found.anchors:
        fragment = decoded(fragment)
    if not fragment:
        return Reference(pointer, keyword, text, place, "local", resource, resource, uri=uri)
    if fragment.startswith("/"):
        target = follow(found.root, resource, fragment)
        if target is None:
            return Reference(pointer, keyword, text, place, "dangling", resource=resource, uri=uri)
        return Reference(pointer, keyword, text, place, "local", target, resource, uri=uri)
    named = found.anchors.get((resource, fragment))
    if named is None:
        return Reference(pointer, keyword, text, place, "dangling", resource=resource, uri=uri)
    return Reference(pointer, keyword, text, place, "local", named, resource, anchor=fragment, uri=uri)


def follow(root: Any, resource: Pointer, fragment: str) -> Pointer | None:
    """The pointer that ``/a/b`` means from a resource's root; None where nothing that could be a schema is there."""
    value = value_at(root, resource)
    pointer = list(resource)
    for token in tokens_of(fragment) or ():
        if isinstance(value, dict) and token in value:
            pointer.append(token)
            value = value[token]
        elif isinstance(value, list) and (index := index_of(token)) is not None and index < len(value):
            pointer.append(index)
            value = value[index]
        else:
            return None
    return tuple(pointer) if isinstance(value, (dict, bool)) else None


def _nearest_place(found: Survey, pointer: Pointer) -> Place:
    for end in range(len(pointer) - 1, 0, -1):
        place = found.by_pointer.get(pointer[:end])
        if place is not None:
            return place
    return found.by_pointer[()]


def _lies_in_no_schema(found: Survey, place: Place) -> bool:
    pointer = place.pointer
    return any(
        outer is not None and isinstance(outer.schema, dict) and _is_no_schema(found.dialect, outer, pointer)
        for outer in (found.by_pointer.get(pointer[:end]) for end in range(len(pointer)))
    )


def _is_no_schema(dialect: Dialect, outer: Place, pointer: Pointer) -> bool:
    """Whether a pointer leads from a schema into the value of a keyword that holds none, or to its schemas by name."""
    name, *further = pointer[len(outer.pointer) :]
    keyword = _SCHEMAS_BY_NAME if name == "$defs" else dialect.keywords.get(str(name))
    if keyword is None:
        return False
    return keyword.applicator is None or (not further and keyword.applicator in ("map", "dependencies"))
