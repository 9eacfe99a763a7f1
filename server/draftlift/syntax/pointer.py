"""JSON Pointers (RFC 6901): tokens inside, text at the edges, in plain form and as a URI's fragment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Pointer: TypeAlias = "tuple[str | int, ...]"
"""Where a value lies: member names and array indices from the root. The empty tuple is the root."""

_PLAIN_IN_FRAGMENTS = "!$&'()*+,;=:@-._~/"
_LONGEST_INDEX = 18


def to_text(pointer: Iterable[str | int]) -> str:
    """The pointer as RFC 6901 writes it, for example ``/tools/0/inputSchema``."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in pointer)


def to_fragment(pointer: Iterable[str | int]) -> str:
    """The pointer as a URI's fragment, without the ``#`` (RFC 6901, section 6)."""
    from urllib.parse import quote  # noqa: PLC0415 - only references need it

    return quote(to_text(pointer), safe=_PLAIN_IN_FRAGMENTS, errors="surrogatepass")


def tokens_of(text: str) -> tuple[str, ...] | None:
    """The tokens of a pointer's text, none of them taken for an index yet; None where the text is no pointer."""
    if not text:
        return ()
    if not text.startswith("/"):
        return None
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in text[1:].split("/"))


def decoded(fragment: str) -> str:
    """A URI's fragment without its percent-encoding."""
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote  # noqa: PLC0415

    return unquote(fragment)


def index_of(token: str) -> int | None:
    """The array index that a token is, or None: digits without a leading zero, and no more than an array can have."""
    if token.isascii() and token.isdigit() and len(token) <= _LONGEST_INDEX and (token == "0" or token[0] != "0"):
        return int(token)
    return None
