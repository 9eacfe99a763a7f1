"""The extension as a user gets it: built once, unpacked for each file of tests (Python writes beside what it runs)."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CLIENT = Path(__file__).parent.parent.parent / "client-vscode"


@pytest.fixture(scope="session")
def vsix() -> Path:
    if not (CLIENT / "node_modules").exists():
        pytest.fail("client-vscode/node_modules is missing (npm packages): run tests/editors/install.sh", pytrace=False)
    environment = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run(
        ["npm", "run", "--silent", "package"], cwd=CLIENT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    built = Path(done.stdout.strip().splitlines()[-1].rsplit(": ", 1)[0])
    print(f"{built.name}: {built.stat().st_size} bytes")
    return built


@pytest.fixture(scope="module")
def unpacked(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vsix")
    with zipfile.ZipFile(vsix) as archive:
        archive.extractall(folder)
    return folder / "extension"
