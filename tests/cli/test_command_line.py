"""The command line as users call it: in one process, but for what only a real one can show."""

from __future__ import annotations

import gc
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from draftlift.normalize import normalize
from draftlift.schema.dialects import DRAFT_2020_12

from .texts import DRAFT_07, NEW, OLD, REFUSED


def test_check_reports_lines_and_a_summary(run: Any, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(OLD)
    done = run("check", tmp_path / "t.json")
    assert done.status == 1
    first, last = done.out.splitlines()
    assert first.startswith(f"{tmp_path / 't.json'}:1:42: warning legacy-dialect: Tool `a`: ")
    assert last == "Found 1 warning. 1 schema can be translated with 'draftlift fix'."


@pytest.mark.parametrize(("text", "status"), [(OLD, 1), (NEW, 0), ("", 0), ("[]", 0), ("no: tools", 0), ("\ufeff", 0)])
def test_exit_status(run: Any, text: str, status: int) -> None:
    assert run("check", "-", stdin=text).status == status
    assert run("check", "--exit-zero", "-", stdin=text).status == 0


def test_a_file_without_tools_is_silent(run: Any) -> None:
    assert run("check", "-", stdin='{"a": [1, 2}').out == ""


def test_check_json(run: Any) -> None:
    text = '{"name": "😋", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}'
    report = json.loads(run("check", "--format", "json", "--stdin-filename", "x/t.json", "-", stdin=text).out)
    (file,) = report["files"]
    assert (file["path"], file["tools"], file["schemas"]) == ("x/t.json", 1, 1)
    (finding,) = file["findings"]
    assert finding["rule"] == "legacy-dialect"
    assert finding["tool"] == "😋"
    assert finding["pointer"] == "/inputSchema/$schema"
    assert finding["token"] == "value"
    assert finding["range"] == {"start": {"line": 0, "character": 42}, "end": {"line": 0, "character": 83}}
    (fix,) = finding["fixes"]
    assert fix["preferred"]
    assert fix["edits"] == [{"range": finding["range"], "newText": '"https://json-schema.org/draft/2020-12/schema"'}]
    assert "document" not in finding


def test_check_json_numbers_documents(run: Any) -> None:
    text = f"a: 1\n---\nname: x\ninputSchema: {{$schema: '{DRAFT_07}', type: object}}\n"
    report = json.loads(run("check", "--format", "json", "-", stdin=text).out)
    assert [finding["document"] for finding in report["files"][0]["findings"]] == [1]


def test_select_and_ignore(run: Any) -> None:
    text = '[{"name": "a", "inputSchema": null}, {"name": "b"}]'
    assert "null-input" in run("check", "--select", "null-input-schema", "-", stdin=text).out
    assert "missing-input" not in run("check", "--select", "null-input-schema", "-", stdin=text).out
    assert run("check", "--ignore", "null-input-schema, missing-input-schema", "-", stdin=text).status == 0


def test_fix_changes_a_token_and_nothing_else(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(b"\xef\xbb\xbf" + OLD.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    done = run("fix", path)
    assert done.status == 0
    assert done.err == f"{path}: 1 schema translated to 2020-12\n"
    assert path.read_bytes() == b"\xef\xbb\xbf" + NEW.replace("\n", "\r\n").encode()
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_fix_keeps_a_link_a_link(run: Any, tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text(OLD)
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    assert run("fix", tmp_path / "link.json").status == 0
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == NEW


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_fix_keeps_the_encoding(run: Any, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(OLD.encode(encoding))
    assert run("fix", path).status == 0
    assert path.read_bytes() == NEW.encode(encoding)


def test_fix_of_standard_input(run: Any) -> None:
    assert run("fix", "-", stdin=OLD).out == NEW
    assert run("fix", "-", stdin="no tools").out == "no tools"
    assert run("fix", "-", stdin="").out == ""


def test_fix_diff_writes_nothing(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(OLD)
    done = run("fix", "--diff", path)
    assert done.status == 1
    assert f"-{OLD}+{NEW}" in done.out
    assert path.read_text() == OLD


def test_fix_refuses_and_removes(run: Any) -> None:
    assert run("fix", "-", stdin=REFUSED).out == REFUSED
    done = run("fix", "--inert", "remove", "-", stdin=REFUSED)
    assert done.out == NEW.replace('"type"', '"properties": {"x": {"$ref": "#"}}, "type"')


def test_fix_leaves_a_broken_file_alone(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(f"[{OLD}, {{]")
    done = run("fix", path)
    assert done.status == 1
    assert done.err.splitlines() == [
        f"{path}:2:3: left alone, since the syntax of the file is broken here: This bracket is not closed.",
        f"{path}: 1 schema left alone",
    ]
    assert path.read_text() == f"[{OLD}, {{]"


def test_a_folder_means_what_git_does_not_ignore(run: Any, tmp_path: Path) -> None:
    for name in (
        "a.json",
        "b.yaml",
        "b.yml",
        "c.jsonc",
        "d.txt",
        "out/e.json",
        "out/keep.json",
        "sub/f.json",
        "sub/g.json",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(OLD)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.json").write_text(OLD)
    (tmp_path / ".gitignore").write_text("/out/*\n!/out/keep.json\n")
    (tmp_path / "sub" / ".gitignore").write_text("f.json\n")
    report = json.loads(run("check", "--format", "json", tmp_path).out)
    found = [Path(file["path"]).relative_to(tmp_path).as_posix() for file in report["files"]]
    assert found == ["a.json", "b.yaml", "b.yml", "c.jsonc", "out/keep.json", "sub/g.json"]
    report = json.loads(run("check", "--format", "json", tmp_path / "sub").out)
    assert len(report["files"]) == 1


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--exclude", "sub/,*.yml"], ["a.json", "b.yaml", "c/d.json"]),
        (["--exclude", "/*.json", "--exclude", "b.*"], ["c/d.json", "sub/g.json"]),
        (["--include", "/sub/,*.yaml"], ["b.yaml", "sub/g.json"]),
        (["--include", "*.json", "--exclude", "sub"], ["a.json", "c/d.json"]),
    ],
)
def test_patterns_choose_among_the_files_of_folders(
    run: Any, tmp_path: Path, options: list[str], found: list[str]
) -> None:
    names = ("a.json", "b.yaml", "b.yml", "c/d.json", "sub/g.json")
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(OLD)

    def checked(*paths: Path) -> list[str]:
        report = json.loads(run("check", "--format", "json", *options, *paths).out)
        return [Path(file["path"]).relative_to(tmp_path).as_posix() for file in report["files"]]

    assert checked(tmp_path) == found
    assert checked(*(tmp_path / name for name in names)) == list(names)  # what is named is meant
    changed = run("fix", "--diff", *options, tmp_path).out
    assert changed.count("+++") == len(found)


def test_the_target_revision(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"name": "a", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}')
    assert run("check", path).status == 0
    done = run("check", "--target-revision", "2025-11-25", path)
    assert done.status == 1
    assert "root-type-not-object" in done.out


def test_lines_that_git_passes_over_are_passed_over(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(OLD)
    (tmp_path / "b.json").write_text(OLD)
    (tmp_path / ".gitignore").write_text("!\n[z-a]\n\\\nb.json\n")
    (tmp_path / ".git").mkdir()
    report = json.loads(run("check", "--format", "json", tmp_path).out)
    assert [Path(file["path"]).name for file in report["files"]] == ["a.json"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["check", "nowhere.json"], "nowhere.json: no such file or folder"),
        (["check"], "name a file, a folder, or - for standard input"),
        (["check", "--select", "no-such-rule", "-"], "no rule is called 'no-such-rule'; 'draftlift rules' lists them"),
        (["check", "--no-such-option"], "--no-such-option"),
        (["check", "--target-revision", "2025-01-01", "."], "invalid choice: '2025-01-01'"),
        (["check", "--exclude", "a,!", "."], "'!' is no pattern; write it as in a .gitignore"),
        (["check", "--format", "xml", "-"], "invalid choice: 'xml'"),
        (["frobnicate"], "frobnicate"),
        ([], "required"),
        (["explain", "tuple-item"], "no rule or reason is called 'tuple-item'; did you mean 'tuple-items'?"),
        (["fix", "--inert", "maybe", "-"], "invalid choice: 'maybe'"),
        (["normalize", "nowhere.json"], "nowhere.json: no such file or folder"),
        (["normalize", "nowhere.json", "--lines"], "nowhere.json: no such file or folder"),
    ],
)
def test_bad_use_is_one_clear_line(run: Any, arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("draftlift: ")
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_text_that_is_not_unicode(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(b'{"name": "\xff", "inputSchema": null}')
    for command in ("check", "fix"):
        done = run(command, path)
        assert done.status == 2
        assert done.err == f"draftlift: {path}: is not valid UTF-8 (byte 10); save the file as UTF-8\n"
    path.write_bytes(b'{"caf\xe9": 1}')  # of no interest
    assert run("check", path).status == 0


def test_a_folder_without_rights(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)  # root may read everything
    done = run("check", tmp_path)
    assert done.status == 2
    assert done.err == f"draftlift: {tmp_path}: cannot be read: Permission denied\n"


def test_normalize_one(run: Any, tmp_path: Path) -> None:
    schema = '{"$schema": "http://json-schema.org/draft-07/schema#",  "items": [{"maximum": 1.50}] /* pair */}'
    done = run("normalize", "-", stdin=schema)
    assert done.status == 0
    assert done.out == (
        '{"$schema": "https://json-schema.org/draft/2020-12/schema",  "prefixItems": [{"maximum": 1.50}] /* pair */}'
    )
    path = tmp_path / "s.yaml"
    path.write_text("$schema: http://json-schema.org/draft-07/schema#\nitems: []  # none\n")
    assert run("normalize", path).out == "$schema: https://json-schema.org/draft/2020-12/schema\n"


def test_normalize_says_why_not(run: Any) -> None:
    done = run("normalize", "-", stdin='{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": 1}')
    assert done.status == 1
    assert done.err.startswith("not translated: /dependencies: ")
    assert run("normalize", "-", stdin='{"$schema": "urn:x"}').status == 1
    assert run("normalize", "-", stdin="{").status == 2
    assert run("normalize", "-", stdin="").status == 2


def test_normalize_lines(run: Any) -> None:
    lines = [
        '{"$schema": "http://json-schema.org/draft-07/schema#", "maximum": 1.0}',
        "{}",
        '{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": 1}',
        '{"$schema": "urn:x"}',
        "{oops",
        '{"$schema": "http://json-schema.org/draft-07/schema#", "maximum": 1e400, "minimum": ' + "9" * 5000 + "}",
        "[" * 5000 + "]" * 5000,
        '{"$schema": "http://json-schema.org/draft-07/schema#", "x": ' + "[" * 5000 + "]" * 5000 + "}",
        '"\\ud800"',
        "true",
    ]
    done = run("normalize", "--lines", "-", stdin="\n".join(lines))
    assert done.status == 0
    answers = done.out.splitlines()
    statuses = [line.split('"status": "')[1].split('"')[0] for line in answers]
    assert statuses == [
        *("translated", "unchanged", "refused", "unsupported", "error", "translated", "unchanged", "translated"),
        *("unchanged", "unchanged"),
    ]
    assert answers[0].endswith('"schema": {"$schema":"https://json-schema.org/draft/2020-12/schema","maximum":1.0}}')
    assert '"maximum": 1e400, "minimum": ' + "9" * 5000 in answers[5]
    refused = json.loads(answers[2])
    assert refused["skipped"]
    assert refused["refusals"][0]["id"] == "malformed-keyword"
    assert refused["refusals"][0]["pointer"] == "/dependencies"
    assert refused["schema"] == json.loads(lines[2])
    assert json.loads(answers[4])["reason"]


@pytest.mark.parametrize(
    "text", ["{}", f'{{"$schema": "{DRAFT_07}"}}', f'{{"$schema": "{DRAFT_07}", "maximum": 1.50}}']
)
def test_normalize_lines_passes_over_a_byte_order_mark(run: Any, text: str) -> None:
    plain, marked = run("normalize", "--lines", "-", stdin=f"{text}\n\ufeff{text}\n").out.splitlines()
    assert marked == plain
    assert json.loads(plain)["status"] in ("translated", "unchanged")


@pytest.mark.parametrize(
    "members",
    [
        *('"a": NaN', '"items": [{"minimum": -Infinity}]', '"maximum": 1.50, "minimum": Infinity'),
        *('"a": 1} // {', '"a": 1 /* " */', '/* "a" */ "items": []', '"maximum": 1.50 /* most */'),
        *('"a": 1,', '"maximum": 1.50,', '"enum": [1, ]', '"x": ' + "[" * 5000 + "1," + "]" * 5000),
    ],
)
def test_normalize_lines_takes_and_gives_json_alone(run: Any, members: str) -> None:
    for declared in ("", f'"$schema": "{DRAFT_07}", '):
        answer = json.loads(run("normalize", "--lines", "-", stdin=f"{{{declared}{members}}}").out)
        assert (answer["status"], answer["schema"]) == ("error", None)
        assert answer["reason"]


@pytest.mark.parametrize("number", ["-0", "-0.0", "1.10", "0", "1e2"])
def test_normalize_lines_keeps_every_digit(run: Any, number: str) -> None:
    for declared in ("", f'"$schema": "{DRAFT_07}", "items": [{{}}], '):
        answer = run("normalize", "--lines", "-", stdin=f'{{{declared}"minimum": {number}, "x": "-0"}}').out
        assert re.search(rf'"minimum": ?{re.escape(number)},', answer), answer


@pytest.mark.parametrize("beside", ['"b": 1', '"b": 1.10', '"b": -0'])
@pytest.mark.parametrize("twice", ['"a": 1, "a": 2', '"a": {"b": [{"c": 1, "d": 2, "c": 1}]}'])
def test_normalize_lines_takes_no_key_twice(run: Any, twice: str, beside: str) -> None:
    answer = json.loads(run("normalize", "--lines", "-", stdin=f'{{"$schema": "{DRAFT_07}", {beside}, {twice}}}').out)
    assert (answer["status"], answer["schema"]) == ("error", None)
    assert "twice" in answer["reason"]


def test_normalize_lines_goes_on_after_a_line_it_fails_at(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(schema: Any, **_: Any) -> Any:
        if schema == {"title": "bad"}:
            raise LookupError("x")
        return normalize(schema)

    monkeypatch.setattr("draftlift.cli.normalizing.normalize", fails)
    collected = gc.isenabled()
    first, second = run("normalize", "--lines", "-", stdin='{"title": "bad"}\n{}\n').out.splitlines()
    assert (json.loads(first)["status"], json.loads(second)["status"]) == ("error", "unchanged")
    assert "LookupError" in json.loads(first)["reason"]
    assert gc.isenabled() == collected


def test_normalize_lines_knows_a_comment_from_a_string(run: Any) -> None:
    schema = f'{{"$schema": "{DRAFT_07}", "title": "// \\" /* , ] /", "maximum": 1.50, "a\\\\": "/"}}'
    answer = run("normalize", "--lines", "-", stdin=schema).out
    assert answer.endswith(f'"schema": {schema.replace(DRAFT_07, DRAFT_2020_12.uri)}}}\n')


def test_explain_and_rules(run: Any) -> None:
    assert run("explain", "tuple-items").out.startswith("# tuple-items\n")
    assert "What frees the schema" in run("explain", "ref-sibling").out
    listed = json.loads(run("rules", "--format", "json").out)
    assert {"legacy-dialect": "warning", "json-syntax": "error"}.items() <= {
        rule["id"]: rule["severity"] for rule in listed
    }.items()
    assert len(run("rules").out.splitlines()) == len(listed)


def test_the_command_line_never_loads_the_server_or_what_it_does_not_need() -> None:
    code = (
        "import sys; from draftlift.cli import main; main(['check', '-']);"
        "print([m for m in sys.modules if m.split('.')[0] in"
        " ('pygls', 'lsprotocol', 'jsonschema', 'yaml', 'ruamel', 'pathspec', 'asyncio')])"
    )
    done = subprocess.run([sys.executable, "-c", code], input=NEW, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"name": f"t{i}", "inputSchema": None} for i in range(5000)]))
    with subprocess.Popen(
        [sys.executable, "-m", "draftlift", "check", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
