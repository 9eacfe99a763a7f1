"""The rules: their cases, and that every rule has a file of cases, a page, and an id that is its file's name."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from casefile import Case, check, parametrise, read_cases
from draftlift.analysis import Settings, analyse
from draftlift.rules import RULES
from draftlift.rules.base import LATEST, Revision, Rule
from draftlift.syntax import read
from draftlift.syntax.tree import Language, to_value

HERE = Path(__file__).parent

HEADINGS = [
    "What it finds",
    "Why it matters",
    "Example",
    "Instead",
    "When no fix is offered",
    "References",
]

# A bare schema in an example needs a dialect around it where its page speaks of an older one.
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DECLARED = {"ref-sibling-ignored": DRAFT_07}
# What is found for an older revision of MCP only.
TARGETS: dict[str, Revision] = {"boolean-property": "2025-11-25"}

each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))


@parametrise(HERE)
def test_case(case: Case) -> None:
    check(case)


def test_every_rule_has_cases_and_every_file_a_rule() -> None:
    assert {path.stem for path in HERE.glob("*.md")} == set(RULES)


@each_rule
def test_cases_find_the_rule_in_json_and_in_yaml_and_are_silent_somewhere(rule: Rule) -> None:
    cases = read_cases(HERE / f"{rule.id}.md")
    found = {case.language for case in cases if any(note.rule == rule.id for note in case.notes)}
    only: dict[str, set[Language]] = {"json-syntax": {"json"}, "yaml-syntax": {"yaml"}, "shared-anchor": {"yaml"}}
    assert found == only.get(rule.id, {"json", "yaml"})
    assert any("silent" in case.words or all(note.rule != rule.id for note in case.notes) for case in cases)


@each_rule
def test_a_rule_is_called_like_its_file(rule: Rule) -> None:
    module = importlib.import_module(f"draftlift.rules.{rule.id.replace('-', '_')}")
    assert module.RULE is rule
    assert module.__doc__ == rule.doc


@each_rule
def test_a_page_has_the_fixed_headings(rule: Rule) -> None:
    assert re.findall(r"^#+ (.*)$", rule.doc, re.MULTILINE) == HEADINGS
    first, rest = rule.doc.split("\n", 1)
    assert re.fullmatch(r"\S.*\.", first)
    assert rest.startswith("\n## ")
    for section in re.split(r"^## .*$", rule.doc, flags=re.MULTILINE)[1:]:
        assert section.strip()


@pytest.mark.parametrize(
    "rule",
    RULES.values(),
    ids=list(RULES),
)
def test_the_example_of_a_page_is_found_and_what_stands_instead_is_not(rule: Rule) -> None:
    assert _finds(rule, _section(rule, "Example")), "the example is not found"
    instead = _section(rule, "Instead")
    if "```" in instead:
        assert not _finds(rule, instead), "what should stand instead is found as well"


def _section(rule: Rule, heading: str) -> str:
    return rule.doc.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]


def _finds(rule: Rule, section: str) -> bool:
    match = re.search(r"```(json|yaml)\n(.*?)```", section, re.DOTALL)
    assert match is not None
    language: Language = "yaml" if match[1] == "yaml" else "json"
    text = match[2]
    (root,) = read(text, language).documents
    assert root is not None
    if rule.id not in ("json-syntax", "yaml-syntax", "shared-anchor"):
        value = to_value(root)
        if "name" not in value and "tools" not in value:  # a schema on its own
            declared = {"$schema": DECLARED[rule.id]} if rule.id in DECLARED else {}
            holder = {"message": "?", "requestedSchema": {"properties": {"c": value}}}
            tool = {"name": "a", "inputSchema": {**declared, **value}}
            text, language = json.dumps(holder if rule.id == "enum-names" else tool), "json"
    settings = Settings(target=TARGETS.get(rule.id, LATEST))
    return any(finding.rule == rule.id for finding in analyse(text, language, settings).findings)
