"""Trials of translations beside the event loop: the judge's process does the work, a thread waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread

from draftlift.judge.outcome import Agreement, Cut, Trial
from draftlift.judge.process import Judge

LIMIT_S = 0.16
"""A hover should be there in 0.2 s, and has more to do than this."""
_LATEST_S = LIMIT_S + 0.02
_WARM_AFTER_S = 1.0


class Trials:
    """Tries translations out for one server."""

    def __init__(self) -> None:
        self._judge = Judge()
        self._expected = False

    def expect(self) -> None:
        """There is something to try out: have the judge ready when it is asked for, after what is more urgent."""
        if not self._expected:
            self._expected = True
            asyncio.get_running_loop().call_later(_WARM_AFTER_S, self._in_thread, self._judge.warm)

    async def outcome(self, trial: Trial) -> Agreement | Cut | None:
        """What comes of a trial within the limit. The event loop goes on meanwhile; to cancel this ends the trial."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Agreement | Cut | None] = loop.create_future()

        def tell(outcome: Agreement | Cut | None) -> None:
            if not future.done():
                future.set_result(outcome)

        def run() -> None:
            outcome = None
            try:
                outcome = self._judge.agree(trial, LIMIT_S)
            finally:
                with suppress(RuntimeError):  # the server has ended
                    loop.call_soon_threadsafe(tell, outcome)
            self._judge.warm()  # where it was killed, for the next one

        if not self._in_thread(run):
            return None
        self._expected = True
        try:
            return await asyncio.wait_for(future, _LATEST_S)
        except asyncio.TimeoutError:
            return Cut(LIMIT_S, "slow")
        except asyncio.CancelledError:
            self._judge.stop(trial)
            raise

    @staticmethod
    def _in_thread(work: Callable[[], None]) -> bool:
        """Have some work done; False where there are no threads."""
        try:
            Thread(target=work, name="trial", daemon=True).start()
        except RuntimeError:
            return False
        return True
