"""The judge's process, from outside: started when it is needed, kept, and killed at the limit.

The one place below the front ends that starts a process and looks at a clock: a regular expression of Python cannot be
interrupted from within, so only the end of a process can hold a limit. It may be asked from several threads.
"""

from __future__ import annotations

import atexit
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Lock, Thread
from time import monotonic

import draftlift
from draftlift.judge.outcome import Agreement, Cause, Cut, Trial

# The package without its __init__, which would load readers, rules and all that no verdict needs.
_PROGRAM = """\
import sys, types
package = sys.modules["draftlift"] = types.ModuleType("draftlift")
package.__path__, sys.path[:] = [sys.argv[1]], sys.argv[2:]
from draftlift.judge.worker import run
run()
"""
# As this interpreter runs: whoever isolates it isolates the judge.
_FLAGS = (*(("-I",) if sys.flags.isolated else ()), *(("-S",) if sys.flags.no_site else ()))


class Judge:
    """Tries translations out, one at a time."""

    def __init__(self) -> None:
        self._asking = Lock()
        self._starting = Lock()
        self._worker: _Worker | None = None
        self._trial: Trial | None = None
        self._missing = False

    def warm(self, wait_s: float = 0.0) -> None:
        """Start the process where it does not run; wait so long until it is ready."""
        worker = self._running()
        if worker is not None:
            worker.is_ready(monotonic() + wait_s)

    def agree(self, trial: Trial, limit_s: float) -> Agreement | Cut | None:
        """What sample values say of a translation, within a limit, which holds for the waiting for others as well.

        None where nothing can be said: there is no ``jsonschema``, no process, or no sample value that it can judge.
        """
        deadline = monotonic() + limit_s
        if not self._asking.acquire(timeout=limit_s):
            return Cut(limit_s, "busy")
        try:
            worker = self._running()
            if worker is None:
                return None
            if not worker.is_ready(deadline):
                return Cut(limit_s, "starting") if worker.runs else None
            try:
                data = pickle.dumps((trial.schema, trial.translated, trial.dialect.name, limit_s))
            except RecursionError:  # a value that is nested so deep: no validator could walk it either
                return None
            self._trial = trial
            known, cause = worker.judge(data, deadline)
        finally:
            self._trial = None
            self._asking.release()
        if cause is not None:
            return Cut(limit_s, cause, known)
        return known if known.judged else None

    def stop(self, trial: Trial) -> None:
        """Give up one trial, where it is the one that is being judged."""
        worker = self._worker
        if worker is not None and self._trial is trial:
            worker.kill()

    def close(self) -> None:
        """End the process. It is started again where it is needed again."""
        with self._starting:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()
            worker.join()
        atexit.unregister(self.close)

    def _running(self) -> _Worker | None:
        """The process, which may not be ready yet; None where there cannot be one."""
        with self._starting:
            worker = self._worker
            if worker is not None and not worker.runs and not worker.was_ready:
                self._missing = True  # it ended by itself: there is no jsonschema, and trying again would not help
            if self._missing:
                return None
            if worker is None or not worker.runs:
                try:
                    self._worker = worker = _Worker()
                except (OSError, RuntimeError, ValueError):  # no processes here, or no threads
                    self._missing = True
                    return None
                atexit.register(self.close)
            return worker


class _Worker:
    """One process. A thread of its own talks with it, so that nobody else is ever held up by a full or empty pipe."""

    def __init__(self) -> None:
        if not sys.executable:
            raise OSError("this interpreter does not know its own program")
        paths = [path for path in sys.path if Path(path).is_absolute()]
        package = str(Path(draftlift.__file__).parent)
        self._process = subprocess.Popen(
            [sys.executable, *_FLAGS, "-c", _PROGRAM, package, *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # on Windows, no console
        )
        self.runs = True
        self.was_ready = False
        self._settled = Event()  # it is ready, or has ended
        self._jobs: Queue[bytes | None] = Queue()
        self._lines: Queue[str | None] = Queue()
        self._thread = Thread(target=self._talk, name="judge", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self.kill()
            raise

    def is_ready(self, deadline: float) -> bool:
        """Whether it takes jobs by then."""
        self._settled.wait(max(0.0, deadline - monotonic()))
        return self.was_ready and self.runs

    def judge(self, job: bytes, deadline: float) -> tuple[Agreement, Cause | None]:
        """What is known at the end or at the deadline, by which the process is killed; and why it is not all."""
        known = Agreement()
        self._jobs.put(job)
        try:
            while (line := self._next(deadline)) not in ("done", None):
                known = Agreement(*map(int, line.split()))
        except Empty:
            self.kill()
            return known, "slow"
        return known, None if line == "done" else "slow"

    def kill(self) -> None:
        """End it at once."""
        self.runs = False
        self._process.kill()
        self._jobs.put(None)

    def join(self) -> None:
        """Wait until it is gone."""
        self._thread.join(1.0)

    def _next(self, deadline: float) -> str | None:
        """The next line it says, None at its end. Raises Empty where there is none by then."""
        return self._lines.get(timeout=max(0.0, deadline - monotonic()))

    def _talk(self) -> None:
        """Hand jobs over and lines back, in turns: a job is taken when the lines of the one before are all read."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):  # it was killed meanwhile
            for line in process.stdout:
                said = line.decode("ascii").strip()
                if said == "ready":
                    self.was_ready = True
                    self._settled.set()
                else:
                    self._lines.put(said)
                if said in ("ready", "done"):
                    job = self._jobs.get()
                    if job is None:
                        break
                    process.stdin.write(len(job).to_bytes(4, "big") + job)
                    process.stdin.flush()
        self.runs = False
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()
        self._settled.set()
        self._lines.put(None)
