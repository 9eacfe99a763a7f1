"""Proof on demand: it finds no difference where there is none, and finds one where there is."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import validators

from draftlift.judge.samples import MOST_SAMPLES, prove, samples
from draftlift.normalize import normalize
from draftlift.schema.dialects import DRAFT_07, dialect_of_uri
from suite.official import groups

D7 = {"$schema": DRAFT_07.uri}


def test_every_translation_of_the_suite_proves() -> None:
    judged = 0
    for group in groups():
        dialect = dialect_of_uri(group.schema["$schema"])
        result = normalize(group.schema, inert="remove")
        if dialect is not None and result.changed:
            proof = prove(group.schema, result.schema, dialect)
            assert proof is None or not proof.differing, group.name
            judged += proof is not None
    assert judged > 900


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"properties": {"a": {"type": "string", "minLength": 2}}}, {"properties": {"a": {"type": "string"}}}),
        ({"items": [{"type": "number"}], "additionalItems": False}, {"prefixItems": [{"type": "number"}]}),
        ({"dependencies": {"a": ["b"]}}, {"dependencies": {"a": ["b"]}}),
        ({"properties": {"a": {"$ref": "#/definitions/s"}}, "definitions": {"s": {"maximum": 3}}}, {}),
        ({"required": ["a"]}, {}),
        ({"additionalProperties": False}, {}),
        ({"enum": ["x"]}, {"enum": ["y"]}),
    ],
)
def test_a_wrong_translation_is_noticed(before: dict[str, Any], after: dict[str, Any]) -> None:
    proof = prove({**D7, **before}, after, DRAFT_07)
    assert proof is not None
    assert proof.differing
    assert "do not get the same verdict" in proof.sentence


def test_samples_are_few_and_begin_with_the_authors_own() -> None:
    schema = {
        "default": {"a": 1},
        "examples": [{"a": 2}],
        "properties": {f"p{i}": {"enum": [1, 2, 3]} for i in range(50)},
    }
    found = samples(schema)
    assert found[:2] == [{"a": 1}, {"a": 2}]
    assert len(found) == MOST_SAMPLES


def test_nothing_is_fetched() -> None:
    schema = {**D7, "properties": {"a": {"$ref": "http://localhost:9/never"}}}
    proof = prove(schema, schema, DRAFT_07)
    assert proof is not None
    assert not proof.differing


def test_recursion_has_an_end() -> None:
    schema = {**D7, "properties": {"child": {"$ref": "#"}, "other": {"$ref": "#/properties/other"}}}
    assert samples(schema)


@pytest.mark.parametrize("schema", [{"not": {"$ref": "#"}}, {"properties": {"a": {"$ref": "#/properties/a"}}}])
def test_an_endless_recursion_is_no_difference(schema: dict[str, Any]) -> None:
    schema = {**D7, **schema, "examples": [{"a": 1}, 2]}
    proof = prove(schema, normalize(schema).schema, DRAFT_07)
    assert proof is None or proof.differing == ()


def test_a_panic_of_rpds_is_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    def panic(*_: object) -> bool:
        raise PanicException

    monkeypatch.setattr(validators.Draft202012Validator, "is_valid", panic)
    assert prove({**D7, "examples": [1]}, {}, DRAFT_07) is None
