"""A small copy of ``benchmarks/differential.py``: some of its schemas, and the validators that Python has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from draftlift.normalize import Inert, normalize
from draftlift.schema.dialects import DRAFT_07, DRAFT_2020_12
from laws.judging import MODES, broken_laws, broken_text, changes, python_verdicts
from laws.random_schemas import Draw, case, resolved, respelled
from laws.renderings import RENDERINGS

SEED = 1
NUMBERS = range(400)


@pytest.mark.parametrize("inert", MODES)
@pytest.mark.parametrize("first", NUMBERS[::100])
def test_no_verdict_changes_and_the_text_says_the_same(first: int, inert: Inert) -> None:
    renderings = sorted(RENDERINGS)
    faults: list[Any] = []
    for number in range(first, first + 100):
        made = case(SEED, number)
        result = normalize(made.schema, inert=inert)
        faults += [(number, law) for law in broken_laws(made.schema, made.dialect, inert)]
        rendering = renderings[number // 4 % len(renderings)]
        faults += [(number, rendering, fault) for fault in broken_text(result, made.schema, inert, rendering)]
        if result.changed:
            before = python_verdicts(made.schema, made.dialect, made.instances)
            after = python_verdicts(result.schema, DRAFT_2020_12, made.instances)
            faults += [
                (number, made.instances[index], letter)
                for index, letter, judges in changes(before, after, made.instances)
                if len(judges) > 1 and letter != "e"
            ]
    assert not faults


def test_a_wrong_translation_is_noticed() -> None:
    before = {"properties": {"a": {"$ref": "#/items/0"}}, "items": [{"type": "integer"}]}
    after = {"properties": {"a": {"$ref": "#/items/0"}}, "prefixItems": [{"type": "integer"}]}
    instances: list[Any] = [{}, {"a": 1}, {"a": "s"}]
    found = changes(
        python_verdicts(before, DRAFT_07, instances), python_verdicts(after, DRAFT_2020_12, instances), instances
    )
    assert [(index, letter) for index, letter, judges in found if len(judges) > 1] == [(1, "t"), (2, "f")]


def test_a_number_decides_the_whole_case() -> None:
    for number in NUMBERS[:40]:
        assert json.dumps(vars(case(SEED, number)), default=repr) == json.dumps(vars(case(SEED, number)), default=repr)
    assert case(SEED, 0).schema != case(SEED + 1, 0).schema


@pytest.mark.parametrize(
    ("base", "uri", "wanted"),
    [  # RFC 3986, 5.4
        ("http://a/b/c/d;p?q", "g", "http://a/b/c/g"),
        ("http://a/b/c/d;p?q", "./g/.", "http://a/b/c/g/"),
        ("http://a/b/c/d;p?q", "?y", "http://a/b/c/d;p?y"),
        ("http://a/b/c/d;p?q", "", "http://a/b/c/d;p?q"),
        ("http://a/b/c/d;p?q", "../../../g", "http://a/g"),
        ("http://a/b/c/d;p?q", "//g", "http://g"),
        ("http://a/b/c/d;p?q", "g:h", "g:h"),
        ("app://a", "g", "app://a/g"),
        ("urn:x:y", "g", "urn:g"),
        ("", "../g", "../g"),
    ],
)
def test_uris_are_resolved_by_the_letter(base: str, uri: str, wanted: str) -> None:
    assert resolved(base, uri) == wanted


def test_another_spelling_is_another_spelling() -> None:
    spellings = {respelled("http://e.test/~a.json", Draw(SEED, number)) for number in range(60)}
    assert {"HTTP://e.test/~a.json", "http://e.test:80/~a.json", "http://e.test/%7Ea.json"} <= spellings
