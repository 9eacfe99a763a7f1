"""The extension's server on Python 3.14, which here is WebAssembly: see ``python-3.14.mjs``.

It is the bundle's own ``serve.py``, over standard input and output, and it must say what it says on the Python of these
tests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from e2e import rpc
from editors.test_editors import CACHE, there
from editors.test_vscode import SAMPLES, SERVED

PYODIDE = CACHE / "pyodide-314.0.7" / "node_modules" / "pyodide" / "pyodide.mjs"
HERE = [sys.executable]
PULLS = {**rpc.FULL, "textDocument": {**rpc.FULL["textDocument"], "diagnostic": {}}}
"""VS Code asks for diagnostics: a task of the server's event loop, where pushing them is none."""


@pytest.fixture(scope="module")
def python(unpacked: Path) -> list[str]:
    """The command of a Python 3.14 that sees the bundle and the examples."""
    program = there(PYODIDE, "npm package pyodide")
    script = Path(__file__).with_name("python-3.14.mjs")
    return ["node", *map(str, (script, program, unpacked / "bundled", SAMPLES)), "--"]


@pytest.mark.parametrize("capabilities", [rpc.FULL, PULLS], ids=["pushes", "is-asked"])
def test_the_bundle_serves(
    python: list[str], unpacked: Path, capabilities: rpc.Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rpc, "PATIENCE", 60.0)  # compiling WebAssembly takes seconds

    def said(start: list[str]) -> list[tuple[Any, ...]]:
        monkeypatch.setattr(rpc, "COMMAND", [*start, "-I", "-S", str(unpacked / "bundled" / "serve.py")])
        return list(session(capabilities))

    answers = said(python)
    for (_, _, count), (diagnostics, hover, actions) in zip(SERVED, answers, strict=True):
        assert len(diagnostics) == count
        assert "2020-12" in hover["contents"]["value"]
        assert actions[0]["title"] == "Translate this schema to 2020-12"
        assert actions[0]["edit"]
    assert answers == said(HERE)


def session(capabilities: rpc.Json) -> list[tuple[Any, ...]]:
    """For each document that is opened: the diagnostics, and the hover and the fixes at the first one."""
    answers = []
    with rpc.Client() as client:
        client.initialize(capabilities)
        for name, language, _ in SERVED:
            uri = (SAMPLES / name).as_uri()
            client.open(uri, (SAMPLES / name).read_text("utf-8"), language)
            if capabilities is PULLS:
                diagnostics = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
            else:
                diagnostics = client.diagnostics(uri)
            place = diagnostics[0]["range"]
            hover = client.hover(uri, place["start"])
            # WebAssembly has no processes, so nothing is tried out there.
            hover["contents"]["value"] = re.sub(r"\*\*Tried out\*\*: .*\n\n", "", hover["contents"]["value"])
            answers.append((diagnostics, hover, client.actions(uri, place)))
        assert client.shut_down() == 0
    assert client.stderr == b""
    return answers


def test_check_says_the_same(python: list[str], unpacked: Path) -> None:
    def said(start: list[str]) -> tuple[int, str, str]:
        command = [*start, "-S", "-m", "draftlift", "check", *map(str, sorted(SAMPLES.iterdir()))]
        environment = {**os.environ, "PYTHONPATH": str(unpacked / "bundled" / "libs")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    status, report, errors = said(python)
    assert (status, errors) == (1, "")
    assert "legacy-dialect" in report
    assert (status, report, errors) == said(HERE)
