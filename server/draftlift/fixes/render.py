"""New text for new values, in the style of the text around it. Only ``edits`` uses it; existing text is never re-rendered."""

from __future__ import annotations

import json
import re
from typing import Any

from draftlift.syntax.tree import Language, Style

# What needs no quotes in YAML, in block and flow context and for 1.1 readers alike. Narrow on purpose.
_PLAIN = re.compile(r"[A-Za-z$/_][A-Za-z0-9$/_.+-]*(?::[A-Za-z0-9$/_.+-]+)*\Z")
_NOT_PLAIN = frozenset(
    word
    for base in ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
    for word in (base, base.title(), base.upper())
)


def scalar(value: Any, language: Language, style: Style = "") -> str:
    """One scalar; a string keeps the quotes of ``style`` where they can hold it."""
    if not isinstance(value, str) or language == "json":
        return json.dumps(value, ensure_ascii=False)
    if style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if style not in ('"', "'") and _PLAIN.match(value) and value not in _NOT_PLAIN:
        return value
    return json.dumps(value, ensure_ascii=False)


def flow(value: Any, language: Language, *, compact: bool = False) -> str:
    """A value on one line."""
    comma, colon = (",", ":") if compact and language == "json" else (", ", ": ")
    if isinstance(value, dict):
        return (
            "{"
            + comma.join(scalar(k, language) + colon + flow(v, language, compact=compact) for k, v in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + comma.join(flow(item, language, compact=compact) for item in value) + "]"
    return scalar(value, language)


def pretty_json(value: Any, indent: str, unit: str, newline: str) -> str:
    """A JSON value over several lines, its closing bracket at ``indent``."""
    if not isinstance(value, (dict, list)) or not value:
        return flow(value, "json")
    inner = indent + unit
    if isinstance(value, dict):
        parts = [f"{scalar(k, 'json')}: {pretty_json(v, inner, unit, newline)}" for k, v in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [pretty_json(item, inner, unit, newline) for item in value]
        opening, closing = "[", "]"
    return opening + newline + (f",{newline}").join(inner + part for part in parts) + newline + indent + closing


def block_yaml(value: Any, indent: str, newline: str) -> str:
    """What follows ``key:`` in block style: a blank and a scalar, or lines that are indented deeper than ``indent``."""
    if isinstance(value, dict) and value:
        inner = indent + "  "
        return "".join(f"{newline}{inner}{scalar(k, 'yaml')}:{block_yaml(v, inner, newline)}" for k, v in value.items())
    return " " + flow(value, "yaml")
