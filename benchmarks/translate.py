"""`draftlift normalize --lines` beside two JavaScript translators, on the same schemas in the same run.

    python benchmarks/translate.py [--schemas FOLDER] [--rounds N]

Each program is started afresh every round, gets one schema a line and answers one line before it gets the next. The
rounds are interleaved, and the medians are printed. FOLDER: every ``*.json`` below it that declares draft-04, -06, -07
or 2019-09, for example SchemaStore's ``src/schemas/json``; without it the official test suite and our examples.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import measure
import peers

from draftlift.analysis import analyse
from draftlift.schema.dialects import LEGACY, dialect_of_uri

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))


@dataclass
class Program:
    """One translator, and what its rounds have cost."""

    name: str
    command: list[str]
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    translated: int = 0


def stored(folder: Path) -> Iterator[Any]:
    """The schemas of old dialects in the files of a folder."""
    for path in sorted(folder.rglob("*.json")):
        try:
            schema = json.loads(path.read_text("utf-8-sig"))
        except ValueError:
            continue
        if isinstance(schema, dict) and dialect_of_uri(schema.get("$schema")) in LEGACY:
            yield schema


def our_own() -> Iterator[Any]:
    """The official suite's schemas, and those of our examples."""
    from suite.official import groups  # noqa: PLC0415

    yield from (group.schema for group in groups())
    for path in sorted((ROOT / "examples").iterdir()):
        analysis = analyse(path.read_text("utf-8"), "yaml" if path.suffix == ".yaml" else "json")
        yield from (
            schema.value for schema in analysis.schemas if isinstance(schema.value, dict) and "$schema" in schema.value
        )


def run(program: Program, lines: list[bytes]) -> None:
    """One round."""
    started = time.perf_counter()
    process = subprocess.Popen(
        program.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    translated = 0
    for line in lines:
        process.stdin.write(line)
        process.stdin.flush()
        answer = process.stdout.readline()
        assert answer, f"{program.name} gave up"
        translated += b'"status": "translated"' in answer[:40] or b'"status":"translated"' in answer[:40]
    process.stdin.close()
    process.stdout.read()
    process.stdout.close()
    cpu = measure.cpu_of_ended(process)
    if lines:
        program.wall.append(time.perf_counter() - started)
        program.cpu.append(cpu)
        program.translated = translated
    else:
        program.start.append(cpu)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schemas", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    schemas = stored(options.schemas) if options.schemas else our_own()
    lines = [json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for schema in schemas]
    size = sum(map(len, lines)) / 1e6
    names = ("json-schema-migrate", "effect")
    programs = [Program("draftlift", [sys.executable, "-m", "draftlift", "normalize", "--lines"])]
    programs += [Program(f"{name} {peers.VERSIONS[name]}", peers.translator(name)) for name in names]
    for program in programs:
        run(program, [])  # warms the caches
        program.start.clear()
    for _ in range(options.rounds):
        for program in programs:
            run(program, [])
            run(program, lines)
    print(f"{len(lines)} schemas, {size:.1f} MB of lines, {options.rounds} rounds; {measure.machine()}\n")
    wall = {program.name: statistics.median(program.wall) for program in programs}
    cpu = {program.name: statistics.median(program.cpu) for program in programs}
    fastest_wall, fastest_cpu = (min(list(times.values())[1:]) for times in (wall, cpu))
    rows = [
        [
            program.name,
            str(program.translated),
            f"{wall[program.name]:.2f}",
            f"{cpu[program.name]:.2f}",
            f"{statistics.median(program.start):.2f}",
            f"{size / wall[program.name]:.1f}",
            f"{size / cpu[program.name]:.1f}",
            f"{fastest_wall / wall[program.name]:.2f}",
            f"{fastest_cpu / cpu[program.name]:.2f}",
        ]
        for program in programs
    ]
    head = ["", "translated", "wall s", "CPU s", "of it start", "MB/s by wall", "MB/s by CPU"]
    print(measure.table([*head, "speed by wall, faster peer = 1", "by CPU"], rows))


if __name__ == "__main__":
    main()
