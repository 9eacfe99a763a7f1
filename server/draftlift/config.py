"""What the user has set, as any editor sends it or the command line says it. Never raises; complains in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, get_args

from draftlift.analysis import Settings
from draftlift.files import FilePatterns, is_pattern
from draftlift.rules import RULES
from draftlift.rules.base import LATEST, Revision, Severity

_PREFIX = "draftlift."
_IGNORE = "rules.ignore"
_SEVERITY = "rules.severity"
_INCLUDE = "files.include"
_EXCLUDE = "files.exclude"
_MODE = "diagnosticMode"
_MODES = ("openFilesOnly", "workspace")
_TARGET = "targetRevision"
_NEWEST = "latest"
_ONLY_OURS = ("rules", _MODE, _TARGET)
"""Settings that no other section has, so that they tell ours."""
_SEVERITIES = frozenset((*get_args(Severity), "off"))
# What the editor's side of the extension reads; it reaches us with the rest of the section.
_OF_THE_EDITOR = ("path", "interpreter", "args", "cwd", "importStrategy", "showNotifications", "trace", "enable")


@dataclass(frozen=True, slots=True)
class Section:
    """What is set for a folder: about the rules, about which files, and whether closed files are looked at as well."""

    rules: Settings = field(default_factory=Settings)
    files: FilePatterns = field(default_factory=FilePatterns)
    whole_workspace: bool = False


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
    return raw if ours or any(key.split(".")[0] in _ONLY_OURS for key in raw) else None


def read_section(section: dict[str, Any]) -> tuple[Section, list[str]]:
    """What a section of settings says, and what is wrong with it, one sentence each."""
    ignore: set[str] = set()
    severities: dict[str, Severity] = {}
    patterns: dict[str, tuple[str, ...]] = {}
    mode = target = None
    problems: list[str] = []
    for name, value in _flat(section):
        if name == _IGNORE:
            ignore.update(known_rules(_list(name, "rule ids", value, problems), problems))
        elif name == _SEVERITY:
            for rule, severity in _severities(value, problems):
                if severity == "off":
                    ignore.add(rule)
                else:
                    severities[rule] = severity
        elif name in (_INCLUDE, _EXCLUDE):
            patterns[name] = tuple(
                pattern
                for pattern in _list(name, "patterns as in a .gitignore", value, problems)
                if _is_pattern(pattern, problems)
            )
        elif name == _MODE:
            mode = _one_of(_MODES, name, value, problems)
        elif name == _TARGET:
            target = _one_of((_NEWEST, *get_args(Revision)), name, value, problems)
        elif name.split(".")[0] not in _OF_THE_EDITOR:
            problems.append(f"unknown setting draftlift.{name}")
    rules = Settings(frozenset(ignore), severities, LATEST if target in (None, _NEWEST) else target)
    return Section(
        rules, FilePatterns(patterns.get(_INCLUDE, ()), patterns.get(_EXCLUDE, ())), mode == "workspace"
    ), problems


def known_rules(ids: Iterable[Any], problems: list[str]) -> list[str]:
    """Those of some ids that a rule has; what is wrong with the others is added to the problems."""
    return [id_ for id_ in ids if _is_rule(id_, problems)]


def _flat(section: dict[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, value in section.items():
        name = prefix + str(key)
        if isinstance(value, dict) and name != _SEVERITY and depth < 3:
            yield from _flat(value, name + ".", depth + 1)
        else:
            yield name, value


def _one_of(choices: tuple[str, ...], name: str, value: Any, problems: list[str]) -> Any:
    if value is None or value in choices:
        return value
    problems.append(f"draftlift.{name} is one of {', '.join(choices)}")
    return None


def _list(name: str, of: str, value: Any, problems: list[str]) -> list[Any]:
    if isinstance(value, list | tuple):
        return list(value)
    if value is not None:
        problems.append(f"draftlift.{name} is a list of {of}")
    return []


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
    near = get_close_matches(rule, RULES, 1) if isinstance(rule, str) else []
    hint = f"did you mean {near[0]!r}?" if near else "'draftlift rules' lists them"
    problems.append(f"no rule is called {rule!r}; {hint}")
    return False


def _is_pattern(pattern: object, problems: list[str]) -> bool:
    if isinstance(pattern, str) and is_pattern(pattern):
        return True
    problems.append(f"{pattern!r} is no pattern; write it as in a .gitignore")
    return False
