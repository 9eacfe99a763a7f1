"""Long work beside the event loop: in a thread, one piece at a time, so that the loop goes on answering.

What runs there may only read values that never change; what comes of it is told to the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, TypeVar

from draftlift import gc_pause

_Result = TypeVar("_Result")

_one_at_a_time = Lock()


def begin(work: Callable[[], _Result]) -> asyncio.Future[_Result]:
    """Begin some work. The future has its result or exception; to cancel it does not stop the work."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_Result] = loop.create_future()

    def tell(say: Callable[[Any], None], value: object) -> None:
        if not future.done():
            say(value)

    def run() -> None:
        with _one_at_a_time, gc_pause.paused():
            try:
                outcome: tuple[Callable[[Any], None], object] = (future.set_result, work())
            except Exception as error:
                outcome = (future.set_exception, error)
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(tell, *outcome)

    # A daemon, for the server may end at any time: nothing is lost with it.
    Thread(target=run, name="beside", daemon=True).start()
    return future
