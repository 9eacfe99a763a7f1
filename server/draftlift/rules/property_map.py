"""A map of properties where a schema must stand: the parameters of a tool, without ``properties`` around them."""

from __future__ import annotations

from typing import Any

from draftlift.rules.base import View
from draftlift.schema.dialects import Dialect, has_form


def bare_properties(view: View) -> tuple[str, ...]:
    """The members of the root that look like properties, if that is all it has; an empty tuple if not.

    They are objects that could be schemas, under names that are no keywords, or are keywords that cannot be meant, since
    their value is no object. ``$schema`` may stand beside them, and a ``required`` that names them.
    """
    found: tuple[str, ...] = view.recall("bare properties", lambda: _bare_properties(view))
    return found


def stray_properties(view: View) -> bool:
    """Whether some member of the root looks like a property, though there is more to it."""
    return isinstance(view.value, dict) and any(
        isinstance(member, dict) and bool(member) and _may_be_property(view.dialect, name, member)
        for name, member in view.value.items()
    )


def _bare_properties(view: View) -> tuple[str, ...]:
    schema, dialect = view.value, view.dialect
    if not isinstance(schema, dict) or dialect is None:
        return ()
    names = tuple(
        name
        for name in schema
        if not (name == "$schema" and isinstance(schema[name], str | None))
        and not (name == "required" and _names_of(schema, schema[name]))
    )
    return names if all(_may_be_property(dialect, name, schema[name]) for name in names) else ()


def _names_of(schema: dict[str, Any], required: Any) -> bool:
    return isinstance(required, list) and all(isinstance(name, str) and name in schema for name in required)


def _may_be_property(dialect: Dialect | None, name: str, value: Any) -> bool:
    if not isinstance(value, dict) or dialect is None:
        return False
    keyword = dialect.keywords.get(name)
    if keyword is not None and has_form(value, keyword.form):
        return False
    return not value or not dialect.keywords.keys().isdisjoint(value)
