"""The normalizer by value: case files of schemas, each with what becomes of it.

A ``json before`` block is a schema. Behind it stands what ``normalize`` makes of it: ``json after`` (the translation,
keys in order), ``refused`` (one ``reason-id /pointer`` a line, in document order), ``unchanged`` or ``unsupported``
(empty blocks). With ``-remove`` behind the word it is said of ``inert="remove"``; where nothing is, both ways do the
same. A block ``verdicts`` has an instance a line behind ``+`` (valid before and after) or ``-`` (valid neither before
nor after); ``verdicts after`` speaks of the translation alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import referencing
import yaml

from casefile import read_blocks
from draftlift.analysis import analyse
from draftlift.fixes.proving import edits_hold
from draftlift.normalize import REASONS, Inert, Result, normalize
from draftlift.schema.dialects import DRAFT_2020_12, LEGACY, Dialect, dialect_of_uri
from draftlift.schema.survey import MAX_DEPTH
from draftlift.syntax import read
from draftlift.syntax.tree import Language, to_value
from draftlift.syntax.unknown import Unknown
from draftlift.text import apply_edits

HERE = Path(__file__).parent

VALIDATORS: dict[str, Any] = {
    "draft-04": jsonschema.Draft4Validator,
    "draft-06": jsonschema.Draft6Validator,
    "draft-07": jsonschema.Draft7Validator,
    "2019-09": jsonschema.Draft201909Validator,
    "2020-12": jsonschema.Draft202012Validator,
}


@dataclass
class Case:
    place: str
    id: str
    text: str
    outcomes: dict[str, str] = field(default_factory=dict)
    verdicts: list[tuple[bool, Any, bool]] = field(default_factory=list)

    @property
    def schema(self) -> Any:
        return json.loads(self.text)


def read_file(path: Path) -> Iterator[Case]:
    case: Case | None = None
    counts: dict[str, int] = {}
    for block in read_blocks(path.read_text(encoding="utf-8")):
        place, text = f"{path}:{block.at}", "\n".join(block.lines)
        if block.words == ("before",):
            if case is not None:
                yield case
            count = counts[block.heading] = counts.get(block.heading, 0) + 1
            case = Case(place, f"{path.stem}: {block.heading}" + (f" {count}" if count > 1 else ""), text)
            continue
        assert case is not None, f"{place}: no schema before this block"
        if block.language == "verdicts":
            both = "after" not in block.words
            case.verdicts += [(line[0] == "+", json.loads(line[1:]), both) for line in block.lines]
        else:
            name = block.words[0] if block.language == "json" else block.language
            assert name.removesuffix("-remove") in ("after", "refused", "unchanged", "unsupported"), place
            assert name not in case.outcomes, place
            case.outcomes[name] = text
    if case is not None:
        yield case


CASES = [case for path in sorted(HERE.glob("*.md")) for case in read_file(path)]
each_case = pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
each_mode = pytest.mark.parametrize("inert", ["refuse", "remove"])


@each_case
def test_case(case: Case) -> None:
    default = {name: text for name, text in case.outcomes.items() if not name.endswith("-remove")}
    removing = {name.removesuffix("-remove"): text for name, text in case.outcomes.items() if name not in default}
    assert len(default) == 1, f"{case.place}: say what becomes of it"
    assert len(removing) <= 1, case.place
    for inert, expected in (("refuse", default), ("remove", removing or default)):
        ((name, text),) = expected.items()
        _check(case, inert, name, text)  # type: ignore[arg-type]


def _check(case: Case, inert: Inert, name: str, text: str) -> None:
    schema = case.schema
    before = json.dumps(schema)
    result = normalize(schema, inert=inert)
    assert json.dumps(schema) == before, f"{case.place}: the schema was changed"
    again = normalize(schema, inert=inert)
    assert (again.status, again.refusals, again.operations) == (result.status, result.refusals, result.operations)
    _check_flags(result)
    if name == "after":
        shown = [f"{refusal.id} {refusal.pointer_text}" for refusal in result.refusals]
        assert result.status == "translated", f"{case.place}: {inert}: {result.status} {shown}"
        assert json.dumps(result.schema) == json.dumps(json.loads(text)), f"{case.place}: {inert}"
        _check_translated(case, schema, result)
        return
    assert result.schema is schema
    assert result.operations == ()
    refusals = [f"{refusal.id} {refusal.pointer_text}".rstrip() for refusal in result.refusals]
    expected = text.split("\n") if text else []
    assert refusals == expected, f"{case.place}: {inert}"
    assert result.status == name, case.place


def _check_flags(result: Result) -> None:
    assert (result.changed, result.skipped, result.unsupported_dialect) == (
        result.status == "translated",
        result.status == "refused",
        result.status == "unsupported",
    )
    assert bool(result.refusals) == (result.status == "refused") == bool(result.reason)
    assert bool(result.operations) == (result.status == "translated")
    for refusal in result.refusals:
        assert refusal.id in REASONS
        assert refusal.message.endswith(".")


def _check_translated(case: Case, schema: Any, result: Result) -> None:
    assert result.schema["$schema"] == DRAFT_2020_12.uri
    twice = normalize(result.schema)
    assert twice.schema is result.schema, f"{case.place}: not idempotent"
    old = _validator(schema)
    if _is_valid_schema(old, schema):
        assert _is_valid_schema(VALIDATORS["2020-12"], result.schema), f"{case.place}: invalid in 2020-12"
    registry: Any = referencing.Registry()
    for valid, instance, both in case.verdicts:
        if both:
            assert old(schema, registry=registry).is_valid(instance) == valid, f"{case.place}: before: {instance}"
        new = VALIDATORS["2020-12"](result.schema, registry=registry)
        assert new.is_valid(instance) == valid, f"{case.place}: after: {instance}"


def _validator(schema: Any) -> Any:
    dialect = dialect_of_uri(schema["$schema"])
    assert dialect is not None
    return VALIDATORS[dialect.name]


def _is_valid_schema(validator: Any, schema: Any) -> bool:
    try:
        validator.check_schema(schema)
    except jsonschema.SchemaError:
        return False
    return True


# -- the same by text: four layouts --------------------------------------------------------------------------------


LAYOUTS: dict[str, Language] = {"pretty": "json", "compact": "json", "flow": "yaml", "block": "yaml"}


def render(schema: Any, layout: str) -> str:
    tool = {"name": "t", "inputSchema": schema}
    if layout == "pretty":
        return json.dumps(tool, indent=2) + "\n"
    if layout == "compact":
        return json.dumps(tool, separators=(",", ":"))
    if layout == "flow":
        return json.dumps(tool)
    return yaml.safe_dump(tool, sort_keys=False, default_flow_style=False, allow_unicode=True)


@pytest.mark.parametrize("layout", LAYOUTS)
@each_case
def test_the_text_says_the_same_afterwards(case: Case, layout: str) -> None:
    text = render(case.schema, layout)
    analysis = analyse(text, LAYOUTS[layout])
    (schema,) = analysis.schemas
    assert schema.value == case.schema, f"{case.place}: {layout}"
    for inert in ("refuse", "remove"):
        expected = normalize(case.schema, inert=inert)
        (root,) = read(apply_edits(text, analysis.fix_all(inert)), LAYOUTS[layout]).documents
        assert root is not None
        assert to_value(root)["inputSchema"] == expected.schema, f"{case.place}: {layout}, {inert}"
    if schema.translation is not None:
        assert edits_hold(analysis.tree, schema.translation.edits, schema.translation.operations)


# -- what holds for all of them --------------------------------------------------------------------------------------


def test_every_reason_has_a_case() -> None:
    said = {
        line.split()[0]
        for case in CASES
        for name, text in case.outcomes.items()
        if name.startswith("refused")
        for line in text.split("\n")
    }
    assert said == set(REASONS) - {"too-large", "unknown-value"}  # these stand below


@each_mode
@pytest.mark.parametrize("dialect", LEGACY, ids=lambda dialect: dialect.name)
def test_unknown_values(dialect: Dialect, inert: Inert) -> None:
    """Nothing is translated around what nobody can tell, whatever keyword or data it is in."""
    unknown = Unknown(("x",))
    places: list[tuple[tuple[str | int, ...], dict[str, Any]]] = [
        (("description",), {"description": unknown}),
        (("default", "a", 1), {"default": {"a": [1, unknown]}}),
        (("properties",), {"properties": unknown}),
        (("not", "items", 0), {"not": {"items": [unknown]}}),
        (("x-own", "y"), {"x-own": {"y": unknown}}),
    ]
    for pointer, schema in places:
        schema = {"$schema": dialect.uri, **schema}
        result = normalize(schema, inert=inert)
        assert [(refusal.id, refusal.pointer) for refusal in result.refusals] == [("unknown-value", pointer)]
        assert result.schema is schema
    assert not normalize({"items": [unknown]}, inert=inert).refusals


@each_mode
def test_too_large(inert: Inert) -> None:
    def nested(depth: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"items": [{}]}
        for _ in range(depth):
            schema = {"not": schema}
        return {"$schema": "http://json-schema.org/draft-07/schema#", **schema}

    assert normalize(nested(MAX_DEPTH - 2), inert=inert).status == "translated"
    schema = nested(MAX_DEPTH + 1)
    result = normalize(schema, inert=inert)
    assert [refusal.id for refusal in result.refusals] == ["too-large"]
    assert result.schema is schema
    assert normalize(nested(20_000), inert=inert).refusals[0].id == "too-large"


def test_numbers_keep_every_digit() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "minimum": 10**400,
        "exclusiveMinimum": True,
        "maximum": Decimal("1.000000000000000000000000000000001"),
        "exclusiveMaximum": True,
        "multipleOf": 1.0,
    }
    result = normalize(schema)
    assert result.schema == {
        "$schema": DRAFT_2020_12.uri,
        "exclusiveMinimum": 10**400,
        "exclusiveMaximum": Decimal("1.000000000000000000000000000000001"),
        "multipleOf": 1.0,
    }
    assert isinstance(result.schema["multipleOf"], float)


@each_mode
@pytest.mark.parametrize("value", [None, True, False, 5, "x", [], {}, {"$schema": 5}, {"$schema": None}, {"type": "x"}])
def test_what_declares_nothing_is_unchanged(value: Any, inert: Inert) -> None:
    result = normalize(value, inert=inert)
    assert result.schema is value
    assert result.status == "unchanged"


def test_parts_of_the_source_are_not_changed_through_the_result() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "dependencies": {"a": ["b"], "c": {"items": [{}]}},
        "items": [{"$ref": "#/dependencies/c"}],
    }
    before = deepcopy(schema)
    normalize(schema)
    normalize(schema, inert="remove")
    assert schema == before
