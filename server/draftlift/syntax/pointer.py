"""JSON Pointers (RFC 6901): tokens inside, text at the edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Pointer: TypeAlias = "tuple[str | int, ...]"
"""Where a value lies: member names and array indices from the root. The empty tuple is the root."""


def to_text(pointer: Iterable[str | int]) -> str:
    """The pointer as RFC 6901 writes it, for example ``/tools/0/inputSchema``."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in pointer)
