"""The extension's settings, and their defaults, are the server's."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

from draftlift import __version__
from draftlift.config import _OF_THE_EDITOR, Section, read_section
from draftlift.rules import RULES

CLIENT = Path(__file__).parent.parent.parent / "client-vscode"
PACKAGE = json.loads((CLIENT / "package.json").read_text("utf-8"))
DECLARED: dict[str, dict[str, Any]] = {
    name.removeprefix("draftlift."): setting
    for name, setting in PACKAGE["contributes"]["configuration"]["properties"].items()
}


def test_the_server_knows_every_setting() -> None:
    of_the_server = {name for name in DECLARED if name.split(".")[0] not in _OF_THE_EDITOR}
    assert of_the_server == {
        "rules.ignore",
        "rules.severity",
        "files.include",
        "files.exclude",
        "diagnosticMode",
        "targetRevision",
    }


def test_the_defaults_are_the_servers() -> None:
    assert read_section({name: setting["default"] for name, setting in DECLARED.items()}) == (Section(), [])


def test_every_rule_and_severity_can_be_set() -> None:
    written = runpy.run_path(str(CLIENT / "scripts" / "rules.py"))["settings"]()
    declared = {f"draftlift.{name}": DECLARED[name] for name in ("rules.ignore", "rules.severity")}
    assert declared == written, "run client-vscode/scripts/rules.py"
    for rule, setting in DECLARED["rules.severity"]["properties"].items():
        for severity in setting["enum"]:
            _, problems = read_section({"rules": {"severity": {rule: severity}, "ignore": [rule]}})
            assert problems == []
    assert list(DECLARED["rules.severity"]["properties"]) == DECLARED["rules.ignore"]["items"]["enum"] == list(RULES)


def test_settings_that_choose_a_program_are_restricted() -> None:
    restricted = PACKAGE["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) == {
        f"draftlift.{name}" for name, setting in DECLARED.items() if setting["scope"] == "machine-overridable"
    }


def test_the_versions_are_the_same() -> None:
    assert PACKAGE["version"] == __version__
    lock = json.loads((CLIENT / "package-lock.json").read_text("utf-8"))
    assert lock["version"] == __version__


def test_no_registry_is_named() -> None:
    assert '"resolved"' not in (CLIENT / "package-lock.json").read_text("utf-8")


def test_the_sample_of_the_walkthrough_is_an_example() -> None:
    sample = (CLIENT / "media" / "walkthrough" / "sample.json").read_text("utf-8")
    assert sample == (CLIENT.parent / "examples" / "typescript-sdk-answer.json").read_text("utf-8")
