"""A quicker start: two thirds of it is the import of lsprotocol's 554 classes, most of that attrs compiling methods.

Nobody here or in pygls prints or compares these objects, or has so many that slots would matter, so they are made without
``__repr__``, ``__eq__`` and ``__slots__``, which saves close to half of the import. The open issue is lsprotocol's 441; when it is solved this file can go.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any


def import_lsprotocol() -> None:
    """Import ``lsprotocol.types`` with lean classes; to be called before anything else imports it."""
    import attrs

    define: Callable[..., Any] = attrs.define

    def lean(class_: type | None = None, **options: Any) -> Any:
        options = {"eq": False, "repr": False, "slots": False, **options}
        return define(class_, **options) if class_ is not None else partial(lean, **options)

    attrs.define = lean  # type: ignore[assignment]
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = define


def settle_collector() -> None:
    """What was imported is no garbage, now or later; and an analysis makes many objects, but no cycles."""
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)
    gc.enable()
