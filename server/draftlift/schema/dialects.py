"""The JSON Schema dialects as data: which keywords each knows, what their values must look like, where subschemas sit.

Sources: the drafts' own metaschemas (draft-04, -06, -07, 2019-09, 2020-12). A test holds every table equal to what
``jsonschema`` judges with those metaschemas. Nothing here looks at a whole schema; ``walk`` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Literal

Applicator = Literal["schema", "list", "map", "items", "dependencies"]
"""How subschemas sit under a keyword: one; an array of them; an object of them by name; one or an array of them (old
``items``); an object whose values are schemas or arrays of names (``dependencies``)."""

Role = Literal["assertion", "applicator", "annotation", "identifier", "reference", "container", "soft"]
"""What a keyword does. ``soft`` is ``format`` and ``content…``: annotations by the letter that some validators assert."""

CANONICAL_2020_12 = "https://json-schema.org/draft/2020-12/schema"
"""The one spelling to write: MCP's Go SDK compares strings."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword of one dialect. ``form`` names what its value must look like (see ``has_form``)."""

    name: str
    role: Role
    form: str
    applicator: Applicator | None = None


@dataclass(frozen=True, slots=True, eq=False)  # there is one of each
class Dialect:
    """One dialect: its everyday name, the URI it is declared by, its keywords, and how a subschema may be written."""

    name: str
    uri: str
    keywords: Mapping[str, Keyword]
    boolean_schemas: bool
    id_keyword: str
    ref_hides_siblings: bool

    def is_schema(self, value: object) -> bool:
        """Whether a value can stand where this dialect wants a schema."""
        return isinstance(value, dict) or (self.boolean_schemas and isinstance(value, bool))

    def hides(self, schema: Mapping[str, Any]) -> bool:
        """Whether a `$ref` in this schema object has everything beside it ignored."""
        return self.ref_hides_siblings and "$ref" in schema


def _annotation(name: str, form: str) -> Keyword:
    return Keyword(name, "annotation", form)


def _assertion(name: str, form: str) -> Keyword:
    return Keyword(name, "assertion", form)


def _applicator(name: str, kind: Applicator, form: str | None = None) -> Keyword:
    return Keyword(name, "applicator", form or kind, kind)


_DRAFT_04 = (
    Keyword("id", "identifier", "string"),
    Keyword("$schema", "identifier", "string"),
    Keyword("$ref", "reference", "string"),
    _annotation("title", "string"),
    _annotation("description", "string"),
    _annotation("default", "any"),
    Keyword("format", "soft", "string"),
    _assertion("multipleOf", "positive number"),
    _assertion("maximum", "number"),
    _assertion("minimum", "number"),
    _assertion("exclusiveMaximum", "boolean"),
    _assertion("exclusiveMinimum", "boolean"),
    _assertion("maxLength", "count"),
    _assertion("minLength", "count"),
    _assertion("pattern", "string"),
    _assertion("maxItems", "count"),
    _assertion("minItems", "count"),
    _assertion("uniqueItems", "boolean"),
    _assertion("maxProperties", "count"),
    _assertion("minProperties", "count"),
    _assertion("required", "some names"),
    _assertion("enum", "some distinct values"),
    _assertion("type", "types"),
    _applicator("items", "items"),
    _applicator("additionalItems", "schema", "schema or boolean"),
    _applicator("properties", "map"),
    _applicator("patternProperties", "map"),
    _applicator("additionalProperties", "schema", "schema or boolean"),
    _applicator("dependencies", "dependencies"),
    _applicator("allOf", "list"),
    _applicator("anyOf", "list"),
    _applicator("oneOf", "list"),
    _applicator("not", "schema"),
    Keyword("definitions", "container", "map", "map"),
)

_NEW_IN_06 = (
    Keyword("$id", "identifier", "string"),
    _annotation("examples", "array"),
    _assertion("exclusiveMaximum", "number"),
    _assertion("exclusiveMinimum", "number"),
    _assertion("required", "names"),
    _assertion("enum", "array"),
    _assertion("const", "any"),
    _applicator("additionalItems", "schema"),
    _applicator("additionalProperties", "schema"),
    _applicator("contains", "schema"),
    _applicator("propertyNames", "schema"),
)

_NEW_IN_07 = (
    _annotation("$comment", "string"),
    _annotation("readOnly", "boolean"),
    _annotation("writeOnly", "boolean"),
    Keyword("contentMediaType", "soft", "string"),
    Keyword("contentEncoding", "soft", "string"),
    _applicator("if", "schema"),
    _applicator("then", "schema"),
    _applicator("else", "schema"),
)

_NEW_IN_2019_09 = (
    Keyword("$id", "identifier", "identifier"),
    Keyword("$anchor", "identifier", "old anchor"),
    Keyword("$recursiveRef", "reference", "string"),
    Keyword("$recursiveAnchor", "identifier", "boolean"),
    Keyword("$vocabulary", "identifier", "vocabulary"),
    Keyword("$defs", "container", "map", "map"),
    _annotation("deprecated", "boolean"),
    Keyword("contentSchema", "soft", "schema", "schema"),
    _assertion("minContains", "count"),
    _assertion("maxContains", "count"),
    _assertion("dependentRequired", "map of names"),
    _applicator("dependentSchemas", "map"),
    _applicator("unevaluatedItems", "schema"),
    _applicator("unevaluatedProperties", "schema"),
    # Both later dialects still say what `dependencies` must look like, and give it no effect.
    Keyword("dependencies", "container", "dependencies", "dependencies"),
)

_NEW_IN_2020_12 = (
    Keyword("$anchor", "identifier", "anchor"),
    Keyword("$dynamicRef", "reference", "string"),
    Keyword("$dynamicAnchor", "identifier", "anchor"),
    _applicator("prefixItems", "list"),
    _applicator("items", "schema"),
    # Kept by the metaschema as slots without effect.
    _annotation("$recursiveRef", "string"),
    _annotation("$recursiveAnchor", "anchor"),
)


def _table(older: Mapping[str, Keyword], new: tuple[Keyword, ...], gone: tuple[str, ...] = ()) -> Mapping[str, Keyword]:
    table = {name: keyword for name, keyword in older.items() if name not in gone}
    table.update((keyword.name, keyword) for keyword in new)
    return MappingProxyType(table)


_K04 = _table({}, _DRAFT_04)
_K06 = _table(_K04, _NEW_IN_06, ("id",))
_K07 = _table(_K06, _NEW_IN_07)
_K2019 = _table(_K07, _NEW_IN_2019_09)
_K2020 = _table(_K2019, _NEW_IN_2020_12, ("additionalItems",))

DRAFT_04 = Dialect("draft-04", "http://json-schema.org/draft-04/schema#", _K04, False, "id", True)
DRAFT_06 = Dialect("draft-06", "http://json-schema.org/draft-06/schema#", _K06, True, "$id", True)
DRAFT_07 = Dialect("draft-07", "http://json-schema.org/draft-07/schema#", _K07, True, "$id", True)
DRAFT_2019_09 = Dialect("2019-09", "https://json-schema.org/draft/2019-09/schema", _K2019, True, "$id", False)
DRAFT_2020_12 = Dialect("2020-12", CANONICAL_2020_12, _K2020, True, "$id", False)

LEGACY = (DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09)
"""The dialects that the normalizer translates from."""

_BY_PATH = {
    "draft-04/schema": DRAFT_04,
    "draft-06/schema": DRAFT_06,
    "draft-07/schema": DRAFT_07,
    "draft/2019-09/schema": DRAFT_2019_09,
    "draft/2020-12/schema": DRAFT_2020_12,
}
_SPELLINGS = {
    f"{scheme}://json-schema.org/{path}{end}": dialect
    for path, dialect in _BY_PATH.items()
    for scheme in ("http", "https")
    for end in ("", "#")
}


def dialect_of_uri(uri: object) -> Dialect | None:
    """The dialect a ``$schema`` value names: http or https, with or without an empty fragment; None for anything else."""
    return _SPELLINGS.get(uri) if isinstance(uri, str) else None


_TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))
_ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*\Z")
_OLD_ANCHOR = re.compile(r"[A-Za-z][-A-Za-z0-9.:_]*\Z")
_IDENTIFIER = re.compile(r"[^#]*#?\Z")


def _number(value: object) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _count(value: object) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool) and value >= 0
    if isinstance(value, float):
        return value >= 0 and value.is_integer()
    return isinstance(value, Decimal) and value >= 0 and value == value.to_integral_value()


def _distinct(values: list[Any]) -> bool:
    try:
        return len({_identity(value) for value in values}) == len(values)
    except RecursionError:
        return True  # too deep to tell, and no reason to complain


def _identity(value: object) -> object:
    """A key under which JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, bool) or value is None:
        return (value,)
    if isinstance(value, dict):
        return ("object", frozenset((key, _identity(item)) for key, item in value.items()))
    if isinstance(value, list):
        return ("array", tuple(_identity(item) for item in value))
    return value


def _names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _object(value: object) -> bool:
    return isinstance(value, dict)


def _types(value: object) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    return isinstance(value, list) and bool(value) and _names(value) and _TYPES.issuperset(value)


FORMS: Mapping[str, Callable[[Any], bool]] = {
    "any": lambda _: True,
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": _number,
    "positive number": lambda value: _number(value) and value > 0,
    "count": _count,
    "names": _names,
    "some names": lambda value: _names(value) and bool(value),
    "types": _types,
    "array": lambda value: isinstance(value, list),
    "some distinct values": lambda value: isinstance(value, list) and bool(value) and _distinct(value),
    "schema": lambda value: True,
    "schema or boolean": lambda value: True,
    "list": lambda value: isinstance(value, list) and bool(value),
    "map": _object,
    "items": lambda value: True,
    "dependencies": _object,
    "map of names": lambda value: isinstance(value, dict) and all(_names(names) for names in value.values()),
    "identifier": lambda value: isinstance(value, str) and _IDENTIFIER.match(value) is not None,
    "anchor": lambda value: isinstance(value, str) and _ANCHOR.match(value) is not None,
    "old anchor": lambda value: isinstance(value, str) and _OLD_ANCHOR.match(value) is not None,
    "vocabulary": lambda value: isinstance(value, dict) and all(isinstance(on, bool) for on in value.values()),
}

"""Form -> its test. Where subschemas sit it is of the holder only: each subschema is looked at in its own place."""

FORM_IN_WORDS: Mapping[str, str] = {
    "string": "a string",
    "boolean": "true or false",
    "number": "a number",
    "positive number": "a number above 0",
    "count": "a whole number, 0 or more",
    "names": "an array of distinct strings",
    "some names": "an array of at least one string, none twice",
    "types": "a type name or an array of distinct ones",
    "array": "an array",
    "some distinct values": "an array of at least one value, none twice",
    "list": "an array of at least one schema",
    "map": "an object of schemas",
    "dependencies": "an object of schemas or arrays of names",
    "map of names": "an object of arrays of distinct strings",
    "identifier": "a URI reference without a fragment",
    "anchor": "a name of letters, digits, '-', '.' and '_' that begins with a letter or '_'",
    "old anchor": "a name of letters, digits, '-', '.', ':' and '_' that begins with a letter",
    "vocabulary": "an object of true and false",
}
"""What a form demands, to end a sentence that begins 'must be'."""


def has_form(value: object, form: str) -> bool:
    """Whether a keyword's value looks as its dialect demands; subschemas are not looked into."""
    return FORMS[form](value)
