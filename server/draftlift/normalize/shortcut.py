"""The quick look: whether `$schema` is all that has to change, as in 99.6 % of real tool schemas.

One pass without pointers or places. It answers False on anything that a step could have to do with, and then the full
survey decides; a test holds that both give the same result whenever it answers True.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from draftlift.normalize.steps import STEPS
from draftlift.schema.dialects import DRAFT_2019_09, DRAFT_2020_12, FORMS, LEGACY, Dialect
from draftlift.schema.survey import MAX_DEPTH, MAX_PLACES, follow, value_at
from draftlift.schema.uri import has_scheme, join, readings

_Kind = Literal["string", "form", "schema", "schema or boolean", "list", "map", "ref", "stop"]
_Action = tuple[_Kind, Callable[[Any], bool]]

_HAVE_STEPS = STEPS.keys() - {"items", "exclusiveMinimum", "exclusiveMaximum"}
"""Keywords that end the quick look. Of the three others the steps look at a form only that ends it as well."""


def only_declares(root: dict[str, Any], dialect: Dialect) -> bool:
    """Whether a schema whose root declares ``dialect`` is the same schema in 2020-12 but for that declaration."""
    actions, boolean, hides = _ACTIONS[dialect.name], dialect.boolean_schemas, dialect.hides
    loud = _LOUD[dialect.name]
    references: set[str] = set()
    visited: set[int] = set()
    places = 0
    level: list[Any] = [root]
    for _ in range(MAX_DEPTH // 2):
        places += len(level)
        if places > MAX_PLACES:
            return False
        below: list[Any] = []
        for schema in level:
            if schema.__class__ is not dict:
                if schema.__class__ is bool and boolean:
                    continue
                return False
            visited.add(id(schema))
            if hides(schema) and not loud.isdisjoint(schema):
                return False
            for name, value in schema.items():
                action = actions.get(name)
                if action is None:
                    continue
                kind, fits = action
                if kind == "string":
                    if value.__class__ is not str:
                        return False
                elif kind == "form":
                    if not fits(value):
                        return False
                elif kind == "schema":
                    below.append(value)
                elif kind == "map":
                    if value.__class__ is not dict:
                        return False
                    below += value.values()
                elif kind == "list":
                    if value.__class__ is not list or not value:
                        return False
                    below += value
                elif kind == "ref":
                    if value.__class__ is not str:
                        return False
                    references.add(value)
                elif kind == "schema or boolean":
                    if value.__class__ is not bool:
                        below.append(value)
                elif schema is not root or not _is_plain_at_root(dialect, name, value):
                    return False
        if not below:
            break
        level = below
    else:
        return False
    own = root.get(dialect.id_keyword, "")
    base = "" if hides(root) else own
    away = [text for text in references if not text.startswith("#")]
    return (
        all(_leads_to(root, visited, text) for text in references if text.startswith("#"))
        and all(_leads_away(base, own, text) for text in away)
        and not (away and "$defs" not in dialect.keywords and _has_definitions(root))
        and not (references and (away or own) and _has_identifier_below(root, dialect.id_keyword))
    )


def _is_plain_at_root(dialect: Dialect, name: str, value: Any) -> bool:
    """Whether this is the declaration itself, or an identifier of the whole schema that 2020-12 writes the same."""
    return name == "$schema" or (
        name == dialect.id_keyword and value.__class__ is str and value != "" and "#" not in value
    )


def _leads_to(root: Any, visited: set[int], text: str) -> bool:
    """Whether a reference leads to a subschema that was looked at."""
    if text == "#":
        return True
    if not text.startswith("#/") or "%" in text:
        return False
    target = follow(root, (), text[1:])
    return target is not None and id(value_at(root, target)) in visited


def _leads_away(base: str, own: str, text: str) -> bool:
    """Whether a reference leads to a published document, and not back into this one by its identifier."""
    uri = text.partition("#")[0]
    return has_scheme(join(base, uri)) and join("", own) not in readings(own, uri)


def _has_definitions(root: Any) -> bool:
    """Whether anything looks like a `$defs`, which the dialect does not know."""
    return any("$defs" in value for value in _objects([root]))


def _objects(stack: list[Any]) -> Iterator[dict[str, Any]]:
    while stack:
        value = stack.pop()
        if value.__class__ is dict:
            yield value
            stack += value.values()
        elif value.__class__ is list:
            stack += value


def _has_identifier_below(root: Any, id_keyword: str) -> bool:
    """Whether anything below the root looks like an identifier with a URI, even in data: a reference might mean it."""
    for value in _objects([*root.values()]):
        for keyword in ("$id", id_keyword):
            identifier = value.get(keyword)
            if identifier.__class__ is str and not identifier.startswith("#"):
                return True
    return False


def _action(dialect: Dialect, name: str) -> _Action:
    old, new = dialect.keywords.get(name), DRAFT_2020_12.keywords.get(name)
    kind: _Kind = "stop"
    fits: Callable[[Any], bool] = FORMS["any"]
    if name == "$ref":
        kind = "ref"
    elif name in _HAVE_STEPS or (name == "contains" and dialect is DRAFT_2019_09):
        kind = "stop"
    elif old is None and new is not None and new.role in ("annotation", "soft") and new.applicator is None:
        kind, fits = "form", FORMS[new.form]
    elif (old is None and name != "$defs") or new is None:
        kind = "stop"
    elif name == "items":
        kind = "schema"  # an array under it is no schema, and ends the quick look
    elif old is None or old.applicator == "map":
        kind = "map"
    elif old.applicator == "schema":
        kind = "schema or boolean" if old.form == "schema or boolean" else "schema"
    elif old.applicator == "list":
        kind = "list"
    elif old.form != new.form and not _implies(old.form, new.form):
        kind = "stop"
    else:
        kind = "string" if old.form == "string" else "form"
        fits = FORMS[old.form]
    return kind, fits


def _implies(old: str, new: str) -> bool:
    """Whether what has the older form has the newer."""
    return (old, new) in (("some names", "names"), ("some distinct values", "array"))


def _table(dialect: Dialect) -> Mapping[str, _Action]:
    return {name: _action(dialect, name) for name in {**dialect.keywords, **DRAFT_2020_12.keywords}}


_ACTIONS = {dialect.name: _table(dialect) for dialect in LEGACY}
_LOUD = {
    dialect.name: {
        name
        for name, keyword in {**DRAFT_2020_12.keywords, **dialect.keywords}.items()
        if keyword.role != "annotation" and name not in ("$ref", "$schema", "definitions", dialect.id_keyword)
    }
    for dialect in LEGACY
}
"""What may not stand beside a `$ref` that hides its siblings. An identifier may: at the root it comes alive without effect
where no reference is relative, and below it ends the quick look anyway."""
