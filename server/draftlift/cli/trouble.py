"""The last guard: whatever goes wrong with one file is one line about that file, and never looks like a clean result."""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from draftlift.cli.files import UnwritableError
from draftlift.files import UnreadableError


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a file was not looked at, or not to the end: one line, and the traceback where the fault is ours.

    Plain strings, so that it can come from another process.
    """

    message: str
    trace: str = ""


@contextmanager
def guard(name: str, troubles: list[Trouble]) -> Iterator[None]:
    """Whatever is raised while one file is worked on, and every fault that is logged meanwhile, becomes a trouble of it."""
    listener = _Listener(name, troubles)
    log = logging.getLogger("draftlift")
    log.addHandler(listener)
    try:
        yield
    except (UnreadableError, UnwritableError) as problem:
        troubles.append(Trouble(str(problem)))
    except Exception as problem:
        troubles.append(internal_error(problem, name))
    finally:
        log.removeHandler(listener)


def internal_error(problem: BaseException, name: str | None = None, what: str = "") -> Trouble:
    """A fault of ours, which the user is asked to report. ``what`` says what was tried."""
    detail = traceback.format_exception_only(type(problem), problem)[-1].strip().replace("\n", " ")
    if len(detail) > _LONGEST:
        detail = detail[:_LONGEST] + "…"
    where = f"{name}: " if name is not None else ""
    told = f"{what}: {detail}" if what else detail
    trace = "".join(traceback.format_exception(type(problem), problem, problem.__traceback__))
    return Trouble(f"{where}internal error: {told}; please report it (DRAFTLIFT_TRACEBACK=1 shows where)", trace)


_LONGEST = 300
"""Characters of an exception's own words; some repeat half of the text."""


def shows_traces(*, verbose: bool = False) -> bool:
    """Whether the user wants to see tracebacks."""
    return verbose or os.environ.get("DRAFTLIFT_TRACEBACK", "") not in ("", "0")


class _Listener(logging.Handler):
    """Makes troubles of what is logged as an error: a rule that failed cost its findings, and the rest is told.

    What fails at one and the same place of ours is told once, however many schemas it happens to.
    """

    def __init__(self, name: str, troubles: list[Trouble]) -> None:
        super().__init__(logging.ERROR)
        self._name = name
        self._troubles = troubles
        self._seen: set[object] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Take one record."""
        problem = record.exc_info[1] if record.exc_info else None
        if problem is None:
            self._troubles.append(Trouble(f"{self._name}: internal error: {record.getMessage()}; please report it"))
            return
        place = traceback.extract_tb(problem.__traceback__)[-1:]
        key = (type(problem), *((frame.filename, frame.lineno) for frame in place))
        if key not in self._seen:
            self._seen.add(key)
            self._troubles.append(internal_error(problem, self._name, record.getMessage()))
