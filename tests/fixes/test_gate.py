"""The gate: a fix was proved on the very text, whatever the edits came from, and what fails costs itself only."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

import draftlift
from draftlift.analysis import Analysis, analyse
from draftlift.change.operations import Operation
from draftlift.fixes import proving
from draftlift.fixes.edits import to_edits
from draftlift.fixes.model import Fix
from draftlift.fixes.proving import edits_hold
from draftlift.syntax import read
from draftlift.syntax.tree import Language, Node, Tree
from draftlift.text import Edit, apply_edits
from laws.renderings import RENDERINGS
from suite.official import groups

PACKAGE = Path(draftlift.__file__).parent
D7 = "http://json-schema.org/draft-07/schema#"
LANGUAGES: list[Language] = ["json", "yaml"]
TOOLS = [
    {"name": f"t{i}", "inputSchema": {"$schema": D7, "type": "object", "properties": {"p": {"items": [{}, {}]}}}}
    for i in range(9)
]


def text_of(value: Any, language: Language) -> str:
    return json.dumps(value, indent=2) if language == "json" else yaml.safe_dump(value, sort_keys=False)


def test_only_the_proof_makes_a_fix() -> None:
    makers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Fix"
    }
    assert makers == {"fixes/proving.py"}


def test_only_the_gate_turns_operations_into_edits() -> None:
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if path.is_relative_to(PACKAGE / "fixes") is False and "to_edits" in path.read_text("utf-8")
    }
    assert users == set()


def proved(analysis: Analysis) -> list[Fix]:
    return [fix for own in analysis.fixes(analysis.findings) for fix in own]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_throws_costs_its_schema_only(
    language: Language, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(operations: Iterable[Operation], tree: Tree, root: Node) -> list[Edit]:
        if (
            tree.text.rfind("t4", 0, root.start) > tree.text.rfind("t3", 0, root.start)
            and "t5" not in (tree.text[: root.start])
        ):
            raise ZeroDivisionError
        return to_edits(operations, tree, root)

    monkeypatch.setattr(proving, "to_edits", failing)
    analysis = analyse(text_of(TOOLS, language), language)
    assert [schema.translation is not None for schema in analysis.schemas] == [i != 4 for i in range(9)]
    assert analysis.schemas[4].withheld
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    fixed = read(apply_edits(analysis.tree.text, analysis.fix_all()), language)
    assert fixed.text.count("prefixItems") == 8


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wrong", [0, 4, 8])
def test_of_many_at_once_the_wrong_one_is_found(
    language: Language, wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text_of(TOOLS, language)
    roots = [schema.site.node.start for schema in analyse(text, language).schemas if schema.site.node is not None]

    def mistaken(operations: Iterable[Operation], tree: Tree, root: Node) -> list[Edit]:
        edits = to_edits(operations, tree, root)
        if root.start == roots[wrong]:
            edits[-1] = edits[-1]._replace(new_text=edits[-1].new_text.replace("prefixItems", "prefixitems"))
        return edits

    monkeypatch.setattr(proving, "to_edits", mistaken)
    analysis = analyse(text, language)
    assert [schema.translation is not None for schema in analysis.schemas] == [i != wrong for i in range(9)]


def corrupted(edits: list[Edit], text: str, rng: random.Random) -> list[Edit]:
    """One edit a little beside what it should be."""
    index = rng.randrange(len(edits))
    edit = edits[index]
    kind = rng.randrange(6)
    if kind == 0:
        edit = edit._replace(new_text=edit.new_text + rng.choice([" ", "'", '"', ",", "#", "}", "\n", "x: 1\n", ":"]))
    elif kind == 1:
        edit = edit._replace(new_text=rng.choice([" ", "'", '"', "{", "- ", "\n"]) + edit.new_text)
    elif kind == 2:
        edit = edit._replace(new_text=edit.new_text[:-1])
    elif kind == 3:
        edit = edit._replace(end=min(len(text), edit.end + 1))
    elif kind == 4:
        edit = edit._replace(start=max(0, edit.start - 1))
    else:
        del edits[index]
        return edits
    return [*edits[:index], edit, *edits[index + 1 :]]


@pytest.mark.parametrize("rendering", sorted(RENDERINGS))
def test_no_wrong_edit_gets_through(rendering: str, monkeypatch: pytest.MonkeyPatch) -> None:
    language, render = RENDERINGS[rendering]
    rng = random.Random(rendering)
    schemas = [group.schema for group in groups() if isinstance(group.schema, dict)]
    schemas = [{"$schema": D7, **schema} for schema in rng.sample(schemas, 60)]

    def mistaken(operations: Iterable[Operation], tree: Tree, root: Node) -> list[Edit]:
        edits = to_edits(operations, tree, root)
        return corrupted(edits, tree.text, rng) if edits and rng.random() < 0.4 else edits

    monkeypatch.setattr(proving, "to_edits", mistaken)
    seen = held_back = 0
    for at in range(0, len(schemas), 4):
        tools = [{"name": f"t{i}", "inputSchema": schema} for i, schema in enumerate(schemas[at : at + 4])]
        analysis = analyse(render({"tools": tools}), language)
        held_back += sum(schema.withheld is not None for schema in analysis.schemas)
        for fix in proved(analysis):
            seen += 1
            assert edits_hold(analysis.tree, fix.edits, fix.operations), fix
    assert seen > 10
    assert held_back > 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_way_out_is_its_own_though_it_holds_an_object(language: Language) -> None:
    fields = {f"p{i}": {"type": "string", "enum": [f"v{i}"], "enumNames": [f"N{i}"]} for i in range(30)}
    text = text_of({"message": "m", "requestedSchema": {"type": "object", "properties": fields}}, language)
    analysis = analyse(text, language)
    for finding, (fix,) in zip(analysis.findings, analysis.fixes(analysis.findings), strict=True):
        number = str(finding.pointer[2])[1:]
        assert re.search(rf"\bN{number}\b", "".join(edit.new_text for edit in fix.edits))


def test_a_text_is_read_again_once_for_many_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    def counted(text: str, language: Language) -> Tree:
        reads.append(text)
        return read(text, language)

    monkeypatch.setattr(proving, "read", counted)
    for count in (10, 100):
        tools = [{"name": f"t{i}", "inputSchema": {"properties": {"p": {"items": [{}]}}}} for i in range(count)]
        analysis = analyse(text_of(tools, "yaml"), "yaml")
        reads.clear()
        assert len(proved(analysis)) >= count
        assert len(reads) <= 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_failing_look_is_logged_for_each_schema(
    language: Language, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What is logged is a trouble on the command line: see tests/cli."""

    def failing(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("draftlift.analysis.schemas.survey", failing)
    analysis = analyse(text_of(TOOLS[:2], language), language)
    assert not proved(analysis)
    assert [record.getMessage() for record in caplog.records] == [
        "cannot look at inputSchema of t0",
        "cannot look at inputSchema of t1",
    ]
