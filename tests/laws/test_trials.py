"""Trials on sample values: they find no difference where there is none, and find one where there is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import validators

from draftlift.judge import process
from draftlift.judge.likely import Places
from draftlift.judge.matching import LONGEST, matching
from draftlift.judge.outcome import Agreement, Cut, Trial
from draftlift.judge.process import Judge
from draftlift.judge.samples import MOST_SAMPLES, samples
from draftlift.judge.verdicts import compare
from draftlift.normalize import normalize
from draftlift.schema.dialects import DRAFT_07, Dialect, dialect_of_uri
from slow_schemas import SLOW
from suite.official import groups

D7 = {"$schema": DRAFT_07.uri}


def tried(schema: dict[str, Any], translated: Any, dialect: Dialect = DRAFT_07) -> Agreement:
    *_, known = (Agreement(), *compare(schema, translated, dialect.name))
    return known


def test_samples_agree_for_every_translation_of_the_suite() -> None:
    judged = 0
    for group in groups():
        dialect = dialect_of_uri(group.schema["$schema"])
        result = normalize(group.schema, inert="remove")
        if dialect is not None and result.changed:
            outcome = tried(group.schema, result.schema, dialect)
            assert not outcome.differing, group.name
            judged += outcome.judged > 0
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
    outcome = tried({**D7, **before}, after)
    assert outcome.differing
    assert "not get the same verdict" in outcome.sentence


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
    outcome = tried(schema, schema)
    assert outcome.judged
    assert not outcome.differing


def test_recursion_has_an_end() -> None:
    schema = {**D7, "properties": {"child": {"$ref": "#"}, "other": {"$ref": "#/properties/other"}}}
    assert samples(schema)


@pytest.mark.parametrize("schema", [{"not": {"$ref": "#"}}, {"properties": {"a": {"$ref": "#/properties/a"}}}])
def test_an_endless_recursion_is_no_difference(schema: dict[str, Any]) -> None:
    schema = {**D7, **schema, "examples": [{"a": 1}, 2]}
    assert not tried(schema, normalize(schema).schema).differing


def test_a_panic_of_rpds_is_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    def panic(*_: object) -> bool:
        raise PanicException

    monkeypatch.setattr(validators.Draft202012Validator, "is_valid", panic)
    assert not tried({**D7, "examples": [1]}, {}).judged


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^[a-z]{2,}(-[0-9]+)?$", "minLength": 5},
        {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
        {"type": "string", "pattern": r"^(?:https?|ftp)://[\w.-]+/[^\s]*\.json$"},
        {"type": "string", "pattern": r"^#([0-9a-fA-F]{3}){1,2}$"},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"type": "integer", "minimum": 7, "multipleOf": 5},
        {"type": "integer", "maximum": -7, "multipleOf": 5},
        {"type": "integer", "exclusiveMinimum": 2.5},
        {"type": "array", "items": {"type": "string"}, "minItems": 3, "uniqueItems": True},
        {"type": "array", "items": [{"type": "null"}], "additionalItems": {"type": "integer"}, "minItems": 3},
        {"type": "array", "contains": {"const": 3}},
        {"type": "object", "minProperties": 3, "additionalProperties": {"type": "integer"}},
        {"type": "object", "required": ["a"], "dependencies": {"a": ["b"]}, "properties": {"b": {"type": "null"}}},
        {"allOf": [{"type": "object", "required": ["a"]}, {"required": ["b"], "properties": {"b": {"maximum": -1}}}]},
        {
            "anyOf": [{"required": ["a"], "properties": {"a": {"enum": [3]}}}, {"type": "null"}],
            "type": ["object", "null"],
        },
        {
            "required": ["a"],
            "properties": {"a": {"$ref": "#/definitions/a"}},
            "definitions": {"a": {"type": "boolean"}},
        },
        {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": ["integer", "null"], "minimum": 3}}},
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_one_sample_passes(schema: dict[str, Any], wrapped: bool) -> None:
    definitions = {"definitions": schema.get("definitions", {})}
    if wrapped:
        schema = {"type": "object", "required": ["x"], "properties": {"x": schema}, "additionalProperties": False}
    value = Places({**schema, **definitions}).likely([{**schema, **definitions}])
    assert validators.Draft7Validator({**D7, **schema, **definitions}).is_valid(value), value


def test_nearly_every_schema_of_the_suite_has_a_sample_that_passes() -> None:
    without = []
    judged = 0
    for group in groups():
        dialect = dialect_of_uri(group.schema["$schema"])
        if dialect is not None:
            outcome = tried(group.schema, normalize(group.schema).schema, dialect)
            judged += outcome.judged > 0
            without += [group.name] if outcome.judged and not outcome.passed else []
    assert len(without) < judged / 15, without


@pytest.mark.parametrize(
    "pattern",
    ["(", ")", "a)", "[", "[a", "*", "(?#x)", "a\\", r"\1", r"\p{L}", "(?<a", "x{9999}y{9999}", r"\u12", "(" * 99999],
)
def test_patterns_that_are_beyond_us(pattern: str) -> None:
    assert matching(pattern) is None


@given(st.text("ab(|)[]^-*+?{1,2}\\dwsx.$:=!<>", max_size=12), st.integers(0, 20))
def test_reading_patterns_never_raises(pattern: str, least: int) -> None:
    found = matching(pattern, least)
    assert found is None or len(found) <= LONGEST


def test_making_samples_costs_little_however_a_schema_recurs() -> None:
    names = "abcdefghij"
    node: dict[str, Any] = {
        "properties": {name: {"$ref": "#"} for name in names},
        "required": [*names],
        "items": {"$ref": "#"},
    }
    for schema in (node, {"allOf": [node, node], "anyOf": [{"$ref": "#"}]}, {"items": [{"$ref": "#"}] * 50, **node}):
        assert sum(map(_size, samples({**D7, **schema}))) < 200_000


def _size(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, inner))


# -- in a process of its own, under a limit ----------------------------------------------------------------------------

SMALL = Trial({**D7, "examples": [{"a": 1}]}, {"$schema": "https://json-schema.org/draft/2020-12/schema"}, DRAFT_07)
PATIENCE_S = 60.0


@pytest.fixture
def judge() -> Iterator[Judge]:
    judge = Judge()
    judge.warm(PATIENCE_S)
    yield judge
    judge.close()


@pytest.mark.parametrize("schema", SLOW.values(), ids=SLOW)
def test_a_limit_cuts_what_is_slow(judge: Judge, schema: dict[str, Any]) -> None:
    outcome = judge.agree(Trial(schema, normalize(schema).schema, DRAFT_07), 0.05)
    assert isinstance(outcome, Cut)
    assert outcome.cause == "slow"
    assert outcome.sentence.startswith("cut short after 0.05 s, since a pattern or the size")
    judge.warm(PATIENCE_S)
    assert judge.agree(SMALL, PATIENCE_S) == Agreement(passed=8)


def test_what_is_not_ready_is_waited_for_within_the_limit_only() -> None:
    judge = Judge()
    assert judge.agree(SMALL, 0.0) == Cut(0.0, "starting")
    judge.warm(PATIENCE_S)
    assert judge.agree(SMALL, PATIENCE_S) == Agreement(passed=8)
    judge.close()


def test_one_that_is_busy_is_waited_for_within_the_limit_only(judge: Judge) -> None:
    slow = Trial(SLOW["repeated class"], {}, DRAFT_07)
    outcomes: list[object] = []
    thread = Thread(target=lambda: outcomes.append(judge.agree(slow, PATIENCE_S)))
    thread.start()
    while judge.agree(SMALL, 0.01) != Cut(0.01, "busy"):
        pass
    judge.stop(SMALL)  # another one: nothing happens
    assert not outcomes
    judge.stop(slow)
    thread.join()
    assert [type(outcome) for outcome in outcomes] == [Cut]
    judge.warm(PATIENCE_S)
    assert judge.agree(SMALL, PATIENCE_S) == Agreement(passed=8)


def test_an_interpreter_without_a_validator_tries_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [path for path in sys.path if "site-packages" not in path])
    monkeypatch.setattr(process, "_FLAGS", ("-I", "-S"))
    judge = Judge()
    judge.warm(PATIENCE_S)
    assert judge.agree(SMALL, PATIENCE_S) is None


@pytest.mark.parametrize("program", ["", "/no/such/python"])
def test_where_no_process_can_be_started_nothing_is_tried_out(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert Judge().agree(SMALL, PATIENCE_S) is None


def test_a_value_that_is_nested_too_deep_to_be_sent_is_not_tried_out(judge: Judge) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert judge.agree(Trial({**D7, "enum": deep}, {}, DRAFT_07), PATIENCE_S) is None
    while deep:
        deep = deep[0]  # Python takes long nests apart recursively


def test_the_process_ends_with_its_parent_even_where_it_hangs(tmp_path: Path) -> None:
    there = tmp_path / "worker"
    program = (
        "import os, sys\nfrom pathlib import Path\n"
        "from draftlift.judge.outcome import Trial\nfrom draftlift.judge.process import Judge\n"
        "from draftlift.schema.dialects import DRAFT_07\nfrom slow_schemas import SLOW\nfrom threading import Thread\n"
        "judge = Judge()\njudge.warm(60.0)\n"
        "trial = Trial(SLOW['repeated class'], {}, DRAFT_07)\n"
        "Thread(target=judge.agree, args=(trial, 1.0), daemon=True).start()\n"
        "while judge._trial is not trial: pass\n"
        f"Path({str(there)!r}).write_text(str(judge._worker._process.pid))\n"
        "os._exit(0)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    pid = int(there.read_text())
    deadline = time.monotonic() + PATIENCE_S
    while _is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    if sys.platform == "win32":
        return (
            str(pid)
            in subprocess.run(["tasklist", "/FI", f"PID eq {pid}"], capture_output=True, text=True, check=True).stdout
        )
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
