"""Mutation testing of the normalizer and of the edits: breaks one small thing at a time and sees whether the tests notice.

    python benchmarks/mutation.py [--every N] [--module NAME [--line N]]

Each mutant is compiled from the changed syntax tree in a forked child, and the tests are run there: the case files of
tests/normalize first, and where these see nothing the laws and the official suite; for the edits their own tests, and
then the small scope. A mutant that the tests let live is printed. ``--every 3`` takes each third mutant. Works on a copy
of the checkout; Linux and macOS. Deterministic.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NORMALIZE = ("steps", "references", "harmless", "identifiers", "contains", "plan", "shortcut", "__init__")
EDITS = (*(f"fixes/edits/{name}" for name in ("__init__", "base", "flow", "block")), "fixes/render")
MODULES = (
    *EDITS,
    *(f"normalize/{name}" for name in NORMALIZE),
    "change/moves",
    "change/operations",
    "schema/survey",
    "schema/uri",
)
CASES = ["tests/normalize"]
QUIET = ["-W", "ignore:Module already imported"]  # they are loaded once, before the fork
LAWS = ["tests/laws/test_laws.py", "tests/suite", "-k", "not fix_all_over and not edited_text_of_every"]
OF_EDITS = (["tests/laws/test_edits.py", "tests/laws/test_looks.py"], ["tests/laws/test_small_scope.py"])
SWAPS: dict[type[ast.AST], type[Any]] = {
    old: new
    for one, other in (
        (ast.Eq, ast.NotEq),
        (ast.Is, ast.IsNot),
        (ast.In, ast.NotIn),
        (ast.Lt, ast.LtE),
        (ast.Gt, ast.GtE),
        (ast.Add, ast.Sub),
    )
    for old, new in ((one, other), (other, one))
}


def mutants(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Change the tree in one place, yield (line, what was done), change it back, and go on to the next place."""
    for node, field, index, value in _slots(tree):
        holder: Any = node if index is None else getattr(node, field)
        for new, what in _instead(node, field, value):
            _set(holder, field, index, new)
            yield getattr(value, "lineno", getattr(node, "lineno", 0)), what
            _set(holder, field, index, value)


def _set(holder: Any, field: str, index: int | None, value: Any) -> None:
    if index is None:
        setattr(holder, field, value)
    else:
        holder[index] = value


def _slots(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, Any]]:
    """Each node below, with the slot of its parent that holds it; annotations, decorators and imports are left out."""
    for field, content in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases"):
            continue
        for index, value in enumerate(content) if isinstance(content, list) else [(None, content)]:
            if not isinstance(value, ast.AST) or isinstance(value, (ast.Import, ast.ImportFrom, ast.JoinedStr)):
                continue
            if isinstance(value, (ast.Assign, ast.AnnAssign)) and _is_typing(value):
                continue
            yield node, field, index, value
            yield from _slots(value)


def _is_typing(node: ast.Assign | ast.AnnAssign) -> bool:
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    value = node.value
    alias = isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id == "Literal"
    return alias or (isinstance(target, ast.Name) and target.id in ("__slots__", "__all__", "Operation"))


def _instead(parent: ast.AST, field: str, node: ast.AST) -> Iterator[tuple[Any, str]]:
    """What may stand instead of a node, and how to say so."""
    text = ast.unparse(node) if isinstance(node, (ast.expr, ast.stmt, ast.comprehension, ast.keyword)) else ""
    if type(node) in SWAPS:
        new = SWAPS[type(node)]
        yield new(), f"{type(node).__name__} -> {new.__name__} in `{ast.unparse(parent)}`"
    elif isinstance(node, ast.BoolOp):
        for at, part in enumerate(node.values):
            rest = node.values[:at] + node.values[at + 1 :]
            new_node = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            yield new_node, f"without `{ast.unparse(part)}` in `{text}`"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand, f"without not: `{text}`"
    elif isinstance(node, (ast.Continue, ast.Break)):
        yield ast.Break() if isinstance(node, ast.Continue) else ast.Continue(), f"the other of `{text}`"
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield ast.comprehension(node.target, node.iter, [], node.is_async), f"without the if: `{text}`"
    elif isinstance(node, ast.Constant):
        yield from _constant(parent, field, node.value)
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield ast.Pass(), f"without `{text}`"
    elif field == "test" and isinstance(node, ast.expr) and not isinstance(node, ast.Compare):
        yield ast.UnaryOp(ast.Not(), node), f"negated `{text}`"


def _constant(parent: ast.AST, field: str, value: object) -> Iterator[tuple[ast.Constant, str]]:
    if isinstance(value, bool):
        yield ast.Constant(not value), f"{not value} for {value} in `{ast.unparse(parent)}`"
    elif isinstance(value, int):
        yield ast.Constant(value + 1), f"{value + 1} for {value} in `{ast.unparse(parent)}`"
    elif isinstance(value, str) and " " not in value and not isinstance(parent, ast.Expr):
        yield ast.Constant(value + "X"), f"{value + 'X'!r} for {value!r} in `{ast.unparse(parent)[:90]}`"


class Mutant(MetaPathFinder, Loader):
    """Stands in for one module."""

    def __init__(self, name: str, tree: ast.Module, path: Path) -> None:
        self.name, self.path = name, path
        self.code = compile(ast.fix_missing_locations(ast.parse(ast.unparse(tree))), str(path), "exec")

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Answer for this one module."""
        is_package = self.path.name == "__init__.py"
        return spec_from_loader(fullname, self, is_package=is_package) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code."""
        module.__file__ = str(self.path)
        if self.path.name == "__init__.py":
            module.__path__ = [str(self.path.parent)]
        exec(self.code, module.__dict__)


def survives(name: str, tree: ast.Module | None, path: Path, tests: list[str]) -> bool:
    """Run tests in a child in which one module is the mutant; in 40 s of CPU time, or the mutant is caught."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (40, 45))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            if tree is not None:
                sys.meta_path.insert(0, Mutant(name, tree, path))
            import pytest  # noqa: PLC0415

            status = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *QUIET, *tests]))
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def prepare(scratch: Path) -> None:
    """Copy the checkout, and load what does not change into this process."""
    for name in ("server", "tests", "examples"):
        shutil.copytree(ROOT / name, scratch / name, ignore=shutil.ignore_patterns("__pycache__", "editors"))
    shutil.copy(ROOT / "pyproject.toml", scratch)
    os.chdir(scratch)
    sys.path.insert(0, str(scratch / "server"))
    os.environ["DRAFTLIFT_EXAMPLES"] = os.environ.get("DRAFTLIFT_EXAMPLES", "25")
    import jsonschema  # noqa: F401, PLC0415
    import pytest  # noqa: F401, PLC0415
    import referencing  # noqa: F401, PLC0415
    import yaml  # noqa: F401, PLC0415
    from hypothesis import Phase, settings  # noqa: PLC0415

    settings.register_profile("mutation", derandomize=True, phases=[Phase.explicit, Phase.generate], database=None)
    settings.load_profile("mutation")


def main() -> int:
    """Test every mutant, or every N-th, and print those that live."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--module", action="append", choices=MODULES)
    parser.add_argument("--line", action="append", type=int, help="only mutants of this line of the module")
    parser.add_argument("--count", action="store_true", help="only count the mutants")
    options = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="draftlift-mutants-"))
    try:
        prepare(scratch)
        tests = [
            tests for module in options.module or MODULES for tests in (OF_EDITS if module in EDITS else (CASES, LAWS))
        ]
        if not options.count and not all(
            survives("", None, ROOT, part) for part in {id(part): part for part in tests}.values()
        ):
            print("the tests fail without any mutant", file=sys.stderr)
            return 2
        all_, by_cases, by_laws = 0, 0, 0
        for module in options.module or MODULES:
            path = scratch / "server" / "draftlift" / f"{module}.py"
            name = "draftlift." + module.replace("/", ".").removesuffix(".__init__")
            tree = ast.parse(path.read_text("utf-8"))
            cases, laws = OF_EDITS if module in EDITS else (CASES, LAWS)
            tally = [0, 0, 0]
            for number, (line, what) in enumerate(mutants(tree)):
                if number % options.every == 0 and (options.line is None or line in options.line):
                    tally[0] += 1
                    if options.count:
                        continue
                    if not survives(name, tree, path, cases):
                        tally[1] += 1
                    elif not survives(name, tree, path, laws):
                        tally[2] += 1
                    else:
                        print(f"  lives: {module}.py:{line}: {what}", flush=True)
            all_, by_cases, by_laws = all_ + tally[0], by_cases + tally[1], by_laws + tally[2]
            print(
                f"{module}: {tally[0]} mutants, {tally[1]} seen by the case files, {tally[2]} by the laws", flush=True
            )
        print(f"all: {all_} mutants, {by_cases} + {by_laws} seen, {100 * (by_cases + by_laws) / max(all_, 1):.1f} %")
        return 0
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
