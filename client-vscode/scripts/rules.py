"""Write the rules' settings of package.json as the server knows them; a test holds the two equal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from draftlift.rules import RULES
from draftlift.rules.base import Severity

PACKAGE = Path(__file__).resolve().parent.parent / "package.json"


def settings() -> dict[str, Any]:
    """The settings ``rules.ignore`` and ``rules.severity``, as package.json declares settings."""
    titles = {rule.id: rule.title for rule in RULES.values()}
    return {
        "draftlift.rules.ignore": {
            "order": 1,
            "type": "array",
            "items": {"type": "string", "enum": list(titles), "markdownEnumDescriptions": list(titles.values())},
            "uniqueItems": True,
            "default": [],
            "scope": "resource",
            "markdownDescription": "Rules that are not reported.",
        },
        "draftlift.rules.severity": {
            "order": 2,
            "type": "object",
            "properties": {
                rule.id: {
                    "type": "string",
                    "enum": [*get_args(Severity), "off"],
                    "markdownDescription": titles[rule.id],
                }
                for rule in RULES.values()
            },
            "additionalProperties": False,
            "default": {},
            "scope": "resource",
            "markdownDescription": "Another severity than its own for a rule, by the rule's id; `off` is the same as to ignore it.",
        },
    }


def main() -> None:
    """Rewrite package.json in place, in the layout npm gives it."""
    package = json.loads(PACKAGE.read_text("utf-8"))
    package["contributes"]["configuration"]["properties"] |= settings()
    PACKAGE.write_text(json.dumps(package, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
