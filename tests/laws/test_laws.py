"""The laws of the normalizer and of the edits, over generated schemas and the official suite's."""

from __future__ import annotations

import copy
import json
import os
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from draftlift.analysis import analyse
from draftlift.change.operations import ReplaceValue
from draftlift.fixes.edits import to_edits
from draftlift.fixes.proving import edits_hold
from draftlift.normalize import Inert, normalize
from draftlift.normalize.shortcut import only_declares
from draftlift.schema.dialects import DRAFT_2020_12, Dialect, dialect_of_uri
from draftlift.schema.survey import survey
from draftlift.syntax import read
from draftlift.syntax.tree import resolve, to_value
from draftlift.text import Edit, apply_edits
from laws.renderings import RENDERINGS
from laws.strategies import any_schema, instances
from suite.judge import is_valid_schema, verdicts
from suite.official import groups

INERT = st.sampled_from(["refuse", "remove"])
MANY = settings(
    max_examples=int(os.environ.get("DRAFTLIFT_EXAMPLES", "120")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
SUITE = [group.schema for group in groups()]


def same(left: Any, right: Any) -> bool:
    """Equality as JSON has it: 1 is 1.0, but true is not 1."""
    return left == right and json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@MANY
@given(any_schema(), INERT)
def test_normalize_is_idempotent_and_changes_no_input(drawn: tuple[Dialect, dict[str, Any]], inert: Inert) -> None:
    _, schema = drawn
    before = copy.deepcopy(schema)
    result = normalize(schema, inert=inert)
    assert same(schema, before)
    assert normalize(schema, inert=inert) == result
    if result.changed:
        again = normalize(result.schema, inert=inert)
        assert again.status == "unchanged"
        assert again.schema is result.schema
    else:
        assert result.schema is schema
        assert not result.operations
        assert result.refusals


@MANY
@given(any_schema(), INERT)
def test_the_quick_look_says_what_the_survey_says(drawn: tuple[Dialect, dict[str, Any]], inert: Inert) -> None:
    dialect, schema = drawn
    check_quick(dialect, schema, inert)


@pytest.mark.parametrize("inert", ["refuse", "remove"])
def test_the_quick_look_says_what_the_survey_says_of_the_suite(inert: Inert) -> None:
    for schema in SUITE:
        dialect = dialect_of_uri(schema["$schema"])
        if dialect is not None:
            check_quick(dialect, schema, inert)


def check_quick(dialect: Dialect, schema: dict[str, Any], inert: Inert) -> None:
    if only_declares(schema, dialect):
        quick, whole = normalize(schema, inert=inert), normalize(schema, inert=inert, surveyed=survey(schema, dialect))
        assert quick == whole
        assert list(quick.schema) == list(whole.schema)


@MANY
@given(any_schema(), INERT)
def test_a_valid_schema_becomes_a_valid_schema(drawn: tuple[Dialect, dict[str, Any]], inert: Inert) -> None:
    dialect, schema = drawn
    result = normalize(schema, inert=inert)
    if result.changed and is_valid_schema(schema, dialect):
        assert is_valid_schema(result.schema, DRAFT_2020_12)


@MANY
@given(any_schema(), INERT, st.lists(instances, min_size=1, max_size=6))
def test_verdicts_stay(drawn: tuple[Dialect, dict[str, Any]], inert: Inert, values: list[Any]) -> None:
    dialect, schema = drawn
    result = normalize(schema, inert=inert)
    assume(result.changed)
    text = json.dumps(schema)
    assume(not ("unevaluatedItems" in text and "contains" in text))  # jsonschema reads them as 2020-12 does, in 2019-09
    before = verdicts(schema, dialect, tuple(values))
    after = verdicts(result.schema, DRAFT_2020_12, tuple(values))
    for value, old, new in zip(values, before, after, strict=True):
        if isinstance(old, bool):  # else the source has no verdict that could be kept
            assert new == old, value


@MANY
@given(any_schema(), INERT, st.sampled_from(sorted(RENDERINGS)))
def test_the_edited_text_is_the_normalized_value(
    drawn: tuple[Dialect, dict[str, Any]], inert: Inert, rendering: str
) -> None:
    check_text(drawn[1], inert, rendering)


@pytest.mark.parametrize("inert", ["refuse", "remove"])
@pytest.mark.parametrize("rendering", sorted(RENDERINGS))
def test_the_edited_text_of_every_suite_schema_is_the_normalized_value(rendering: str, inert: Inert) -> None:
    for schema in SUITE:
        check_text(schema, inert, rendering)


def check_text(schema: dict[str, Any], inert: Inert, rendering: str) -> None:
    language, render = RENDERINGS[rendering]
    result = normalize(schema, inert=inert)
    text = render(schema)
    tree = read(text, language)
    root = tree.documents[0]
    assert root is not None
    assert not tree.problems
    assert same(to_value(root), schema)
    edits = to_edits(result.operations, tree, resolve(root))
    edited = apply_edits(text, edits)
    after = read(edited, language)
    assert not after.problems
    assert after.documents[0] is not None
    assert same(to_value(after.documents[0]), result.schema)
    if not result.changed:
        assert edited == text
    kept = set(comments(text)) - {c for edit in edits for c in comments(text[edit.start : edit.end])}
    assert kept <= set(comments(edited))
    assert ("\r\n" in text) == ("\r\n" in edited)
    assert edited.count("\n") - edited.count("\r\n") == (0 if "\r\n" in text else edited.count("\n"))


def comments(text: str) -> list[str]:
    """The numbered comments that the renderings put in."""
    return [word for word in text.split() if word[0] in "cd" and word[1:-1].isdigit() and word[-1] == "."]


@pytest.mark.parametrize("rendering", sorted(RENDERINGS))
def test_fix_all_over_a_file_of_many_tools_is_proved(rendering: str) -> None:
    language, render = RENDERINGS[rendering]
    tools = [{"name": f"t{i}", "inputSchema": schema} for i, schema in enumerate(SUITE[::4])]
    text = render({"tools": tools})
    analysis = analyse(text, language)
    edited = apply_edits(text, analysis.fix_all())
    root = read(edited, language).documents[0]
    assert root is not None
    for tool, schema in zip(to_value(root)["tools"], SUITE[::4], strict=True):
        assert same(tool["inputSchema"], normalize(schema).schema)
    for found in analysis.schemas[::20]:
        if found.translation is not None:
            assert edits_hold(analysis.tree, found.translation.edits, found.translation.operations)


def test_schemas_that_tools_share_by_an_anchor_change_together_or_not_at_all() -> None:
    translated = 0
    for schema in SUITE:
        shared = {"x-shared": schema, "tools": [{"name": name, "inputSchema": schema} for name in "ab"]}
        text = yaml.safe_dump(shared, sort_keys=False, allow_unicode=True)
        analysis = analyse(text, "yaml")
        edited = read(apply_edits(text, analysis.fix_all()), "yaml").documents[0]
        assert edited is not None
        one, other = (tool["inputSchema"] for tool in to_value(edited)["tools"])
        assert same(one, other)
        wanted = normalize(schema).schema
        assert same(one, wanted) or same(one, schema)
        translated += same(one, wanted)
    assert translated > 0.9 * len(SUITE)


@pytest.mark.parametrize("other", ["1", ".nan"], ids=["as a whole", "at its schemas"])
@pytest.mark.parametrize(
    ("shared", "new_text", "proven"), [("{title: x}", "y", True), ("{title: x}", "z", False), ("*s", "y", False)]
)
def test_a_fix_that_changes_more_than_it_says_is_not_proved(
    other: str, shared: str, new_text: str, proven: bool
) -> None:
    text = (
        f"other: {other}\ntools:\n- {{name: a, inputSchema: &s {{title: x}}}}\n- {{name: b, inputSchema: {shared}}}\n"
    )
    at = text.index("x}")
    change = ReplaceValue(("tools", 0, "inputSchema", "title"), "y")
    assert edits_hold(read(text, "yaml"), (Edit(at, at + 1, new_text),), ((0, change),)) == proven
