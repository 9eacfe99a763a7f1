"""``draftlift normalize``: schemas in, schemas out, with every digit of every number as it was written."""

from __future__ import annotations

import gc
import json
import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from draftlift.cli.files import CannotRunError
from draftlift.fixes.model import Change, Proposal, Withheld
from draftlift.fixes.proving import Gate
from draftlift.normalize import Inert, Result, normalize
from draftlift.syntax import read
from draftlift.syntax.tree import Language, NotJsonError, resolve, to_value
from draftlift.text import LineIndex, apply_edits


def one(text: str, language: Language, inert: Inert) -> tuple[str, list[str]]:
    """The translated text of one schema, layout and comments kept, and why it is not translated if it is not.

    Raises CannotRunError where the text holds no schema.
    """
    new_text, result = _by_text(text, language, inert)
    if result.status == "unsupported":
        return new_text, [f"not translated: unknown dialect {result.schema['$schema']!r}"]
    return new_text, [
        f"not translated: {refusal.pointer_text or 'the root'}: {refusal.message} ({refusal.id})"
        for refusal in result.refusals
    ]


def lines(source: Iterable[bytes], inert: Inert) -> int:
    """Answer each line that holds a JSON schema with one line of JSON; a line that holds none with an error."""
    out = sys.stdout.buffer
    gc.disable()  # a schema and its survey hold no cycles, and the collector would look at them over and over
    for line in source:
        text = line.strip()
        if text:
            out.write(_answer(text, inert).encode("utf-8", "surrogatepass") + b"\n")
            out.flush()
    return 0


class _InexactError(ValueError):
    """A number that Python would write in another way than it was read."""


def _exact_float(lexeme: str) -> float:
    value = float(lexeme)
    if repr(value) != lexeme:
        raise _InexactError
    return value


def _no_number(lexeme: str) -> NoReturn:
    raise ValueError(lexeme)  # NaN and the infinities


_decode = json.JSONDecoder(parse_float=_exact_float, parse_constant=_no_number).decode
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode  # what was read holds no circle
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_MORE_THAN_JSON = re.compile(r"/|,[ \t\r\n]*[\]}]")


def _answer(line: bytes, inert: Inert) -> str:
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _error("the line is not valid UTF-8")
    try:
        result = normalize(_decode(text), inert=inert)
        new_text = _encode(result.schema) if result.changed else text
    except (ValueError, RecursionError):
        # No JSON, or JSON whose numbers or depth Python's own reader cannot carry through.
        try:
            new_text, result = _by_text(text, "json", inert)
        except CannotRunError as problem:
            return _error(str(problem))
        if _MORE_THAN_JSON.search(_STRING.sub("", text)):
            return _error("the line has comments or trailing commas, which are not JSON")
    head = {
        "status": result.status,
        "changed": result.changed,
        "skipped": result.skipped,
        "unsupported_dialect": result.unsupported_dialect,
        "reason": result.reason,
        "refusals": [
            {"id": r.id, "pointer": r.pointer_text, "keyword": r.keyword, "message": r.message} for r in result.refusals
        ],
    }
    return f'{json.dumps(head)[:-1]}, "schema": {new_text}}}'


def _error(reason: str) -> str:
    answer: dict[str, Any] = {
        "status": "error",
        "changed": False,
        "skipped": False,
        "unsupported_dialect": False,
        "reason": reason,
        "refusals": [],
        "schema": None,
    }
    return json.dumps(answer)


def _by_text(text: str, language: Language, inert: Inert) -> tuple[str, Result]:
    """Translate by editing the text, which keeps everything else of it to the byte."""
    tree = read(text, language)
    root = tree.documents[0] if len(tree.documents) == 1 else None
    if tree.problems:
        line, column = LineIndex(text).position(tree.problems[0].start, "utf-32")
        raise CannotRunError(f"not readable at line {line + 1}, column {column + 1}: {tree.problems[0].message}")
    if root is None:
        raise CannotRunError("there is no schema to read")
    try:
        result = normalize(to_value(root), inert=inert)
    except NotJsonError as problem:
        raise CannotRunError(f"the text cannot be translated: {problem}") from None
    change = Change(0, (), resolve(root), result.operations)
    (fix,) = Gate(tree).prove([Proposal("Translate", (change,), "keeps-verdicts", changes_shared=True)])
    if isinstance(fix, Withheld):
        raise CannotRunError(f"this text cannot be edited here, because {fix.reason}")
    return apply_edits(text, fix.edits), result
