"""Long work beside the event loop: in threads, so that the loop goes on answering.

Values that threads share do not change, but for what is worked out when it is first asked for (``Node._members``,
``Survey._ranks``, ``Schema.proposed``). Of that each entry is made whole before it is put in its place in one step, so that
another thread finds either nothing and makes an equal one, or all of it. A ``Gate`` keeps more: it is asked in one lane
only, by work of the size of its text, which goes one after another. What comes of work is told to the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Condition, Thread
from typing import Any, NamedTuple, TypeVar

from draftlift import gc_pause

_Result = TypeVar("_Result")

_SHORTER = 4
"""How many times shorter than all that is under way work must be to be done beside it."""


class _Job(NamedTuple):
    size: int
    number: int
    work: Callable[[Callable[[], bool]], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Lane:
    """Work of one kind, the shorter first. Lanes do not wait for each other.

    Work waits for no work that is much longer: it is done beside that. So there are as many threads as there are sizes
    of different magnitude, which is few.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = Condition()
        self._waiting: list[_Job] = []
        self._running: list[int] = []
        self._idle = 0
        self._numbers = count()

    def begin(self, work: Callable[[Callable[[], bool]], _Result], size: int) -> asyncio.Future[_Result]:
        """Begin some work, which is asked for its result with a function that says whether it is still needed.

        ``size`` is how long it takes, in any unit that all work of the lane is told in. The future has the result or
        exception. To cancel it ends the need: work that still waits is not done, and other work stops where it asks.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_Result] = loop.create_future()
        job = _Job(size, next(self._numbers), work, future, loop)
        with self._changed:
            heappush(self._waiting, job)
            if not self._may_begin():
                return future  # whoever ends makes way for it
            if self._idle:
                self._changed.notify()
                return future
            try:
                # A daemon, for the server may end at any time: nothing is lost with it.
                Thread(target=self._serve, name=self._name, daemon=True).start()
                return future
            except RuntimeError:  # the machine has no more threads for us
                self._waiting.remove(job)
                heapify(self._waiting)
        _do(job)
        return future

    def _may_begin(self) -> bool:
        """Whether there is work waiting that may begin now."""
        while self._waiting and self._waiting[0].future.cancelled():
            heappop(self._waiting)
        return bool(self._waiting) and all(self._waiting[0].size * _SHORTER <= size for size in self._running)

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._may_begin():
                    self._idle += 1
                    self._changed.wait()
                    self._idle -= 1
                job = heappop(self._waiting)
                self._running.append(job.size)
            try:
                _do(job)
            finally:
                with self._changed:
                    self._running.remove(job.size)
            del job  # what it holds may be large


def _do(job: _Job) -> None:
    """Do some work, and tell the event loop what came of it."""
    future = job.future

    def tell(say: Callable[[Any], None], value: object) -> None:
        if not future.done():
            say(value)

    with gc_pause.paused():
        try:
            outcome: tuple[Callable[[Any], None], object] = (
                future.set_result,
                job.work(lambda: not future.cancelled()),
            )
        except Exception as error:
            outcome = (future.set_exception, error)
    with suppress(RuntimeError):  # the server has ended
        job.loop.call_soon_threadsafe(tell, *outcome)
