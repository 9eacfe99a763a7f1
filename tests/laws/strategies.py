"""Schemas of the older drafts, and instances for them, for hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from draftlift.schema.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, LEGACY, Dialect

NAMES = (
    *("a", "b", "items", "definitions", "$ref", "x y", "a/b", "m~n", "é%", "dependencies", "id", "0"),
    # what has to change as a keyword and must stay as a name
    *("additionalItems", "prefixItems", "const", "$anchor", "$defs"),
)

instances = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "bb", 1.5]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=6,
)

_REFERENCES = (
    "#",
    "#/definitions/a",
    "#/definitions/b",
    "#/definitions/a/items/0",
    "#/properties/a/items/1",
    "#/properties/a/additionalItems",
    "#/dependencies/a",
    "#/%24defs/a",
    "#/properties/x%20y",
    "#/definitions/a~1b/items/0",
    "#/x-types/a",
    "#name",
    "#/default",
    # lists of names and data, used as schemas
    "#/properties",
    "#/dependencies",
    "#/definitions",
    "#/definitions/a/properties",
    "#/x-types",
    "#/$recursiveAnchor",
    "#/additionalItems",
    # by identifiers, also in another spelling, and where none is seen
    "https://example.com/s",
    "https://EXAMPLE.com:443/%73#/items/0",
    "other.json#/items/0",
    "app://schemas/s.json#/definitions/a/items/0",
    "s.json#/properties/a",
    "app://schemas/other.json#/items/0",
    "https://example.com/n#name",
    "#recursion",
    "#/allOf/00",
)
_IDENTIFIERS = ("https://example.com/s", "other.json", "app://schemas/s.json", "s.json", "app://schemas/t/../s.json")
_OLD_IDENTIFIERS = (*_IDENTIFIERS, "#name", "#", "#1st", "#/properties/a", "https://example.com/s#name", "s.json#name")


def schemas(dialect: Dialect) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas of a dialect, its declaration first, mostly valid and full of traps."""
    return st.builds(lambda body: {"$schema": dialect.uri, **body}, _bodies(dialect))


def any_schema() -> st.SearchStrategy[tuple[Dialect, dict[str, Any]]]:
    """A dialect and a schema of it."""
    return st.sampled_from(LEGACY).flatmap(lambda dialect: st.tuples(st.just(dialect), schemas(dialect)))


def _bodies(dialect: Dialect) -> st.SearchStrategy[dict[str, Any]]:
    leaf: st.SearchStrategy[Any] = st.sampled_from(
        [{}, {"type": "integer"}, {"type": "string"}, {"enum": [1, "a"]}, {"minimum": 1}, {"maxLength": 1}]
    )
    leaf |= st.builds(lambda ref: {"$ref": ref}, st.sampled_from(_REFERENCES))
    if dialect.boolean_schemas:
        leaf |= st.booleans()
    nested = st.recursive(leaf, lambda inner: _objects(dialect, inner), max_leaves=8)
    return _objects(dialect, nested)


def _objects(dialect: Dialect, inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    objects = inner.filter(lambda schema: isinstance(schema, dict))
    by_name = st.dictionaries(st.sampled_from(NAMES), objects, max_size=3)
    names = st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": st.sampled_from(["object", "array", ["object", "array", "integer"]]),
        "items": objects | st.lists(objects, min_size=0 if dialect.boolean_schemas else 1, max_size=2),
        "additionalItems": st.just(False) | objects,
        "properties": by_name,
        "definitions": by_name,
        "$defs": by_name,
        "dependencies": st.dictionaries(st.sampled_from(NAMES), names | objects, max_size=3),
        "allOf": st.lists(objects, min_size=1, max_size=2),
        "not": objects,
        "default": instances,
        "enum": st.lists(instances, min_size=1, max_size=3, unique_by=repr),
        "required": names,
        "title": st.sampled_from(["t", "é 😀"]),
        "x-types": by_name,
        "minimum": st.integers(-2, 2),
        "exclusiveMinimum": st.booleans() if dialect is DRAFT_04 else st.integers(-2, 2),
        "$ref": st.sampled_from(_REFERENCES),
        "minItems": st.integers(0, 2),
        # what only later dialects know
        "const": instances,
        "dependentRequired": st.dictionaries(st.sampled_from(NAMES), names, max_size=1),
        "unevaluatedProperties": st.just(False),
        "prefixItems": st.lists(objects, min_size=1, max_size=1),
        "minContains": st.integers(0, 2),
        "if": objects,
        "then": objects,
        "contentSchema": objects,
        "$anchor": st.sampled_from(["name", "other"]),
        "$recursiveRef": st.just("#"),
        dialect.id_keyword: st.sampled_from(_OLD_IDENTIFIERS),
    }
    if dialect in (DRAFT_06, DRAFT_07, DRAFT_2019_09):
        keywords["contains"] = objects
    if dialect is DRAFT_2019_09:
        keywords["unevaluatedItems"] = st.just(False)
        keywords["$recursiveAnchor"] = st.booleans()
        keywords[dialect.id_keyword] = st.sampled_from([*_IDENTIFIERS, "https://example.com/t#"])
        keywords["$anchor"] = st.sampled_from(["name", "a:b", "recursion"])
    pairs = st.lists(st.sampled_from(sorted(keywords)), max_size=4, unique=True).flatmap(
        lambda chosen: st.tuples(*(st.tuples(st.just(name), keywords[name]) for name in chosen))
    )
    return pairs.map(dict)
