"""Scalars as the core schema of YAML 1.2 reads them: no dates, no sexagesimals, no ``on`` and ``off``."""

from __future__ import annotations

import re
from typing import Any

from draftlift.syntax.number import MAX_INT_DIGITS, read_number
from draftlift.syntax.tree import Kind, Style

_match_decimal = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z").match
_match_octal_or_hex = re.compile(r"0(?:o[0-7]+|x[0-9a-fA-F]+)\Z").match
_NUMBER_START = frozenset("-+.0123456789")
_WORDS: dict[str, tuple[Kind, Any]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), ("null", None)),
    **dict.fromkeys(("true", "True", "TRUE"), ("boolean", True)),
    **dict.fromkeys(("false", "False", "FALSE"), ("boolean", False)),
    **dict.fromkeys((sign + word for sign in ("", "+") for word in (".inf", ".Inf", ".INF")), ("number", float("inf"))),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), ("number", float("-inf"))),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), ("number", float("nan"))),
}
_KIND_OF_TAG: dict[str, Kind] = {
    "tag:yaml.org,2002:null": "null",
    "tag:yaml.org,2002:bool": "boolean",
    "tag:yaml.org,2002:int": "number",
    "tag:yaml.org,2002:float": "number",
}
_STRING_TAGS = ("!", "tag:yaml.org,2002:str")
_COLLECTION_TAGS: dict[Kind, tuple[str | None, ...]] = {
    "object": (None, "", "!", "tag:yaml.org,2002:map"),
    "array": (None, "", "!", "tag:yaml.org,2002:seq"),
}


def read_plain(value: str) -> tuple[Kind, Any]:
    """What the core schema makes of a plain scalar; ``missing`` where a number is beyond all bounds."""
    if found := _WORDS.get(value):
        return found
    if value[0] in _NUMBER_START:
        if _match_decimal(value):
            number = read_number(value)
            return ("missing" if number is None else "number"), number
        if len(value) <= MAX_INT_DIGITS and _match_octal_or_hex(value):
            return "number", int(value, 0)
    return "string", value


def read_scalar(value: str, style: Style, tag: str | None) -> tuple[Kind, Any]:
    """What a scalar is with regard to its tag; with one that is not of the core schema, or that it cannot bear, unknown."""
    if not tag:
        return ("string", value) if style else read_plain(value)
    if tag in _STRING_TAGS:
        return "string", value
    kind, plain = read_plain(value)
    return (kind, plain) if kind == _KIND_OF_TAG.get(tag) else ("unknown", value)


def kind_of_collection(kind: Kind, tag: str | None) -> Kind:
    """What a mapping (``object``) or a sequence (``array``) is with regard to its tag."""
    return kind if tag in _COLLECTION_TAGS[kind] else "unknown"
