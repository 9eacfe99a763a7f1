"""The programs from npm that draftlift is measured beside: pinned here, installed once, outside the clone."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

VERSIONS = {
    "json-schema-migrate": "2.0.0",
    "effect": "4.1.0",
    "vscode-json-languageserver": "1.3.4",
    "yaml-language-server": "2.0.0",
}
HERE = Path(__file__).parent
NODE = shutil.which("node") or "node"


def place() -> Path:
    """The folder that holds ``node_modules`` with all of them, and a fresh copy of our own scripts."""
    cache = Path(os.environ.get("DRAFTLIFT_TEST_CACHE") or Path.home() / ".cache" / "draftlift-tests")
    folder = cache / ("npm-" + "-".join(VERSIONS.values()))
    done = folder / "complete"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm") or "npm"
        packages = [f"{name}@{version}" for name, version in VERSIONS.items()]
        options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder)]
        subprocess.run([npm, "install", *options, *packages], check=True)
        done.touch()
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, folder)
    return folder


def translator(name: str) -> list[str]:
    """The command of a translator that speaks lines."""
    return [NODE, str(place() / "translate.mjs"), name]


def language_server(name: str) -> list[str]:
    """The command of a language server on standard input and output."""
    return [NODE, str(place() / "node_modules" / name / "bin" / name), "--stdio"]
