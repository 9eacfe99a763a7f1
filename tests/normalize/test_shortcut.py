"""The quick look must be right where it says yes, which is held against the survey here and in the laws, and say yes
where it can.
"""

from __future__ import annotations

import copy
import json
import os
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from draftlift.normalize import normalize, shortcut
from draftlift.normalize.shortcut import only_declares
from draftlift.schema import survey as walk
from draftlift.schema.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, LEGACY, Dialect, dialect_of_uri
from suite.official import groups

ORDINARY = {
    "$id": "https://example.com/ordinary.json",
    "title": "t",
    "description": "d",
    "type": "object",
    "properties": {
        "a": {"type": "string", "minLength": 1, "pattern": "^a", "format": "date", "default": [{"items": [{}]}]},
        "b": {"$ref": "#/definitions/d", "description": "what it is here", "title": "b"},
        "c": {"type": ["array", "null"], "items": {"$ref": "#/definitions/d"}, "uniqueItems": True, "maxItems": 3},
        "e": {"anyOf": [{"type": "integer", "minimum": 0}, {"enum": ["x", 1]}], "deprecated": True, "x-order": [1]},
    },
    "patternProperties": {"^x-": {}},
    "required": ["a"],
    "not": {"required": ["z"]},
    "definitions": {"d": {"oneOf": [{"$ref": "#"}, {"$ref": "#/$defs/n"}]}},
    "$defs": {"n": {"allOf": [{"multipleOf": 2}]}},
}
NEW_IN_06 = {"const": 1, "propertyNames": {"maxLength": 9}, "examples": [1], "properties": {"a": True}}


def ordinary(dialect: Dialect) -> dict[str, object]:
    schema: dict[str, object] = {"$schema": dialect.uri, **ORDINARY}
    if dialect.id_keyword == "id":
        schema["id"] = schema.pop("$id")
    else:
        schema["allOf"] = [NEW_IN_06]
    return schema


@pytest.mark.parametrize("dialect", LEGACY, ids=lambda dialect: dialect.name)
def test_an_ordinary_schema_needs_no_survey(dialect: Dialect) -> None:
    assert only_declares(ordinary(dialect), dialect)


def test_most_schemas_of_the_suite_that_only_declare_need_no_survey() -> None:
    answers = []
    for group in groups():
        dialect = dialect_of_uri(group.schema["$schema"])
        if dialect in LEGACY:
            operations = normalize(group.schema).operations
            if [operation.pointer for operation in operations] == [("$schema",)]:
                answers.append(only_declares(group.schema, dialect))
    assert sum(answers) >= 957  # of 1,048; a refinement may raise it


# -- what it lets pass, and what stands near that -----------------------------------------------------------------------

HIDES = (DRAFT_04, DRAFT_06, DRAFT_07)
ID = "https://example.com/dir/s"
OWN = (ID, f"{ID}#", f"{ID}#/definitions/d", "s", "../dir/s", "//example.com/dir/s", "https:s", f"HTTPS{ID[5:]}", "")
BESIDE = ("t.json", "/t", "?q", "S#/items/0")
PUBLISHED = ("https://example.com/t", "https://example.com/t#/items/0", "urn:example:t#%zz", "https://[")
LOOKS_LIKE = {"id": "#a", "$id": "#a", "$schema": "urn:x", "$ref": "no.json", "items": [{}], "additionalProperties": 1}


def agrees(schema: Any, dialect: Dialect) -> bool:
    """What the quick look says, after both ways were seen to give the same, to the letter and in order."""
    for inert in ("refuse", "remove"):
        either = normalize(schema, inert=inert)
        whole = normalize(schema, inert=inert, surveyed=walk.survey(schema, dialect))
        for name in ("status", "refusals", "operations", "schema"):
            assert repr(getattr(either, name)) == repr(getattr(whole, name)), name
    return only_declares(schema, dialect)


def declared(dialect: Dialect, body: dict[str, Any]) -> dict[str, Any]:
    """The schema with its declaration; the key ID stands for the dialect's own."""
    text = json.dumps(body).replace('"ID"', f'"{dialect.id_keyword}"')
    return {"$schema": dialect.uri, **json.loads(text)}


def within(body: Any) -> dict[str, Any]:
    return {"properties": {"p": body}}


def cases(*listed: tuple[tuple[Dialect, ...], dict[str, Any]]) -> list[Any]:
    return [
        pytest.param(dialect, declared(dialect, body), id=f"{dialect.name} {json.dumps(body)}")
        for dialects, body in listed
        for dialect in dialects
    ]


@pytest.mark.parametrize(
    ("dialect", "schema"),
    cases(
        # `additionalProperties` of draft-04 may be a boolean, and it alone
        (LEGACY, {"additionalProperties": False}),
        (LEGACY, {"ID": ID, **within({"additionalProperties": True, "properties": {"id": {"type": "string"}}})}),
        (LEGACY, {"additionalProperties": {"additionalProperties": False}}),
        # published documents
        *[(LEGACY, {"$ref": text, "title": "t", "default": LOOKS_LIKE}) for text in PUBLISHED],
        *[(LEGACY, {"ID": ID, **within({"$ref": text})}) for text in (*PUBLISHED, *BESIDE)],
        (LEGACY, {"ID": "s", **within({"$ref": "https://example.com/s"})}),
        *[(LEGACY, {"ID": own, **within({"$ref": "t.json"})}) for own in ("urn:example:s", "app://schemas/s.json")],
        # an identifier of the root beside a reference
        (LEGACY, {"ID": ID, "$ref": "#/definitions/d", "definitions": {"d": {"type": "object"}}}),
        (LEGACY, {"$ref": "#/definitions/d", "ID": ID, "definitions": {"d": {"not": {"$ref": "#"}}}}),
        (LEGACY, {"ID": "s", "$ref": "#/definitions/d", "definitions": {"d": {"$ref": "https://example.com/t"}}}),
        ((DRAFT_2019_09,), {"$id": ID, "$ref": "t.json", "minimum": 1}),
        # annotations that a later dialect brought
        (LEGACY, within({"contentMediaType": "text/html", "contentEncoding": "base64", "deprecated": True})),
        # data
        (LEGACY, {"enum": [LOOKS_LIKE], "default": LOOKS_LIKE, "examples": [LOOKS_LIKE], "x-y": LOOKS_LIKE}),
        ((DRAFT_06, DRAFT_07, DRAFT_2019_09), {"const": LOOKS_LIKE}),
    ),
)
def test_needs_no_survey(dialect: Dialect, schema: dict[str, Any]) -> None:
    assert agrees(schema, dialect)
    assert {operation.pointer for operation in normalize(schema).operations} <= {("$schema",), ("id",)}


@pytest.mark.parametrize(
    ("dialect", "schema"),
    cases(
        *[((DRAFT_04,), within({"additionalProperties": value})) for value in (0, None, "false", [], [False])],
        *[((DRAFT_04,), {keyword: False}) for keyword in ("not", "items", "additionalItems")],
        ((DRAFT_04,), within(True)),
        ((DRAFT_04,), {"anyOf": [False]}),
        ((DRAFT_04,), {"definitions": {"d": {"id": ID, "additionalProperties": False}}}),
        ((DRAFT_04,), {"additionalProperties": False, **within({"$ref": "#/additionalProperties"})}),
        (HIDES, {"additionalProperties": False, "$ref": "#"}),
        (HIDES, within({"additionalProperties": False, "$ref": "https://example.com/t"})),
        *[(LEGACY, within({"$ref": value})) for value in (1, None, True, ["#"], {"type": "string"})],
        # files beside this one
        *[(LEGACY, within({"$ref": text})) for text in (*BESIDE, "//example.com/t", "é/t:t", "")],
        *[(LEGACY, {"ID": own, **within({"$ref": "t.json"})}) for own in ("dir/s",)],
        # back into this document
        *[(LEGACY, {"ID": ID, **within({"$ref": text})}) for text in OWN],
        (LEGACY, {"definitions": {"d": {"ID": ID}}, **within({"$ref": ID})}),
        (LEGACY, {"definitions": {"d": {"ID": ID, "not": {"$ref": "t.json"}}}}),
        (LEGACY, {"ID": "app://schemas/s.json", **within({"$ref": "s.json"})}),
        (LEGACY, {"ID": "https://example.com:443/%7Es", **within({"$ref": "https://example.com/~s"})}),
        # an identifier where none is seen, which might be meant
        (LEGACY, {"enum": [{"ID": "https://example.com/t"}], **within({"$ref": "https://example.com/t"})}),
        # lists of names
        (LEGACY, {**within({"$ref": "#/properties"})}),
        # an identifier beside a reference
        (HIDES, within({"ID": ID, "$ref": "https://example.com/t"})),
        (HIDES, {"ID": "", "$ref": "#"}),
        (HIDES, {"ID": "#a", "$ref": "#"}),
        (HIDES, {"ID": f"{ID}#", "$ref": "#"}),
        *[(HIDES, {"ID": ID, "$ref": text}) for text in OWN],
        (HIDES, {"ID": ID, "$ref": "#/definitions/d", "definitions": {"d": {"$ref": "t.json"}}}),
        (HIDES, {"ID": ID, "$ref": "#/definitions/d", "definitions": {"d": {"$ref": f"{ID}#/definitions/d"}}}),
        (HIDES, {"ID": ID, "$ref": "#/definitions/d", "definitions": {"d": {"ID": "t.json"}}}),
        (HIDES, {"ID": ID, "$ref": "#/definitions/d", "definitions": {"d": {}}, "minimum": 1}),
        ((DRAFT_06, DRAFT_07), {"$id": 1, "$ref": "#"}),
        # percent-encoding, and references into data
        (LEGACY, {"$ref": "#/definitions/a%20b", "definitions": {"a b": {}}}),
        (LEGACY, {"$ref": "#/definitions/%64", "definitions": {"d": {"type": "object"}}}),
        (LEGACY, {"$ref": "#/definitions/a%20b", "definitions": {"a%20b": {}}}),
        (LEGACY, {"default": {"items": [{}]}, **within({"$ref": "#/default"})}),
        (LEGACY, {"enum": [{}], **within({"$ref": "#/enum/0"})}),
        # soft keywords beside a reference, or malformed
        (HIDES, within({"contentMediaType": "a/b", "$ref": "#"})),
        (HIDES, within({"contentSchema": {}})),
        (LEGACY, within({"contentEncoding": 1})),
        # other declarations inside
        *[(LEGACY, within({"$schema": dialect.uri, "additionalProperties": False})) for dialect in LEGACY],
        (LEGACY, within({"$schema": "urn:x", "$ref": "https://example.com/t"})),
    ),
)
def test_needs_the_survey(dialect: Dialect, schema: dict[str, Any]) -> None:
    assert not agrees(schema, dialect)


def nested(dialect: Dialect, depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"additionalProperties": {}}
    for _ in range(depth):
        schema = {"properties": {"p": schema}}
    return {"$schema": dialect.uri, **schema}


@pytest.mark.parametrize("dialect", LEGACY, ids=lambda dialect: dialect.name)
def test_bounds(dialect: Dialect, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [depth for depth in range(145, 155) if agrees(nested(dialect, depth), dialect)] == [145, 146, 147, 148]
    assert not only_declares(nested(dialect, 5000), dialect)
    for module in (walk, shortcut):
        monkeypatch.setattr(module, "MAX_PLACES", 10)
    assert agrees({"$schema": dialect.uri, "anyOf": [{}] * 9}, dialect)
    assert not agrees({"$schema": dialect.uri, "anyOf": [{}] * 10}, dialect)


# -- one trap in an otherwise plain schema ------------------------------------------------------------------------------

LOCAL = ("#", "#/definitions/d", "#/properties/p", "#/additionalProperties", "#/default", "#/%64efinitions/d", "#name")
IDS = (ID, f"{ID}#", "s", "urn:example:s", "#name", "", "https://example.com/dir/x/../s", "https://[")


def plain(dialect: Dialect) -> st.SearchStrategy[dict[str, Any]]:
    leaf: st.SearchStrategy[Any] = st.sampled_from(
        [
            *({}, {"enum": [LOOKS_LIKE]}, {"additionalProperties": False}, {"minLength": 1}),
            *({"$ref": uri, "title": "t"} for uri in ("#", *PUBLISHED)),
        ]
    )
    booleans = st.booleans()
    return st.recursive(
        leaf,
        lambda inner: st.fixed_dictionaries(
            {},
            optional={
                "additionalProperties": booleans | inner,
                "properties": st.dictionaries(st.sampled_from(("p", "id", "$ref")), inner, max_size=2),
                "items": inner,
                "anyOf": st.lists(inner if dialect is DRAFT_04 else booleans | inner, min_size=1, max_size=2),
                "definitions": st.fixed_dictionaries({"d": inner}),
                "default": st.just(LOOKS_LIKE),
                "contentMediaType": st.just("a/b"),
            },
        ),
        max_leaves=5,
    )


def traps(dialect: Dialect) -> st.SearchStrategy[dict[str, Any]]:
    drawn: list[st.SearchStrategy[dict[str, Any]]] = [
        *(st.builds(lambda uri: {"$ref": uri}, st.sampled_from(uris)) for uris in (LOCAL, OWN, PUBLISHED, BESIDE)),
        st.builds(lambda uri: {dialect.id_keyword: uri}, st.sampled_from(IDS)),
        st.builds(lambda value: {"additionalProperties": value}, st.booleans()),
    ]
    values: tuple[Any, ...] = (0, None, [{}])
    other: list[dict[str, Any]] = [
        *({"contentEncoding": 1}, {"contentSchema": {}}, {"format": "date"}, {"const": 1}),
        *({"additionalProperties": value} for value in values),
        *({"items": [{}]}, {"not": True}, {"$defs": {"d": {}}}, {"$anchor": "a"}, {"dependencies": {}}, {"minimum": 1}),
        *({"$schema": uri} for uri in (dialect.uri, "urn:x")),
        *({name: ID} for name in ("id", "$id")),
    ]
    return st.one_of(*drawn, st.sampled_from(other))


@st.composite
def trapped(draw: st.DrawFn) -> tuple[Dialect, dict[str, Any]]:
    dialect = draw(st.sampled_from((DRAFT_04, *LEGACY)))
    schema = {"$schema": dialect.uri, **copy.deepcopy(draw(plain(dialect)))}
    own = draw(st.sampled_from((None, *3 * (ID,), *IDS)))
    if own is not None:
        schema[dialect.id_keyword] = own
    for trap in draw(st.lists(traps(dialect), min_size=1, max_size=2)):
        places = [place.schema for place in walk.survey(schema, dialect).places if isinstance(place.schema, dict)]
        draw(st.sampled_from(places)).update(copy.deepcopy(trap))
    return dialect, {**schema, "$schema": dialect.uri}


def test_it_says_what_the_survey_says_and_often_yes() -> None:
    yes: Counter[str] = Counter()
    examples = int(os.environ.get("DRAFTLIFT_EXAMPLES", "0"))

    @settings(
        max_examples=max(600, examples),
        derandomize=not examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(trapped())
    def law(drawn: tuple[Dialect, dict[str, Any]]) -> None:
        dialect, schema = drawn
        if agrees(schema, dialect):
            text = json.dumps(schema)
            yes["all"] += 1
            yes["boolean in draft-04"] += dialect is DRAFT_04 and '"additionalProperties": false' in text
            yes["published document"] += '"$ref": "https:' in text
            yes["relative reference"] += any(f'"$ref": "{uri}"' in text for uri in BESIDE)
            yes["identifier beside reference"] += "$ref" in schema and dialect.id_keyword in schema
            yes["soft keyword"] += dialect in (DRAFT_04, DRAFT_06) and '"contentMediaType"' in text

    law()
    assert all(yes.values()), yes


@pytest.mark.parametrize("dialect", LEGACY, ids=lambda dialect: dialect.name)
def test_it_says_what_the_survey_says_of_the_suite_read_as_any_dialect(dialect: Dialect) -> None:
    yes = 0
    for group in groups():
        for graft in ({}, {dialect.id_keyword: ID}, {dialect.id_keyword: ID, "additionalProperties": False}):
            yes += agrees({**group.schema, "$schema": dialect.uri, **graft}, dialect)
    assert yes > len(list(groups()))  # of three times as many
