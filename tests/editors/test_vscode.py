"""The VS Code extension: built into a VSIX, its server run by each Python that is here, and installed in a real VS Code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e import rpc

ROOT = Path(__file__).parent.parent.parent
CLIENT = ROOT / "client-vscode"
SAMPLES = ROOT / "examples"
LARGEST = 1_000_000
SERVED = (("typescript-sdk-answer.json", "json", 3), ("tuples-and-dependencies.yaml", "yaml", 4))
"""Examples that are opened, their language, and how much is found in each."""
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
"""The Pythons that the bundle is for. Which of them were here is printed; one has to be.

``test_python_3_14`` runs the last one everywhere, as WebAssembly.
"""


def interpreters() -> dict[str, Path]:
    """The interpreters that can be had here, by version."""
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": Path(sys.executable)}
    for version in VERSIONS:
        of_pyenv = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
        on_path = shutil.which(f"python{version}")
        if of_pyenv:
            found[version] = of_pyenv[-1]
        elif on_path and subprocess.run([on_path, "-c", ""], capture_output=True, check=False).returncode == 0:
            found[version] = Path(on_path)
    return found


def test_the_vsix_is_small_and_pure(unpacked: Path, vsix: Path) -> None:
    assert vsix.stat().st_size < LARGEST
    files = [path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()]
    assert not [path for path in files if path.suffix in (".so", ".pyd", ".dylib", ".pyc", ".map", ".ts")]
    assert {path.parts[0] for path in files} == {"bundled", "dist", "media", "package.json", "readme.md", "LICENSE.txt"}
    assert sorted(path.name for path in (unpacked / "bundled" / "libs" / "draftlift").rglob("*.py")) == sorted(
        path.name for path in (ROOT / "server" / "draftlift").rglob("*.py")
    )


@pytest.mark.parametrize("version", interpreters())
@pytest.mark.parametrize("alone", [False, True], ids=["with-its-own-packages", "alone"])
def test_the_bundle_serves(unpacked: Path, version: str, alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON and YAML, with no package but the bundle's when ``-S`` keeps out the interpreter's own."""
    flags = ["-I", "-S"] if alone else ["-I"]
    command = [str(interpreters()[version]), *flags, str(unpacked / "bundled" / "serve.py")]
    monkeypatch.setattr(rpc, "COMMAND", command)
    with rpc.Client() as client:
        client.initialize()
        for name, language, count in SERVED:
            uri = (SAMPLES / name).as_uri()
            client.open(uri, (SAMPLES / name).read_text("utf-8"), language)
            assert len(client.diagnostics(uri)) == count
        assert client.shut_down() == 0


def test_every_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    here = interpreters()
    missing = ", ".join(version for version in VERSIONS if version not in here) or "none"
    with capsys.disabled():
        print(f"\nthe bundle was run by Python {', '.join(sorted(here))}; not here: {missing}; as WebAssembly: 3.14")
    assert len(here) >= 1


def test_in_the_real_vs_code(vsix: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {**os.environ, "DRAFTLIFT_TEST_PYTHON": sys.executable}
    done = subprocess.run(
        ["node", "test/run.mjs", str(vsix)],
        cwd=CLIENT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    with capsys.disabled():
        print(f"\n{done.stdout}")
    assert done.returncode == 0, done.stderr


def test_the_package_has_no_telemetry_and_no_dependencies_at_run_time() -> None:
    package = json.loads((CLIENT / "package.json").read_text("utf-8"))
    assert "dependencies" not in package
