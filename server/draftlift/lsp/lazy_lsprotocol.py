"""A quicker start: two thirds of it was the import of lsprotocol's 554 classes, each compiled by attrs on import.

A session uses a third of them. So attrs gets each when it is first used: when it is called, or when cattrs asks for its
fields. And nobody here or in pygls prints or compares these objects, or has so many that slots would matter, so they are
made without. The open issue is lsprotocol's 441; when it is solved this file can go.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

_LEAN = {"eq": False, "repr": False, "slots": False}  # without slots, attrs completes the very class it is given


def import_lsprotocol() -> None:
    """Import ``lsprotocol.types`` with classes for later, unless it is imported already."""
    if "lsprotocol.types" in sys.modules:
        return
    import attrs

    define: Callable[..., Any] = attrs.define
    waiting: dict[type, dict[str, Any]] = {}

    class Fields:
        """Stands for the fields of a class until somebody asks for them."""

        def __get__(self, instance: object, owner: type) -> Any:
            complete(owner)
            return getattr(owner, attribute)

    attribute, fields = "__attrs_attrs__", Fields()

    def create(self: Any, *arguments: Any, **named: Any) -> None:
        complete(type(self))
        type(self).__init__(self, *arguments, **named)

    def later(class_: type | None = None, **options: Any) -> Any:
        if class_ is None:
            return partial(later, **options)
        waiting[class_] = options
        setattr(class_, attribute, fields)
        class_.__init__ = create  # type: ignore[misc]
        return class_

    def complete(class_: type) -> None:
        for own in class_.__mro__:  # that of a subclass may be asked for first
            options = waiting.pop(own, None)
            if options is not None:
                delattr(own, attribute)
                del own.__init__  # type: ignore[misc]
                define(own, **{**_LEAN, **options})
                attrs.resolve_types(own, types.ALL_TYPES_MAP, {})

    attrs.define = later  # type: ignore[assignment]
    try:
        from lsprotocol import types
    finally:
        attrs.define = define

    from lsprotocol import _hooks

    _hooks._resolved_forward_references = True  # or it would ask all of them for their fields; see ``complete``


def settle_collector() -> None:
    """What was imported is no garbage, now or later; and an analysis makes many objects, but no cycles."""
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)
    gc.enable()
