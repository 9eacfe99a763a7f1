"""The user's settings, as any client sends them, to the core's ``Settings``. Never raises; complains in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from draftlift.analysis import Settings
from draftlift.rules import RULES
from draftlift.rules.base import Severity

_PREFIX = "draftlift."
_IGNORE = "rules.ignore"
_SEVERITY = "rules.severity"
_SEVERITIES = frozenset((*get_args(Severity), "off"))
# What the editor's side of the extension reads; it reaches us with the rest of the section.
_OF_THE_EDITOR = ("path", "interpreter", "args", "cwd", "importStrategy", "showNotifications", "trace", "enable")


def section_of(raw: Any, *, ours: bool = False) -> dict[str, Any] | None:
    """The part of a client's settings that is meant for draftlift; None where nothing is.

    Clients send the section itself, an object of all sections, or dotted names. ``ours`` says that whatever comes is
    the section, if it is not an object of sections.
    """
    if not isinstance(raw, dict):
        return None
    if "draftlift" in raw:
        found = raw["draftlift"]
        return found if isinstance(found, dict) else None
    dotted = {key[len(_PREFIX) :]: value for key, value in raw.items() if key.startswith(_PREFIX)}
    if dotted:
        return dotted
    return raw if ours or any(key == "rules" or key.startswith("rules.") for key in raw) else None


def read_settings(section: dict[str, Any]) -> tuple[Settings, list[str]]:
    """The settings of a section, and what is wrong with it, one sentence each."""
    ignore: set[str] = set()
    severities: dict[str, Severity] = {}
    problems: list[str] = []
    for name, value in _flat(section):
        if name == _IGNORE:
            ignore.update(_ignored(value, problems))
        elif name == _SEVERITY:
            for rule, severity in _severities(value, problems):
                if severity == "off":
                    ignore.add(rule)
                else:
                    severities[rule] = severity
        elif name.split(".")[0] not in _OF_THE_EDITOR:
            problems.append(f"unknown setting draftlift.{name}")
    return Settings(frozenset(ignore), severities), problems


def _flat(section: dict[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, value in section.items():
        name = prefix + str(key)
        if isinstance(value, dict) and name != _SEVERITY and depth < 3:
            yield from _flat(value, name + ".", depth + 1)
        else:
            yield name, value


def _ignored(value: Any, problems: list[str]) -> Iterator[str]:
    if value is None:
        return
    if not isinstance(value, list | tuple):
        problems.append(f"draftlift.{_IGNORE} is a list of rule ids")
        return
    for rule in value:
        if _is_rule(rule, problems):
            yield rule


def _severities(value: Any, problems: list[str]) -> Iterator[tuple[str, Any]]:
    if value is None:
        return
    if not isinstance(value, dict):
        problems.append(f"draftlift.{_SEVERITY} is an object from rule ids to severities")
        return
    for rule, severity in value.items():
        if not _is_rule(rule, problems):
            continue
        if isinstance(severity, str) and severity in _SEVERITIES:
            yield rule, severity
        else:
            problems.append(f"the severity of {rule} is one of {', '.join(sorted(_SEVERITIES))}")


def _is_rule(rule: object, problems: list[str]) -> bool:
    if isinstance(rule, str) and rule in RULES:
        return True
    problems.append(f"unknown rule {rule!r}")
    return False
