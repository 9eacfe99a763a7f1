"""The last guard: whatever goes wrong with one file costs that file, and never looks like a clean result or a finding."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from draftlift import rules
from draftlift.analysis import analyse
from draftlift.cli import checking, fixing
from draftlift.cli.trouble import Trouble, guard, internal_error
from draftlift.rules.base import Report, View

from .conftest import Run
from .texts import LATIN_1, NEW, NULL, OLD

FAULTY = Path(__file__).with_name("faulty.py")
PATIENCE = 60
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


def start(*arguments: str | Path, start_method: str = "", **environment: str) -> subprocess.Popen[str]:
    # Where Python does not buffer it does not see that half a write failed, but at the next one.
    more = {"PYTHONUNBUFFERED": "", **environment, **({"DRAFTLIFT_TEST_START": start_method} if start_method else {})}
    return subprocess.Popen(
        [sys.executable, FAULTY, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **more},
        start_new_session=True,
    )


def many(folder: Path, number: int = 320, **texts: str | bytes) -> Path:
    """A folder with many files; those whose name is given are as given."""
    folder.mkdir()
    for index in range(number):
        (folder / f"f{index:03}.json").write_text("{}")
    for name, text in texts.items():
        (folder / f"{name}.json").write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


# -- in this process ---------------------------------------------------------------------------------------------------


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Makes the look at a text that holds the word BAD raise this."""

    def set_up(problem: BaseException) -> None:
        def analysed(text: str, *rest: Any) -> Any:
            if "BAD" in text:
                raise problem
            return analyse(text, *rest)

        for module in (checking, fixing):
            monkeypatch.setattr(module, "analyse", analysed)

    return set_up


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (KeyError("x"), "KeyError: 'x'"),
        (ValueError("one\ntwo"), "ValueError: one two"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (MemoryError(), "MemoryError"),
        (AssertionError(), "AssertionError"),
        (OSError(5, "Input/output error"), "OSError: [Errno 5] Input/output error"),
        (BrokenPipeError(32, "Broken pipe"), "BrokenPipeError: [Errno 32] Broken pipe"),
        (ValueError("y" * 10_000), "ValueError: " + "y" * 288 + "…"),
    ],
)
def test_a_crash_is_one_line_and_costs_its_file(
    run: Run, tmp_path: Path, failing: Any, problem: Any, told: str
) -> None:
    failing(problem)
    for name, text in (("a", NULL), ("b", '"BAD"'), ("c", NULL), ("d", OLD)):
        (tmp_path / f"{name}.json").write_text(text)
    line = f"draftlift: {tmp_path / 'b.json'}: internal error: {told}; please report it (DRAFTLIFT_TRACEBACK=1 shows where)"
    done = run("check", tmp_path)
    assert (done.status, done.err) == (2, line + "\n")
    assert [name for name in "abcd" if f"{name}.json:" in done.out] == ["a", "c", "d"]
    assert run("check", "--exit-zero", tmp_path).status == 2
    files = json.loads(run("check", "--format", "json", tmp_path).out)["files"]
    assert [Path(file["path"]).stem for file in files] == ["a", "c", "d"]
    done = run("fix", tmp_path)
    assert done.status == 2
    assert done.err.splitlines().count(line) == 1
    assert (tmp_path / "d.json").read_text() == NEW
    assert run("check", "-", stdin="BAD").err.startswith("draftlift: <stdin>: internal error: ")


@pytest.mark.parametrize(("by", "shown"), [("", False), ("0", False), ("1", True), ("--verbose", True)])
def test_the_traceback_is_shown_on_demand(tmp_path: Path, by: str, shown: bool) -> None:
    (tmp_path / "a.json").write_text("RAISE")
    more = [by] if by.startswith("--") else []
    for command in ("check", "fix"):
        with start(command, *more, tmp_path, DRAFTLIFT_TRACEBACK=by if not more else "") as process:
            _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        assert ("Traceback" in err and "faulty.py" in err) is shown


def test_a_crash_outside_of_files_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_: object) -> int:
        raise KeyError("x")

    monkeypatch.setattr("draftlift.cli.commands.rules", crash)
    done = run("rules")
    assert (done.status, done.out) == (2, "")
    assert (
        done.err == "draftlift: internal error: KeyError: 'x'; please report it (DRAFTLIFT_TRACEBACK=1 shows where)\n"
    )


def test_a_rule_that_fails_is_no_clean_result(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(view: View) -> Iterator[Report]:
        yield Report((), "value", str(dict[str, str]()[view.site.field]))

    broken = [
        replace(rule, check_schema=check) if rule.id == "null-input-schema" else rule for rule in rules.SCHEMA_RULES
    ]
    monkeypatch.setattr("draftlift.analysis.SCHEMA_RULES", broken)
    (tmp_path / "a.json").write_text(f"[{NULL}, {NULL}, {OLD}]")
    (tmp_path / "b.json").write_text(OLD)
    done = run("check", tmp_path)
    assert done.status == 2
    assert "legacy-dialect" in done.out  # the other rules are told all the same
    assert "Found 2 warnings." in done.out
    first, second = done.err.splitlines()  # a line for each file, not for each schema
    assert first.startswith(f"draftlift: {tmp_path / 'a.json'}: internal error: ")
    assert first.endswith(": KeyError: 'inputSchema'; please report it (DRAFTLIFT_TRACEBACK=1 shows where)")
    assert second.startswith(f"draftlift: {tmp_path / 'b.json'}: ")
    assert run("fix", tmp_path).status == 2


def test_what_is_logged_without_an_exception_is_told_too() -> None:
    troubles: list[Trouble] = []
    with guard("a.json", troubles):
        logging.getLogger("draftlift.x").error("no %s", "luck")
        logging.getLogger("draftlift.x").info("by the way")
    logging.getLogger("draftlift.x").info("after it")
    assert troubles == [Trouble("a.json: internal error: no luck; please report it")]


def test_an_interrupt_is_passed_on() -> None:
    with pytest.raises(KeyboardInterrupt), guard("a.json", []):
        raise KeyboardInterrupt


def test_a_trouble_says_what_was_tried() -> None:
    assert internal_error(KeyError("x"), "a.json", "rule y failed").message.startswith(
        "a.json: internal error: rule y failed: KeyError: 'x'; "
    )


# -- in other processes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_many_files_are_looked_at_by_other_processes(tmp_path: Path, method: str) -> None:
    folder = many(tmp_path / "in", f000=NULL, f100="RAISE", f200=LATIN_1, f319=NULL)
    with start("check", "-", folder, start_method=method) as process:
        out, err = process.communicate(NULL, PATIENCE)
    assert process.returncode == 2
    assert [line.split(":")[0] for line in out.splitlines()] == [
        "<stdin>",
        str(folder / "f000.json"),
        str(folder / "f319.json"),
        "Found 3 errors.",
    ]
    first, second, third = err.splitlines()
    assert first.startswith(f"draftlift: {folder / 'f100.json'}: internal error: KeyError: 'x'; please report it")
    assert second == f"draftlift: {folder / 'f200.json'}: is not valid UTF-8 (byte 13); save the file as UTF-8"
    assert third.startswith("Checked 321 files in ")


def test_a_process_that_dies_costs_the_file_that_killed_it(tmp_path: Path) -> None:
    folder = many(tmp_path / "in", f000=NULL, f060="DIE", f061=NULL, f200="DIE", f319=NULL)
    with start("check", folder) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert [line.split(":")[0] for line in out.splitlines()] == [
        *(str(folder / f"{name}.json") for name in ("f000", "f061", "f319")),
        "Found 3 errors.",
    ]
    assert [line for line in err.splitlines() if line.startswith("draftlift")] == [
        f"draftlift: {folder / name}: internal error: the process that looked at it died; please report it"
        for name in ("f060.json", "f200.json")
    ]


def test_where_no_processes_are_to_be_had_one_does_it_all(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object, **__: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr("multiprocessing.Process", none)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    done = run("check", many(tmp_path / "in", f007=NULL))
    assert done.status == 1
    assert "f007.json:1:30: error null-input-schema" in done.out


def waiting(process: subprocess.Popen[str], folder: Path) -> None:
    """Until a process waits; fails if it never does."""
    end = time.monotonic() + PATIENCE
    while not list(folder.iterdir()):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)


@posix_only
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.parametrize("to", ["all", "parent", "kill"])
def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, method: str, to: str) -> None:
    waits = tmp_path / "waits"
    waits.mkdir()
    folder = many(tmp_path / "in", f000="WAIT", f150="WAIT")
    with start("check", folder, start_method=method, DRAFTLIFT_TEST_WAITS=str(waits)) as process:
        waiting(process, waits)
        if to == "all":  # as a terminal does
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGINT if to == "parent" else signal.SIGKILL)
        # Ends when nobody holds the other end of our pipes any more.
        out, err = process.communicate(timeout=PATIENCE)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    if to != "kill":
        assert (process.returncode, out) == (130, "")
    assert err == ""


@posix_only
def test_an_interrupt_of_one_process(tmp_path: Path) -> None:
    waits = tmp_path / "waits"
    waits.mkdir()
    (tmp_path / "a.json").write_text("WAIT")
    with start("check", tmp_path / "a.json", DRAFTLIFT_TEST_WAITS=str(waits)) as process:
        waiting(process, waits)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=PATIENCE) == ("", "")
        assert process.returncode == 130


# -- output that goes nowhere ------------------------------------------------------------------------------------------


@posix_only
@pytest.mark.parametrize("number", [1, 320])
@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_closed_pipe_ends_the_work(tmp_path: Path, number: int, format_: str) -> None:
    tools = json.dumps([{"name": f"t{i}", "inputSchema": None} for i in range(2000)])
    waits = tmp_path / "waits"
    waits.mkdir()
    folder = many(tmp_path / "in", number, f000=tools, **({"f300": "WAIT"} if number > 300 else {}))
    with start("check", "--format", format_, folder, DRAFTLIFT_TEST_WAITS=str(waits)) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
        assert process.wait(PATIENCE) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
@pytest.mark.parametrize("command", [["check", "-"], ["fix", "-"], ["fix", "--diff", "-"], ["normalize"], ["rules"]])
def test_a_full_disk_is_one_line(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "draftlift", *command],
            input=OLD,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (2, ["draftlift: cannot go on: No space left on device"])
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@posix_only
def test_closed_streams_are_no_crash(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(NULL)
    for closed in (">&-", "2>&-", ">&- 2>&- <&-"):
        done = subprocess.run(
            ["sh", "-c", f'"$0" -m draftlift check a.json {closed}', sys.executable],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr == b""
