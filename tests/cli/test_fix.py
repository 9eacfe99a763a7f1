"""What ``fix`` tells: of each schema that it leaves, where and why; and options that mean the same as for ``check``."""

from __future__ import annotations

from pathlib import Path

import pytest

from draftlift.analysis import Settings
from draftlift.cli.files import Source
from draftlift.cli.fixing import fix, remainder

from .conftest import Run
from .texts import DRAFT_07, NEW, NULL, OLD, REFUSED

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def told(text: str, language: str = "json") -> list[str]:
    source = Source("t", None, text, "utf-8", "yaml" if language == "yaml" else "json")
    return list(remainder(fix(source, Settings(), "refuse")))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (OLD, []),
        ("{}", []),
        (
            REFUSED,
            [
                "t:1:119: left alone: `inputSchema` of tool `a`: draft-07 ignores `minLength` beside `$ref`; 2020-12 would "
                "apply it. (`draftlift explain ref-sibling`)"
            ],
        ),
        (
            OLD.replace("http://json-schema.org/draft-07/schema#", "urn:x"),
            ["t:1:42: left alone: `inputSchema` of tool `a`: its dialect 'urn:x' is not known"],
        ),
        (NULL, ["t:1:30: error null-input-schema: "]),
        (
            f"[{OLD}, {{]",
            ["t:2:3: left alone, since the syntax of the file is broken here: This bracket is not closed."],
        ),
    ],
)
def test_each_schema_that_is_left_is_told(text: str, lines: list[str]) -> None:
    found = told(text)
    assert len(found) == len(lines)
    assert all(line.startswith(start) for line, start in zip(found, lines, strict=True)), found


def test_more_places_are_counted() -> None:
    text = REFUSED.replace('"minLength": 1', '"minLength": 1, "maxLength": 2, "pattern": "x"')
    (line,) = told(text)
    assert line.endswith("(`draftlift explain ref-sibling`; 2 more places)")


def test_a_text_that_cannot_be_edited_is_told() -> None:
    text = (
        f"- name: a\n  inputSchema:\n    $schema: {DRAFT_07}\n    not: &p {{items: [{{}}], exclusiveMinimum: 1}}\n"
        f"- name: b\n  inputSchema:\n    $schema: {DRAFT_07.replace('07', '04')}\n    not: *p\n"
    )
    first, second = (line for line in told(text, "yaml") if "left alone" in line)
    assert first == (
        "t:3:14: left alone: `inputSchema` of tool `a`: this text cannot be edited here, because `&p` is shared by users that "
        "need different changes"
    )
    assert second.startswith("t:4:")  # where the anchor is
    assert second.endswith("(`draftlift explain malformed-keyword`)")


def test_it_never_fails_without_a_word(run: Run, tmp_path: Path) -> None:
    for example in EXAMPLES.iterdir():
        (tmp_path / example.name).write_bytes(example.read_bytes())
    assert run("fix", tmp_path).err.endswith(
        "In 4 files: 4 schemas translated to 2020-12, 1 left alone, 1 other problem left.\n"
    )
    again = run("fix", tmp_path)
    assert again.status == 1
    lines = [line.removeprefix(str(tmp_path))[1:] for line in again.err.splitlines()[:3]]
    assert [line.split(": ")[0] for line in lines] == [
        "refused.jsonc:10:47",
        "refused.jsonc",
        "typescript-sdk-answer.json:46:24",
    ]
    assert again.err.endswith("In 2 files: 1 schema left alone, 1 other problem left.\n")


@pytest.mark.parametrize("example", sorted(EXAMPLES.iterdir()), ids=lambda path: str(path.name))
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--ignore", "null-input-schema"],
        ["--ignore", "null-input-schema,ref-sibling-ignored", "--ignore", "legacy-dialect"],
        ["--select", "legacy-dialect", "--select", "null-input-schema"],
        ["--select", "tuple-items"],
        ["--target-revision", "2025-06-18"],
        ["--target-revision", "latest"],
    ],
)
def test_fix_ends_as_check_does_afterwards(run: Run, tmp_path: Path, example: Path, options: list[str]) -> None:
    path = tmp_path / example.name
    path.write_bytes(example.read_bytes())
    fixed = run("fix", *options, path)
    assert fixed.status == run("check", *options, path).status
    assert fixed.status == run("fix", *options, path).status
    if fixed.status:
        assert fixed.err


def test_options_add_up(run: Run) -> None:
    text = f'[{OLD}, {NULL}, {{"name": "b"}}]'

    def rules(*options: str) -> list[str]:
        return [line.split()[2] for line in run("check", *options, "-", stdin=text).out.splitlines()[:-1]]

    every = ["legacy-dialect:", "null-input-schema:", "missing-input-schema:"]
    assert rules() == every
    assert rules("--select", "legacy-dialect", "--select", "null-input-schema") == every[:2]
    assert rules("--select", "legacy-dialect,null-input-schema", "--ignore", "legacy-dialect") == every[1:2]
    assert rules("--ignore", "legacy-dialect", "--ignore", "null-input-schema , missing-input-schema") == []
    near = run("check", "--select", "legacy-dialct", "-", stdin=text)
    assert near.err == "draftlift: no rule is called 'legacy-dialct'; did you mean 'legacy-dialect'?\n"


def test_diff_says_whether_there_is_something_to_do(run: Run) -> None:
    of_2019 = OLD.replace(DRAFT_07, "https://json-schema.org/draft/2019-09/schema")  # which check only mentions
    assert run("check", "-", stdin=of_2019).status == 0
    assert run("fix", "--diff", "-", stdin=of_2019).status == 1
    assert run("fix", "-", stdin=of_2019).status == 0
    assert run("fix", "--diff", "-", stdin=NEW).status == 0
    assert "1 schema would be translated to 2020-12" in run("fix", "--diff", "-", stdin=OLD).err


@pytest.mark.parametrize("name", ["draft-04.json", "tuples-and-dependencies.yaml"])
def test_normalize_says_what_tools_need(run: Run, name: str) -> None:
    text = (EXAMPLES / name).read_text()
    done = run("normalize", EXAMPLES / name)
    assert (done.status, done.out) == (1, text)
    assert done.err.endswith(f"{name}: this is no schema but holds tools; 'draftlift fix' translates their schemas\n")
    assert run("normalize", "-", stdin=NEW).status == 0
    assert run("normalize", "-", stdin=f'{{"$schema": "{DRAFT_07}", "default": {OLD}}}').status == 0
    assert run("normalize", "-", stdin='{"type": "object"}').err == ""
