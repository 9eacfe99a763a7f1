"""URI references as RFC 3986 resolves and compares them, whatever their scheme.

``urllib.parse.urljoin`` resolves against the schemes it lists only. Fragments are not looked at: cut them off before.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?", re.DOTALL)
_AUTHORITY = re.compile(r"(.*@)?(\[[^\]]*\]|[^:]*)(?::(.*))?", re.DOTALL)
_TO_NORMALISE = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}


class _Parts(NamedTuple):
    scheme: str | None
    authority: str | None
    path: str
    query: str | None


def has_scheme(uri: str) -> bool:
    """Whether a URI reference is absolute, so that no base matters to it."""
    return _SCHEME.match(uri) is not None


def join(base: str, reference: str) -> str:
    """A reference resolved against a base, in the form in which URIs are compared."""
    return normalise(resolve(base, reference))


def readings(base: str, reference: str) -> tuple[str, ...]:
    """What a reference may mean, the letter first: validators differ in what ``https:a`` is beside ``https://e.com/b``."""
    strict = join(base, reference)
    scheme, authority, *_ = _parts(reference)
    if scheme is None or authority is not None:
        return (strict,)
    loose = normalise(resolve(base, reference, strict=False))
    return (strict,) if loose == strict else (strict, loose)


def resolve(base: str, reference: str, *, strict: bool = True) -> str:
    """A reference resolved against a base (RFC 3986, 5.2).

    The base may be relative itself, or empty, where nobody knows the document's own address: then what cannot be
    resolved stays in front (``../a``). Without ``strict`` a scheme that is the base's own is passed over.
    """
    to, from_ = _parts(reference), _parts(base)
    if not strict and to.scheme is not None and to.scheme.lower() == (from_.scheme or "").lower():
        to = to._replace(scheme=None)
    if to.scheme is not None:
        return _text(to._replace(path=_without_dots(to, to.path)))
    if to.authority is not None:
        found = to._replace(scheme=from_.scheme)
    elif not to.path:
        found = from_ if to.query is None else from_._replace(query=to.query)
    elif to.path.startswith("/"):
        found = from_._replace(path=to.path, query=to.query)
    elif from_.authority is not None and not from_.path:
        found = from_._replace(path="/" + to.path, query=to.query)
    else:
        found = from_._replace(path=from_.path[: from_.path.rfind("/") + 1] + to.path, query=to.query)
    return _text(found._replace(path=_without_dots(found, found.path)))


def normalise(uri: str) -> str:
    """The form in which URIs are compared (RFC 3986, 6.2.2 and 6.2.3): case, percent-encoding, default ports.

    What no URI may hold, such as a blank or an umlaut, counts as its percent-encoding.
    """
    parts = _parts(_TO_NORMALISE.sub(_normalised, uri))
    scheme = parts.scheme.lower() if parts.scheme is not None else None
    authority, path = parts.authority, parts.path
    if authority is not None:
        match = _AUTHORITY.fullmatch(authority)
        user, host, port = match.groups() if match else ("", authority, None)
        authority = (user or "") + _TO_NORMALISE.sub(_normalised, host.lower())
        if port and port != _DEFAULT_PORTS.get(scheme or ""):
            authority += ":" + port
        if not path and scheme in _DEFAULT_PORTS:
            path = "/"
    normal = _Parts(scheme, authority, path, parts.query)
    return _text(normal._replace(path=_without_dots(normal, path)))


def _normalised(match: re.Match[str]) -> str:
    text = match[0]
    if text[0] != "%":
        return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))
    character = chr(int(text[1:], 16))
    return character if _UNRESERVED.match(character) else text.upper()


def _parts(uri: str) -> _Parts:
    match = _PARTS.match(uri)
    assert match is not None  # every part may be missing
    return _Parts(*match.groups())


def _text(parts: _Parts) -> str:
    path = parts.path
    if parts.authority is None and path.startswith("//"):
        path = "/." + path  # or it would read as an authority
    return (
        ("" if parts.scheme is None else parts.scheme + ":")
        + ("" if parts.authority is None else "//" + parts.authority)
        + path
        + ("" if parts.query is None else "?" + parts.query)
    )


def _without_dots(parts: _Parts, path: str) -> str:
    """The path without dot segments (5.2.4); of a path from nowhere those that lead above it stay."""
    if "." not in path:
        return path
    rooted = path.startswith("/")
    from_nowhere = not rooted and parts.scheme is None and parts.authority is None
    segments = path.split("/")
    kept: list[str] = []
    for number, segment in enumerate(segments):
        last = number == len(segments) - 1
        if segment == ".." and (not from_nowhere or (kept and kept[-1] != "..")):
            if len(kept) > rooted:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
            continue
        if last:
            kept.append("")
    return "/".join(kept)
