"""What ``jsonschema`` says of instances, without ever fetching anything."""

from __future__ import annotations

from functools import cache
from typing import Any

import referencing
from jsonschema import validators
from jsonschema_specifications import REGISTRY
from referencing.jsonschema import DRAFT202012

from draftlift.schema.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from suite.official import remotes

_VALIDATORS: dict[str, Any] = {
    DRAFT_04.name: validators.Draft4Validator,
    DRAFT_06.name: validators.Draft6Validator,
    DRAFT_07.name: validators.Draft7Validator,
    DRAFT_2019_09.name: validators.Draft201909Validator,
    DRAFT_2020_12.name: validators.Draft202012Validator,
}


@cache
def _registry() -> Any:
    documents = ((uri, DRAFT202012.detect(document).create_resource(document)) for uri, document in remotes().items())
    return REGISTRY.with_resources(documents)


def verdicts(schema: Any, dialect: Dialect, instances: tuple[Any, ...], *, remote: bool = False) -> list[bool | str]:
    """True, False, or the kind of failure, for each instance."""
    registry = _registry() if remote else referencing.Registry()
    validator = _VALIDATORS[dialect.name](schema, registry=registry)
    found: list[bool | str] = []
    for instance in instances:
        try:
            found.append(validator.is_valid(instance))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as problem:  # rpds panics, with no Exception, where a recursion ends inside of it
            found.append(type(problem).__name__ if isinstance(problem, Exception) else RecursionError.__name__)
    return found


def is_valid_schema(schema: Any, dialect: Dialect) -> bool:
    """Whether a schema meets its dialect's metaschema."""
    cls = _VALIDATORS[dialect.name]
    return bool(cls(cls.META_SCHEMA).is_valid(schema))
