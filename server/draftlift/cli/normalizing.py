"""``draftlift normalize``: schemas in, schemas out, with every digit of every number as it was written."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from draftlift import gc_pause
from draftlift.cli.files import CannotRunError
from draftlift.fixes.model import Change, Proposal, Withheld
from draftlift.fixes.proving import Gate
from draftlift.normalize import Inert, Result, normalize
from draftlift.syntax import read
from draftlift.syntax.tree import Language, NotJsonError, resolve, to_value, walk
from draftlift.text import LineIndex, apply_edits

_log = logging.getLogger(__name__)


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
    """Answer each line that holds a JSON schema with one line of JSON; a line that holds none with an error.

    No line ends the stream: one that draftlift itself fails at is answered with an error too.
    """
    out = sys.stdout.buffer
    with (
        gc_pause.paused()
    ):  # a schema and its survey hold no cycles, and the collector would look at them over and over
        for line in source:
            text = line.strip()
            if text:
                out.write(_answer_to(text, inert) + b"\n")
                out.flush()
    return 0


def _answer_to(line: bytes, inert: Inert) -> bytes:
    try:
        return _answer(line, inert).encode("utf-8", "surrogatepass")
    except Exception as problem:
        _log.exception("a line could not be answered")
        return _error(f"draftlift failed at this line: {type(problem).__name__}: {problem}").encode()


class _InexactError(ValueError):
    """A number that Python would write in another way than it was read."""


def _exact_float(lexeme: str) -> float:
    value = float(lexeme)
    if repr(value) != lexeme:
        raise _InexactError
    return value


def _exact_int(lexeme: str) -> int:
    if lexeme == "-0":
        raise _InexactError
    return int(lexeme)


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    if len(value) != len(members):
        raise ValueError  # a key twice, which is told by where it stands
    return value


def _no_number(lexeme: str) -> NoReturn:
    raise ValueError(lexeme)  # NaN and the infinities


_decode = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_exact_float, parse_int=_exact_int, parse_constant=_no_number
).decode
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
        if _has_key_twice(text):
            return _error("an object of the line has a key twice, of which most readers drop one")
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


def _has_key_twice(text: str) -> bool:
    return any(
        node.kind == "object" and len({child.key for child in node.value}) < len(node.value)
        for root in read(text, "json").documents
        if root is not None
        for node in walk(root)
    )


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
