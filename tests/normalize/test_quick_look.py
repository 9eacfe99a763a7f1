"""The quick look must not only be right where it says yes (the laws hold that) but also say yes where it can."""

from __future__ import annotations

import pytest

from draftlift.dialects import LEGACY, Dialect, dialect_of_uri
from draftlift.normalize import normalize
from draftlift.normalize.quick import only_declares
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
    assert sum(answers) >= 906  # of 1,048; a refinement may raise it
