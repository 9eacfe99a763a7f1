"""draftlift with faults: run as a program, since what happens in other processes can be seen from outside only.

A text that holds one of the words below does what the word says to whoever looks at it. This file is imported again by
processes that do not inherit what is set up here, so that it holds however they begin.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from draftlift.analysis import analyse
from draftlift.cli import checking, fixing, main


def faulty(text: str, *rest: Any, **named: Any) -> Any:
    if "RAISE" in text:
        raise KeyError("x")
    if "DIE" in text:
        os._exit(9)
    if "WAIT" in text:
        Path(os.environ["DRAFTLIFT_TEST_WAITS"], str(os.getpid())).touch()
        time.sleep(600)
    return analyse(text, *rest, **named)


module: Any
for module in (checking, fixing):
    module.analyse = faulty

if __name__ == "__main__":
    import multiprocessing
    import signal

    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may have it ignored
    multiprocessing.set_start_method(os.environ.get("DRAFTLIFT_TEST_START"))
    os.cpu_count = lambda: 2
    sys.exit(main(sys.argv[1:]))
