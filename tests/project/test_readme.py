"""What the README shows is what draftlift prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def printed(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "draftlift", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    return done.stdout


def block(language: str) -> str:
    """The first block of the README that is in a language."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```\n", README, re.MULTILINE | re.DOTALL)
    found: str = next(text for name, text in blocks if name == language)
    return found


def test_the_findings() -> None:
    shown = block("").splitlines()
    assert shown
    assert set(shown) <= set(printed("check", "examples").splitlines())


def test_the_diff() -> None:
    shown = block("diff")
    assert shown
    assert shown in printed("fix", "--diff", "examples/tuples-and-dependencies.yaml")


def test_the_example_of_the_library() -> None:
    code = block("python")
    said = "".join(line.removeprefix("# ") for line in code.splitlines(keepends=True) if line.startswith("# "))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == said
