"""What the rules about old constructs have in common: what a construct means depends on the dialect around it."""

from __future__ import annotations

from draftlift.change.operations import InsertMember, Operation, ReplaceValue
from draftlift.rules.base import Repair, Report, Severity, Translation, View, translation
from draftlift.schema.dialects import Dialect
from draftlift.schema.survey import Place


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


def invalid_in_2020_12(view: View, place: Place, name: str, dialect: Dialect, why: str) -> Report:
    """A construct that makes a 2020-12 schema invalid, with the two ways to say what was meant."""
    said = f"{why}. {_basis(view)}, so validators refuse the schema."
    return _out_of_time(view, place, name, dialect, said, "error")


def ignored_by_2020_12(view: View, place: Place, name: str, dialect: Dialect, why: str) -> Report:
    """A construct that a 2020-12 schema silently ignores, with the two ways to say what was meant."""
    said = f"2020-12 ignores `{name}`; {why}. {_basis(view)}."
    return _out_of_time(view, place, name, dialect, said, "warning")


def _out_of_time(view: View, place: Place, name: str, dialect: Dialect, said: str, severity: Severity) -> Report:
    return Report(
        (*place.pointer, name),
        "key",
        f"{view.subject}: {said} If {dialect.name} was meant, declare it or translate the schema.",
        _two_offers(view, dialect),
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


def _two_offers(view: View, dialect: Dialect) -> tuple[Repair, ...]:
    declare: Operation = (
        ReplaceValue(("$schema",), dialect.uri)
        if isinstance(view.declared, str)
        else InsertMember((), "$schema", dialect.uri, None)
    )
    return (
        Repair(f"Declare {dialect.name}", (declare,), asks_first=True),
        Repair(
            f"Read this schema as {dialect.name} and translate it to 2020-12",
            Translation(assume=dialect),
            asks_first=True,
        ),
    )
