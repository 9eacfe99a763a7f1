"""``fix --diff`` tries out what it changes, within limits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from draftlift.analysis import Analysis, analyse
from draftlift.cli.trials import Trials
from draftlift.text import apply_edits
from slow_schemas import SLOW

SAME = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
OLD = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
REFUSED = {**OLD, "properties": {"a": {"$ref": "#/definitions/a", "minimum": 1}}, "definitions": {"a": {}}}


def before_and_after(**schemas: object) -> tuple[Analysis, Analysis]:
    text = json.dumps({"tools": [{"name": name, "inputSchema": schema} for name, schema in schemas.items()]})
    before = analyse(text, "json")
    return before, analyse(apply_edits(text, before.fix_all()), "json")


def test_only_what_changes_is_tried_out() -> None:
    trials = Trials()
    lines = list(trials.lines("a.json", *before_and_after(same=SAME, old=OLD, refused=REFUSED)))
    trials.close()
    assert lines == ["a.json: old: inputSchema: same verdict on 8 sample values (2 pass, 6 fail, before and after)"]


def test_what_is_slow_is_cut_and_in_all_there_is_a_limit_too() -> None:
    trials = Trials(most_s=0.2)
    slow = {name.replace(" ", "_"): schema for name, schema in SLOW.items()}
    first, *rest = trials.lines("a.json", *before_and_after(**slow))
    again = list(trials.lines("b.json", *before_and_after(old=OLD)))
    trials.close()
    assert "cut short after " in first
    assert "more changed schemas are not tried out, nor those of later files" in rest[-1]
    assert again == []


@pytest.mark.parametrize("name", ["host name", "unique items"])
def test_the_command_comes_to_an_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / "tool.json"
    path.write_text(json.dumps({"name": "a", "description": "", "inputSchema": SLOW[name]}))
    done = subprocess.run(
        [sys.executable, "-m", "draftlift", "fix", "--diff", path],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "+" in done.stdout
    assert "a: inputSchema: cut short after 1 s" in done.stderr
