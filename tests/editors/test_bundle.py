"""What is in the VSIX beside our own code: told with its licence, and used."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from e2e import rpc
from editors.conftest import CLIENT

OLD = '{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}'


def test_all_that_is_bundled_is_told_with_its_licence(unpacked: Path) -> None:
    text = (unpacked / "dist" / "THIRD-PARTY-NOTICES.txt").read_text("utf-8")
    entries = {part.split(" ")[0].strip(): part for part in re.split(r"\n-{80}\n\n", text)}
    libs = unpacked / "bundled" / "libs"
    wanted = {
        re.findall(r"^Name: (.*)$", (folder / "METADATA").read_text("utf-8"), re.MULTILINE)[0]
        for folder in libs.glob("*.dist-info")
    }
    assert wanted | needed_by("vscode-languageclient") == set(entries)
    for name, entry in entries.items():
        assert re.search("permi(t|ssion)|License", entry.partition("\n")[2]), name


def needed_by(name: str) -> set[str]:
    """The npm packages that one needs, itself included."""
    packages = json.loads((CLIENT / "package-lock.json").read_text("utf-8"))["packages"]
    found: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        found.add(name)
        places = [place for place in packages if place.endswith(f"node_modules/{name}")]
        waiting += [
            other for place in places for other in packages[place].get("dependencies", ()) if other not in found
        ]
    return found


def test_nothing_is_there_twice_or_for_nobody(unpacked: Path) -> None:
    assert {path.name for path in (unpacked / "bundled").iterdir()} == {"serve.py", "libs"}
    assert {path.name for path in (unpacked / "media").iterdir()} == {"icon.png", "walkthrough"}
    names = {path.name for path in unpacked.rglob("*")}
    assert not names & {"tests", "benchmarks", "setup.py", "clibz", "__pycache__"}


def test_each_package_is_pinned_to_its_bytes() -> None:
    lines = (CLIENT / "bundled" / "requirements.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+ --hash=sha256:[0-9a-f]{64}", line) for line in pins)
    assert "jsonschema" in {line.partition("==")[0] for line in pins}


def test_hovers_try_out_with_the_packages_of_the_bundle_alone(unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpc, "COMMAND", [sys.executable, "-I", "-S", str(unpacked / "bundled" / "serve.py")])
    place = {"line": 0, "character": OLD.index("http")}
    with rpc.Client() as client:
        client.initialize()
        client.open("untitled:a", OLD)
        client.patiently(lambda: "8 sample values" in client.hover("untitled:a", place)["contents"]["value"])
        assert client.shut_down() == 0
    assert client.stderr == b""
