"""The official JSON Schema test suite, fetched by package name and pinned version and kept outside the clone.

The source distribution of ``jsonschema`` carries it under ``json/``. A missing download is a failure, never a skip.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from draftlift.schema.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, Dialect

VERSION = "4.26.0"
FOLDERS = {"draft4": DRAFT_04, "draft6": DRAFT_06, "draft7": DRAFT_07, "draft2019-09": DRAFT_2019_09}
REMOTE_BASE = "http://localhost:1234/"


@dataclass(frozen=True)
class Group:
    """One schema of the suite with its instances; ``name`` is folder/file/description."""

    name: str
    part: str
    dialect: Dialect
    schema: dict[str, Any]
    instances: tuple[Any, ...]


def folder() -> Path:
    """The suite's folder; downloads it the first time."""
    cache = Path(os.environ.get("DRAFTLIFT_TEST_CACHE") or Path.home() / ".cache" / "draftlift-tests")
    place = cache / f"jsonschema-{VERSION}" / "json"
    if not place.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
            command += ["--no-binary", ":all:", f"jsonschema=={VERSION}", "-d", scratch]
            subprocess.run(command, check=True)
            archive = next(Path(scratch).glob("*.tar.gz"))
            with tarfile.open(archive) as tar:
                tar.extractall(scratch, filter="data")
            try:
                (Path(scratch) / f"jsonschema-{VERSION}").rename(place.parent)
            except OSError:  # another worker was quicker
                if not place.exists():
                    raise
    return place


def groups() -> Iterator[Group]:
    """Every object schema of the drafts that are translated from, with its dialect declared."""
    root = folder() / "tests"
    for name, dialect in FOLDERS.items():
        for path in sorted((root / name).rglob("*.json")):
            relative = path.relative_to(root).as_posix()
            part = (
                "format" if "/optional/format/" in relative else "optional" if "/optional/" in relative else "mandatory"
            )
            for group in json.loads(path.read_text("utf-8")):
                schema = group["schema"]
                if isinstance(schema, dict):
                    declared = schema if "$schema" in schema else {"$schema": dialect.uri, **schema}
                    instances = tuple(test["data"] for test in group["tests"])
                    yield Group(f"{relative}: {group['description']}", part, dialect, declared, instances)


def remotes() -> dict[str, Any]:
    """The documents that the suite's references lead to, by URI; each declares its own dialect."""
    found = {}
    root = folder() / "remotes"
    for path in sorted(root.rglob("*.json")):
        relative = path.relative_to(root)
        document = json.loads(path.read_text("utf-8"))
        dialect = FOLDERS.get(relative.parts[0])
        if dialect is not None and isinstance(document, dict) and "$schema" not in document:
            document = {"$schema": dialect.uri, **document}
        found[REMOTE_BASE + relative.as_posix()] = document
    return found
