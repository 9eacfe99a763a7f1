"""Checking many files: one after the other, or by all cores where there are hundreds."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from draftlift.analysis import Settings, analyse
from draftlift.cli.files import Input, read_source
from draftlift.cli.formats import FileReport, report
from draftlift.cli.trouble import Trouble, guard

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

MANY = 300
"""From so many files on other processes are worth their start."""

BATCH = 50


def check_all(
    entries: Sequence[Input], settings: Settings, format_name: str
) -> Generator[FileReport | Trouble, None, None]:
    """The report of every file, in their order, and what went wrong. To close the iterator ends all work."""
    started = time.monotonic()
    done = 0
    for size, found in _in_order(entries, settings, format_name):
        yield from found
        done += size
        _progress(done, len(entries))
    if len(entries) >= MANY:
        print(f"Checked {len(entries):,} files in {time.monotonic() - started:.1f} s.", file=sys.stderr)


def check_batch(batch: Sequence[Input], settings: Settings, format_name: str) -> list[FileReport | Trouble]:
    """What there is to tell of some files; never raises for what one of them does to us."""
    found: list[FileReport | Trouble] = []
    for entry in batch:
        troubles: list[Trouble] = []
        with guard(entry.name, troubles):
            source = read_source(entry)
            if source is not None:
                found.append(report(source, analyse(source.text, source.language, settings), format_name))
        found += troubles
    return found


_Found = tuple[int, list[FileReport | Trouble]]
"""A number of files, and what there is to tell of them."""


def _in_order(entries: Sequence[Input], settings: Settings, format_name: str) -> Iterator[_Found]:
    batches = [entries[at : at + BATCH] for at in range(0, len(entries), BATCH)]
    workers = min(os.cpu_count() or 1, len(batches)) if len(entries) >= MANY else 0
    return _by_workers(batches, workers, settings, format_name)


def _by_workers(
    batches: Sequence[Sequence[Input]], number: int, settings: Settings, format_name: str
) -> Iterator[_Found]:
    """The answers to all batches, in their order, by so many processes; by this one where there are none to be had.

    A worker that dies costs the file it died of: its batch is done again, file by file.
    """
    found: dict[int, list[FileReport | Trouble]] = {}
    waiting = deque(range(len(batches)))
    with _workers() as workers:
        for index, batch in enumerate(batches):
            while index not in found:
                while waiting and len(workers) < number and _start(workers, settings, format_name):
                    _give(workers[-1], waiting, batches)
                if not workers:
                    found[waiting.popleft()] = check_batch(batch, settings, format_name)
                    continue
                for worker in _ready(workers):
                    done = worker.task
                    assert done is not None
                    try:
                        found[done] = worker.connection.recv()
                    except (EOFError, OSError):
                        worker.process.join()
                        workers.remove(worker)
                        found[done] = _after_death(batches[done], settings, format_name)
                    else:
                        _give(worker, waiting, batches)
            yield len(batch), found.pop(index)


def _after_death(batch: Sequence[Input], settings: Settings, format_name: str) -> list[FileReport | Trouble]:
    if len(batch) == 1:
        message = f"{batch[0].name}: internal error: the process that looked at it died; please report it"
        return [Trouble(message)]
    singly = _by_workers([[entry] for entry in batch], 1, settings, format_name)
    return [told for _, answer in singly for told in answer]


@dataclass(slots=True)
class _Worker:
    """Another process. ``task`` is the number of the batch that it looks at."""

    process: BaseProcess
    connection: Connection
    task: int | None = None


def _start(workers: list[_Worker], settings: Settings, format_name: str) -> bool:
    """Add a worker; False where the system has no more processes to give, and so those that are there must do."""
    import multiprocessing

    try:
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(target=_work, args=(theirs, settings, format_name), daemon=True)
        if sys.platform != "win32" and multiprocessing.get_start_method() != "fork":
            from multiprocessing.resource_tracker import ensure_running

            ensure_running()  # where it begins only with the process, it lets interrupts in again
        with _no_interrupts():
            process.start()
            workers.append(_Worker(process, ours))  # before an interrupt can come, so that it is ended with the others
        theirs.close()
    except (ImportError, NotImplementedError, OSError):
        return False
    return True


def _give(worker: _Worker, waiting: deque[int], batches: Sequence[Sequence[Input]]) -> None:
    worker.task = waiting.popleft() if waiting else None
    if worker.task is not None:
        with suppress(OSError):  # it has died, which is seen where its answer is read
            worker.connection.send(batches[worker.task])


def _ready(workers: list[_Worker]) -> list[_Worker]:
    """Those that have answered, or died."""
    from multiprocessing.connection import wait

    answered = wait([worker.connection for worker in workers if worker.task is not None])
    return [worker for worker in workers if worker.connection in answered]


@contextmanager
def _workers() -> Iterator[list[_Worker]]:
    """Leaves no process behind, and does no work that nobody waits for any more."""
    workers: list[_Worker] = []
    try:
        yield workers
    except BaseException:
        for worker in workers:
            worker.process.terminate()
        raise
    finally:
        for worker in workers:
            with suppress(OSError):
                worker.connection.send(None)
            worker.connection.close()
        for worker in workers:
            worker.process.join()


def _work(connection: Connection, settings: Settings, format_name: str) -> None:
    """In a worker: answer batches until there are no more. Interrupts are for the parent; with it we end, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # nobody is there any more
        while (batch := connection.recv()) is not None:
            connection.send(check_batch(batch, settings, format_name))


def _end_with_parent() -> None:
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Interrupts wait; a process that begins meanwhile never gets any, and so prints no traceback of one."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _progress(done: int, total: int) -> None:
    if total >= MANY and sys.stderr.isatty():
        sys.stderr.write(f"\r{done:,} of {total:,} files" if done < total else "\r" + " " * 40 + "\r")
        sys.stderr.flush()
