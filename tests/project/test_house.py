"""The rules of the house: which layer may import which, where pages and public names are."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import draftlift
from draftlift.normalize import REASONS
from draftlift.rules import RULES

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "server" / "draftlift"

# The layers of ARCHITECTURE.md; a module may import from its own layer and from those below.
LAYERS: dict[str, int] = {
    "text": 0,
    "gc_pause": 0,
    "syntax": 1,
    "schema": 2,
    "change": 3,
    "tools": 4,
    "judge": 5,
    "normalize": 6,
    "rules": 6,
    "fixes": 6,
    "analysis": 7,
    "explain": 8,
    "files": 9,
    "config": 9,
    "cli": 10,
    "lsp": 10,
    "__main__": 11,
}
# Of one layer, and they know nothing of each other.
INDEPENDENT = ({"normalize", "rules"}, {"normalize", "fixes"}, {"rules", "fixes"}, {"cli", "lsp"})
# What a module may import from outside the standard library.
OUTSIDE = {
    "lsp": {"pygls", "lsprotocol", "attrs"},
    "syntax": {"yaml", "ruamel"},
    "files": {"pathspec"},
    "judge": {"jsonschema", "referencing"},
}
EXCEPTIONS = {("cli", "lsp")}  # `draftlift serve`


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_go_down_only(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if room == "__init__":
        return
    assert room in LAYERS, "a new room needs a layer in ARCHITECTURE.md and here"
    for name in imports(path):
        top, _, rest = name.partition(".")
        if top == "draftlift":
            other = rest.split(".")[0]
            if other in LAYERS and other != room and (room, other) not in EXCEPTIONS:
                assert LAYERS[other] <= LAYERS[room], f"{room} imports {other}"
                assert not any({room, other} <= pair for pair in INDEPENDENT), f"{room} imports {other}"
        elif top not in sys.stdlib_module_names:
            assert top in OUTSIDE.get(room, set()), f"{room} imports {top}"


# Only the end of a process can hold a limit on a regular expression: the judge starts one, by a clock, and is in it.
WITH_IO = {"judge/process.py", "judge/worker.py"}


def test_no_io_below_the_front_ends() -> None:
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE)
        if LAYERS.get(name.parts[0].removesuffix(".py"), 9) < 9 and name.as_posix() not in WITH_IO:
            tops = {name.split(".")[0] for name in imports(path)}
            assert not tops & {
                "os",
                "pathlib",
                "socket",
                "urllib3",
                "requests",
                "time",
                "datetime",
                "random",
                "sys",
                "subprocess",
            }, path
            assert not re.search(r"\bopen\(|\bprint\(", path.read_text("utf-8")), path


def test_each_rule_has_a_page_a_file_and_a_case_file() -> None:
    for id_ in RULES:
        assert (PACKAGE / "rules" / f"{id_.replace('-', '_')}.py").exists()
        assert (ROOT / "docs" / "rules" / f"{id_}.md").exists()
        assert (ROOT / "tests" / "rules" / f"{id_}.md").exists()
    for id_ in REASONS:
        assert (ROOT / "docs" / "refusals" / f"{id_}.md").exists()


def test_the_generated_pages_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_public_names() -> None:
    assert set(draftlift.__all__) == {"__version__", "analyse", "normalize"}
    assert draftlift.normalize({"$schema": "http://json-schema.org/draft-07/schema#"}).changed
    assert draftlift.analyse('{"name": "a", "inputSchema": null}', "json").findings


def test_the_versions_agree() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'version = "{draftlift.__version__}"' in pyproject
    assert f"## {draftlift.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_no_registry_host_is_named() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    hosts = ("pypi" + ".org", "files.python" + "hosted", "registry.npm" + "js", "deb.debian" + ".org")
    for name in filter(None, listed.split("\0")):
        data = (ROOT / name).read_bytes()
        assert not any(host.encode() in data for host in hosts), name
