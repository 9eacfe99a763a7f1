"""Python's cyclic garbage collector, paused while a reader makes many objects."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """Keeps the collector from running inside the block; it costs a reader half its time and finds no cycle there."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def set_apart() -> None:
    """Has the collector never walk what is alive now: trees have no cycles, and are freed when they are let go."""
    gc.freeze()
