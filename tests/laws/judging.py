"""A translation held against its source: by validators, by draftlift's own laws, and through text."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import referencing
from jsonschema import validators

from draftlift.analysis import analyse
from draftlift.normalize import Inert, Result, normalize
from draftlift.schema.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from draftlift.syntax import read
from draftlift.syntax.tree import to_value
from draftlift.text import apply_edits
from laws.renderings import RENDERINGS

MODES: tuple[Inert, ...] = ("refuse", "remove")
Verdicts = Mapping[str, str]
"""Judge -> a letter for each instance: ``t`` valid, ``f`` invalid, ``e`` no verdict, as of a reference to nowhere."""

_NOTHING: Any = referencing.Registry()
_PYTHON: dict[str, Any] = {
    DRAFT_04.name: validators.Draft4Validator,
    DRAFT_06.name: validators.Draft6Validator,
    DRAFT_07.name: validators.Draft7Validator,
    DRAFT_2019_09.name: validators.Draft201909Validator,
    DRAFT_2020_12.name: validators.Draft202012Validator,
}
_RUST: dict[str, Any] = {
    DRAFT_04.name: jsonschema_rs.Draft4Validator,
    DRAFT_06.name: jsonschema_rs.Draft6Validator,
    DRAFT_07.name: jsonschema_rs.Draft7Validator,
    DRAFT_2019_09.name: jsonschema_rs.Draft201909Validator,
    DRAFT_2020_12.name: jsonschema_rs.Draft202012Validator,
}


def python_verdicts(schema: Any, dialect: Dialect, instances: list[Any]) -> dict[str, str]:
    """What ``jsonschema`` and ``jsonschema-rs`` say; nothing is ever fetched."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(500)  # recursion without end ends soon
    try:
        by_jsonschema = _letters(lambda: _Thorough(_PYTHON[dialect.name](schema, registry=_NOTHING)), instances)
    finally:
        sys.setrecursionlimit(usual)
    return {
        "jsonschema": by_jsonschema,
        "jsonschema-rs": _letters(
            lambda: _RUST[dialect.name](schema, retriever=_fetch_nothing, validate_formats=False), instances
        ),
    }


class _Thorough:
    """Looks at all keywords of the root, in whatever order, so that the first error does not hide a lost reference."""

    def __init__(self, validator: Any) -> None:
        self._validator = validator

    def is_valid(self, instance: Any) -> bool:
        return not list(self._validator.iter_errors(instance))


def is_valid_schema(schema: Any, dialect: Dialect) -> bool:
    """Whether a schema meets its dialect's metaschema."""
    return bool(_METASCHEMAS[dialect.name].is_valid(schema))


def _fetch_nothing(uri: str) -> Any:
    raise LookupError(uri)


_METASCHEMAS = {
    name: _RUST[name](_PYTHON[name].META_SCHEMA, retriever=_fetch_nothing, validate_formats=False) for name in _RUST
}


def _letters(make: Any, instances: list[Any]) -> str:
    validator = _guarded(make)
    if isinstance(validator, str):
        return "e" * len(instances)
    answers = [_guarded(lambda value=instance: validator.is_valid(value)) for instance in instances]
    return "".join(answer if isinstance(answer, str) else "ft"[answer] for answer in answers)


def _guarded(call: Any) -> Any:
    try:
        return call()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # rpds and jsonschema-rs panic with no Exception
        return "e"


def changes(before: Verdicts, after: Verdicts, instances: list[Any]) -> Iterator[tuple[int, str, list[str]]]:
    """Each instance on which a judge changes that is of the majority's mind about the source.

    Yields the instance's index, the majority's letter and the judges that change. Where no letter has most judges, the
    source has no verdict to keep; nor where some fail and some do not, as those do that resolve what nobody asks for.
    """
    for index in range(len(instances)):
        letters = Counter(verdicts[index] for verdicts in before.values()).most_common(2)
        letter, count = letters[0]
        if count < 2 or (len(letters) > 1 and (letter == "e" or letters[1][1] == count)):
            continue
        changed = [name for name in before if before[name][index] == letter and after[name][index] != letter]
        if changed:
            yield index, letter, changed


def same(left: Any, right: Any) -> bool:
    """Equality as JSON has it: 1 is 1.0, but true is not 1."""
    return bool(left == right) and json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def broken_laws(schema: dict[str, Any], dialect: Dialect, inert: Inert) -> Iterator[str]:
    """What draftlift promises of every translation, and does not keep here."""
    before = json.dumps(schema)
    result = normalize(schema, inert=inert)
    if json.dumps(schema) != before:
        yield "the input was changed"
    if not result.changed:
        if result.operations or result.schema is not schema:
            yield "something changed without a translation"
        return
    if normalize(result.schema, inert=inert).status != "unchanged":
        yield "the translation would be translated again"
    if is_valid_schema(schema, dialect) and not is_valid_schema(result.schema, DRAFT_2020_12):
        yield "a valid schema became an invalid one"


def broken_text(result: Result, schema: dict[str, Any], inert: Inert, rendering: str) -> Iterator[str]:
    """How the translation of a tool's text differs from that of the schema's value."""
    language, render = RENDERINGS[rendering]
    text = render({"name": "t", "inputSchema": schema})
    analysis = analyse(text, language)
    edited = apply_edits(text, analysis.fix_all(inert))
    if not result.changed:
        if edited != text:
            yield "the text changed without a translation"
        return
    if edited == text:
        yield "the text cannot be edited"
        return
    tree = read(edited, language)
    root = tree.documents[0] if tree.documents else None
    if tree.problems or root is None:
        yield "the edited text is broken"
        return
    if not same(to_value(root), {"name": "t", "inputSchema": result.schema}):
        yield "the edited text says something else"
    again = analyse(edited, language)
    if again.fix_all(inert):
        yield "the edited text would be edited again"
    before = {finding.rule for finding in analysis.findings if finding.severity == "error"}
    after = {finding.rule for finding in again.findings if finding.severity == "error"}
    for rule in sorted(after - before):
        yield f"the edited text has a new error: {rule}"
