"""Files of tools to measure with: any size, the same data as pretty JSON and as block YAML, the same on every run."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

Format = Literal["json", "yaml"]
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
SUBJECTS = ("calendar", "請求書の検索", "build log 🧱", "Größe", "pull request", "вложение", "note")
MARK = "one letter more"
"""Every tool's second property is described by a line that ends so: the place to type at."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_ ]*\Z")
_NOT_PLAIN = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


def tool(number: int) -> dict[str, Any]:
    """One tool of about 2 KB. Two in three declare draft-07; every fourth holds a construct that 2020-12 has not."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    properties: dict[str, Any] = {
        "query": {"type": "string", "minLength": 1, "description": f"What to look for in every {subject}."},
        "title": {"type": "string", "maxLength": 120, "description": f"Of the {subject}, tool {number}: {MARK}"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
        "state": {"enum": ["open", "closed", "merged", f"state {number % 9}"]},
        "since": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
        "range": {
            "type": "object",
            "properties": {"from": {"type": "number"}, "to": {"type": "number", "exclusiveMinimum": 0}},
            "required": ["from", "to"],
            "additionalProperties": False,
        },
    }
    for extra in range(number % 6):
        properties[f"option_{extra}"] = {
            "type": "array",
            "items": {"type": "string", "pattern": f"^{subject[:2]}-[a-z]+$"},
        }
    schema: dict[str, Any] = {"$schema": DRAFT_07} if number % 3 else {}
    schema |= {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}
    if number % 4 == 1:
        properties["box"] = {"type": "array", "items": [{"$ref": "#/definitions/edge"}] * 2, "additionalItems": False}
        schema["definitions"] = {"edge": {"type": "number", "description": f"An edge of {subject}"}}
        schema["dependencies"] = {"since": ["limit"]}
    about = f"Searches each {subject} that the signed-in user may see and answers with the newest first. "
    return {"name": f"find_{number}", "description": about * 2, "inputSchema": schema}


def text(size: int, format_: Format) -> str:
    """An object with ``tools`` of at least ``size`` bytes."""
    tools: list[dict[str, Any]] = []
    total = 0
    while total < size:
        tools.append(tool(len(tools)))
        total += len(_written({"tools": tools[-1:]}, format_).encode())
    return _written({"tools": tools}, format_)


def _written(value: Any, format_: Format) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n" if format_ == "json" else _yaml(value, 0)


def _yaml(value: Any, depth: int) -> str:
    """A collection as block YAML, each line with its indentation."""
    pad = "  " * depth
    lines = []
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        head = f"{pad}{_scalar(key)}:" if isinstance(value, dict) else f"{pad}-"
        if not isinstance(item, (dict, list)) or not item:
            lines.append(f"{head} {_scalar(item)}\n")
        elif isinstance(value, dict):
            lines.append(f"{head}\n{_yaml(item, depth + 1)}")
        else:
            lines.append(f"{head} {_yaml(item, depth + 1).lstrip(' ')}")
    return "".join(lines)


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.match(value) and value.lower() not in _NOT_PLAIN:
        return value
    return json.dumps(value, ensure_ascii=False)
