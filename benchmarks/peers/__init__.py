"""The programs from npm that draftlift is measured beside: pinned here, installed once, outside the clone."""

from __future__ import annotations

import hashlib
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


def _cache() -> Path:
    return Path(os.environ.get("DRAFTLIFT_TEST_CACHE") or Path.home() / ".cache" / "draftlift-tests")


def place() -> Path:
    """The folder that holds ``node_modules`` with all of them, and a fresh copy of our own scripts."""
    folder = _cache() / ("npm-" + "-".join(VERSIONS.values()))
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


def judges() -> list[str]:
    """The command of the validators that speak lines, installed from their lock file."""
    source = HERE / "judges"
    lock = (source / "package-lock.json").read_bytes()
    folder = _cache() / f"npm-judges-{hashlib.sha256(lock).hexdigest()[:12]}"
    done = folder / "complete"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(source / name, folder)
        npm = shutil.which("npm") or "npm"
        options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run([npm, "ci", *options], check=True, cwd=folder)
        done.touch()
    shutil.copy(source / "judges.mjs", folder)
    return [NODE, "--stack-size=400", str(folder / "judges.mjs")]  # a small stack: recursion without end ends soon


def translator(name: str) -> list[str]:
    """The command of a translator that speaks lines."""
    return [NODE, str(place() / "translate.mjs"), name]


def language_server(name: str) -> list[str]:
    """The command of a language server on standard input and output."""
    return [NODE, str(place() / "node_modules" / name / "bin" / name), "--stdio"]
