"""Which language a text is in: by the end of its name, else by how it begins."""

from __future__ import annotations

import re

from draftlift.syntax.tree import Language

_OF_ENDING: dict[str, Language] = {".json": "json", ".jsonc": "json", ".yaml": "yaml", ".yml": "yaml"}
_begins_json = re.compile(r"\ufeff?\s*(?:[\[{]|//|/\*)").match


def language_of_name(name: str) -> Language | None:
    """The language of a file by the end of its name, in whatever case; None where it is none of ours."""
    return _OF_ENDING.get(name[name.rfind(".") :].lower()) if "." in name else None


def language_of_text(text: str) -> Language | None:
    """JSON where the text begins with a brace, a bracket or a comment of JSONC; None where that does not tell."""
    return "json" if _begins_json(text) else None
