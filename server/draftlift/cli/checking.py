"""Checking many files: one after the other, or by all cores where there are hundreds."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from draftlift.analysis import Settings, analyse
from draftlift.cli.files import paths_of, read_source
from draftlift.cli.report import FileReport, report
from draftlift.files import Choice, UnreadableError

_MANY = 300
"""From so many files on other processes are worth their start."""

_BATCH = 50


def check_all(
    arguments: Sequence[str], choice: Choice, stdin_filename: str | None, settings: Settings, *, as_json: bool
) -> Iterator[FileReport | UnreadableError]:
    """The report of every file that the arguments name, in their order; or why there is none."""
    started = time.monotonic()
    paths: list[Path | None] = []
    problems: list[UnreadableError] = []
    for argument in arguments:
        try:
            paths += paths_of(argument, choice)
        except UnreadableError as problem:
            problems.append(problem)
    batches = [paths[at : at + _BATCH] for at in range(0, len(paths), _BATCH)]
    done = 0
    reports = _in_order(batches, stdin_filename, settings, as_json=as_json)
    for batch, found in zip(batches, reports, strict=True):
        yield from found
        done += len(batch)
        _progress(done, len(paths))
    if len(paths) >= _MANY:
        print(f"Checked {len(paths):,} files in {time.monotonic() - started:.1f} s.", file=sys.stderr)
    yield from problems


def _in_order(
    batches: list[list[Path | None]], stdin_filename: str | None, settings: Settings, *, as_json: bool
) -> Iterator[list[FileReport | UnreadableError]]:
    workers = min(os.cpu_count() or 1, len(batches))
    if len(batches) * _BATCH < _MANY or workers < 2:
        for batch in batches:
            yield _check_batch(batch, stdin_filename, settings, as_json=as_json)
        return
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial

    work = partial(_check_batch, stdin_filename=stdin_filename, settings=settings, as_json=as_json)
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, batches)


def _check_batch(
    batch: list[Path | None], stdin_filename: str | None, settings: Settings, *, as_json: bool
) -> list[FileReport | UnreadableError]:
    found: list[FileReport | UnreadableError] = []
    for path in batch:
        try:
            source = read_source(path, stdin_filename)
            if source is not None:
                analysis = analyse(source.text, source.language, settings)
                found.append(report(source, analysis, as_json=as_json))
        except UnreadableError as problem:
            found.append(problem)
    return found


def _progress(done: int, total: int) -> None:
    if total >= _MANY and sys.stderr.isatty():
        sys.stderr.write(f"\r{done:,} of {total:,} files" if done < total else "\r" + " " * 40 + "\r")
        sys.stderr.flush()
