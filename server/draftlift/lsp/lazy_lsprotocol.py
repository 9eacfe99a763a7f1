"""A quicker start: two thirds of it was the import of lsprotocol's 554 classes, each compiled by attrs on import.

A session uses a third of them. So attrs gets each when it is first used: when it is called, or when cattrs asks for its
fields; by whatever thread, since a class that is half done is seen by none. Nobody here or in pygls prints or compares
these objects, or has so many that slots would matter, so they are made without: in a server two equal objects of the
protocol are not ``==``. Where the inside of attrs or lsprotocol is not what this was written for, the import is the plain
one. The open issue is lsprotocol's 441; when it is solved this file can go.
"""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable
from functools import partial
from inspect import get_annotations
from threading import RLock
from typing import Any, get_type_hints

_log = logging.getLogger(__name__)

_LEAN = {
    "eq": False,
    "repr": False,
    "slots": False,
    "init": True,
}  # without slots, attrs completes the very class it is given

_FIELDS = "__attrs_attrs__"


def import_lsprotocol() -> None:
    """Import ``lsprotocol.types`` with classes for later, unless it is imported already."""
    if "lsprotocol.types" in sys.modules:
        return
    try:
        _import_lazily()
    except Exception as error:
        _log.debug("a slower start, for lsprotocol could not be imported lazily: %r", error)
        for name in [name for name in sys.modules if name.split(".")[0] == "lsprotocol"]:
            del sys.modules[name]
        import lsprotocol.types  # noqa: F401


def _import_lazily() -> None:
    """Raises whatever comes of an inside that is not as it was; then nothing that was imported may be used."""
    import attrs

    define: Callable[..., Any] = attrs.define
    waiting: dict[type, dict[str, Any]] = {}
    lock = RLock()

    class Fields:
        """Stands for the fields of a class until somebody asks for them."""

        def __get__(self, instance: object, owner: type) -> Any:
            complete(owner)
            return getattr(owner, _FIELDS)

    fields = Fields()

    def create(self: Any, *arguments: Any, **named: Any) -> None:
        complete(type(self))
        type(self).__init__(self, *arguments, **named)

    def later(class_: type | None = None, **options: Any) -> Any:
        if class_ is None:
            return partial(later, **options)
        waiting[class_] = options
        setattr(class_, _FIELDS, fields)
        class_.__init__ = create  # type: ignore[misc]
        return class_

    def complete(class_: type) -> None:
        """Have attrs make a class, and those below it. Others wait, or find all of it: its types are known before."""
        with lock:
            for own in reversed(class_.__mro__):
                if own in waiting:
                    hints = get_type_hints(own, names, {}, include_extras=True)
                    own.__annotations__ = {name: hints[name] for name in get_annotations(own)}
                    define(own, **{**_LEAN, **waiting[own]})
                    del waiting[own]

    attrs.define = later  # type: ignore[assignment]
    try:
        from lsprotocol import types
    finally:
        attrs.define = define

    from lsprotocol import _hooks

    names = dict(types.ALL_TYPES_MAP)  # which the resolving of types adds to
    if _hooks._resolved_forward_references is not False or types.Position not in waiting:
        raise ImportError("lsprotocol makes its classes in another way")
    _hooks._resolved_forward_references = True  # or it would ask all of them for their fields; see ``complete``
    found = [(field.name, field.type) for field in attrs.fields(types.Location)]
    place = types.Location("a", types.Range(types.Position(1, 2), end=types.Position(3, 4)))
    if (found, place.range.end.line) != ([("uri", str), ("range", types.Range)], 3):
        raise ImportError("attrs makes classes in another way")


def settle_collector() -> None:
    """What was imported is no garbage, now or later; and an analysis makes many objects, but no cycles."""
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)
    gc.enable()
