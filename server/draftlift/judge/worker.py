"""What runs in the judge's own process: jobs come on standard input, lines of verdicts go to standard output.

A job is four bytes of length and a pickle of ``(schema, translated, dialect, limit_s)``. The answer is a line
``PASSED FAILED DIFFERING`` for each value that was judged, then ``done``. The line ``ready`` comes before all jobs.
The process ends when its input does; where it is stuck in a job by then, a moment after the job's limit.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import sys
from contextlib import suppress

_GRACE_S = 2.0


def run() -> None:
    """Judge until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this ends it
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr

    def say(line: str) -> None:
        sink.write(line.encode("ascii") + b"\n")
        sink.flush()

    from draftlift.judge.verdicts import compare  # noqa: PLC0415 - where jsonschema is missing, this ends the process

    with open(os.devnull, "w") as nowhere, suppress(BrokenPipeError):  # noqa: PTH123
        say("ready")
        while header := source.read(4):
            schema, translated, dialect, limit_s = pickle.loads(source.read(int.from_bytes(header, "big")))
            # No thread of ours could stop a regular expression, which never lets go of the interpreter: this can.
            faulthandler.dump_traceback_later(limit_s + _GRACE_S, exit=True, file=nowhere)
            with suppress(Exception):
                for agreement in compare(schema, translated, dialect):
                    say(f"{agreement.passed} {agreement.failed} {agreement.differing}")
            faulthandler.cancel_dump_traceback_later()
            say("done")
