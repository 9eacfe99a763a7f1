"""Sample values judged by the old dialect and by the new one. Only ``worker`` calls this: it may take for ever.

Invariant: nothing is fetched, since the validators get an empty registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import referencing
from jsonschema import validators

from draftlift.judge.outcome import Agreement
from draftlift.judge.samples import samples

_CLASSES = {
    "draft-04": validators.Draft4Validator,
    "draft-06": validators.Draft6Validator,
    "draft-07": validators.Draft7Validator,
    "2019-09": validators.Draft201909Validator,
    "2020-12": validators.Draft202012Validator,
}
_ENDLESS, _FAILED = "endless", "failed"


def compare(schema: dict[str, Any], translated: Any, dialect: str) -> Iterator[Agreement]:
    """The agreement so far, after each sample value that could be judged. ``dialect`` is the name of the schema's own."""
    registry: Any = referencing.Registry()
    before = _CLASSES[dialect](schema, registry=registry)
    after = _CLASSES["2020-12"](translated, registry=registry)
    passed = failed = differing = 0
    for value in samples(schema):
        old, new = _verdict(before, value), _verdict(after, value)
        if not isinstance(old, bool) or new == _ENDLESS:
            continue
        if new is not old:
            differing += 1
        elif old:
            passed += 1
        else:
            failed += 1
        yield Agreement(passed, failed, differing)


def _verdict(validator: Any, value: Any) -> bool | str:
    """True or False, or the word for why there is none."""
    try:
        return bool(validator.is_valid(value))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:
        # A recursion may come to its end inside of rpds, whose panic is no Exception.
        return _FAILED if isinstance(problem, Exception) and not isinstance(problem, RecursionError) else _ENDLESS
