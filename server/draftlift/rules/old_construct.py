"""What the rules about old constructs have in common: what a construct means depends on the dialect around it.

In a schema that does not declare an older dialect all of them give one advice: the newest draft in which each old
construct of the schema is valid, and nothing else becomes invalid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from draftlift.change.operations import InsertMember, Operation, ReplaceValue
from draftlift.rules.base import Repair, Report, Severity, Translation, View, translation
from draftlift.rules.faults import faults
from draftlift.schema.dialects import LEGACY, Dialect, has_form
from draftlift.schema.survey import Place, Survey, survey
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.unknown import is_in_doubt


def of_its_time(view: View, place: Place, name: str, now: str) -> Report:
    """A construct that is right in the declared dialect: it goes with the translation of the schema."""
    assert view.dialect is not None
    ending = "the translation takes care of it." if view.translates else "the schema is not translated, see there why."
    return Report(
        (*place.pointer, name),
        "key",
        f"{view.subject}: `{name}` is of {view.dialect.name}; {now}, and {ending}",
        translation(view),
        severity="information",
        tags=("deprecated",),
    )


def invalid_in_2020_12(view: View, place: Place, name: str, why: str) -> Report:
    """A construct that makes a 2020-12 schema invalid, with the ways to say what was meant."""
    return _out_of_time(view, place, name, f"{why}. {_basis(view)}, so validators refuse the schema.", "error")


def ignored_by_2020_12(view: View, place: Place, name: str, why: str) -> Report:
    """A construct that a 2020-12 schema silently ignores, with the ways to say what was meant."""
    return _out_of_time(view, place, name, f"2020-12 ignores `{name}`; {why}. {_basis(view)}.", "warning")


def declare(view: View, dialect: Dialect) -> Operation:
    """The operation by which the schema declares a dialect: in place of whatever stands under ``$schema`` now."""
    if "$schema" in view.value:
        return ReplaceValue(("$schema",), dialect.uri)
    return InsertMember((), "$schema", dialect.uri, None)


def fits(view: View, dialect: Dialect) -> bool:
    """Whether each old construct of the schema is valid in a dialect, and nothing is invalid that is valid now."""
    if view.survey is None or not all(_is_of(dialect, name, value) for name, value in _old_constructs(view.survey)):
        return False
    known = view.recall("faults", lambda: _fault_pointers(view))
    there = survey({**view.value, "$schema": dialect.uri}, dialect)
    return there.beyond_bounds is None and all(fault.pointer in known for fault in faults(there))


def _out_of_time(view: View, place: Place, name: str, said: str, severity: Severity) -> Report:
    said_so, repairs = advice(view)
    return Report(
        (*place.pointer, name),
        "key",
        f"{view.subject}: {said} {said_so}",
        repairs,
        severity="information" if _leaves_dialect_open(view) else severity,
    )


def _basis(view: View) -> str:
    if isinstance(view.declared, str):
        return "The schema declares 2020-12"
    if _leaves_dialect_open(view):
        return f"The schema declares no dialect, which MCP {view.target} leaves open; since 2025-11-25 it means 2020-12"
    return "The schema declares no dialect, which in MCP means 2020-12"


def _leaves_dialect_open(view: View) -> bool:
    return not isinstance(view.declared, str) and view.target < "2025-11-25"


def advice(view: View) -> tuple[str, tuple[Repair, ...]]:
    """What to say about the schema's dialect, the same at each of its old constructs, and what to offer."""
    found: tuple[str, tuple[Repair, ...]] = view.recall("advice", lambda: _advice(view))
    return found


def has_old_constructs(view: View) -> bool:
    """Whether there is anything to give that advice about."""
    return view.survey is not None and any(True for _ in _old_constructs(view.survey))


def _advice(view: View) -> tuple[str, tuple[Repair, ...]]:
    dialect = next((dialect for dialect in reversed(LEGACY) if fits(view, dialect)), None)
    if dialect is None:
        return "No older draft allows all that stands in this schema, so write it in 2020-12.", ()
    declaring = Repair(f"Declare {dialect.name}", (declare(view, dialect),), asks_first=True)
    translating = Repair(
        f"Read this schema as {dialect.name} and translate it to 2020-12", Translation(assume=dialect), asks_first=True
    )
    if not view.offers(translating):
        return f"If {dialect.name} was meant, declare it.", (declaring,)
    return f"If {dialect.name} was meant, declare it or translate the schema.", (declaring, translating)


_OLD = ("items", "additionalItems", "dependencies", "exclusiveMinimum", "exclusiveMaximum", "id", "$id")
_RECURSIVE = ("$recursiveRef", "$recursiveAnchor")


def _old_constructs(found: Survey) -> Iterator[tuple[str, Any]]:
    """What the rules about old constructs report in a schema that declares none of the older dialects."""
    for place in found.places:
        schema = place.schema
        if isinstance(schema, dict) and not place.data and not place.foreign:
            for name in _OLD:
                if name in schema and _is_old(name, schema[name]):
                    yield name, schema[name]
            for name in _RECURSIVE:
                if name in schema:
                    yield name, schema[name]


def _is_old(name: str, value: Any) -> bool:
    if name == "items":
        return isinstance(value, list)
    if name in ("exclusiveMinimum", "exclusiveMaximum"):
        return isinstance(value, bool)
    if name == "$id":
        return isinstance(value, str) and "#" in value and not value.endswith("#")
    return name != "id" or isinstance(value, str)


def _is_of(dialect: Dialect, name: str, value: Any) -> bool:
    """Whether a dialect gives a keyword of this form an effect."""
    keyword = dialect.keywords.get(name)
    if (
        keyword is None
        or not (has_form(value, keyword.form) or is_in_doubt(value))
        or (name == "items" and keyword.applicator != "items")
    ):
        return False
    return keyword.role not in ("container", "annotation")


def _fault_pointers(view: View) -> set[Pointer]:
    return {fault.pointer for fault in faults(view.survey)} if view.survey is not None else set()
