"""A reference leads nowhere.

## What it finds
A `$ref` into the same schema where nothing is: a wrong pointer, a name that no anchor has, or a place that holds no
schema.

## Why it matters
A validator fails when it gets there, often only for some arguments, and model providers refuse the tool.

## Example
```json
{"properties": {"s": {"$ref": "#/$defs/Screen"}}, "$defs": {"Page": {"type": "string"}}}
```

## Instead
```json
{"properties": {"s": {"$ref": "#/$defs/Page"}}, "$defs": {"Page": {"type": "string"}}}
```

## When no fix is offered
Never is one: what was meant is the author's to say. A tool's schema is a document of its own, so `#` is its root, not
the root of the file; where the file has something at that place, the message says so.

## References
MCP 2026-07-28, basic, "JSON Schema Usage": unresolved references should be rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from draftlift.rules.base import Report, Rule, View, references
from draftlift.schema.survey import Reference, value_at
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import member, resolve
from draftlift.syntax.unknown import Unknown, holds_unknown


def check(view: View) -> Iterator[Report]:
    """Report dangling references at their values."""
    for reference in references(view, "dangling"):
        if _may_be_there(view, reference):
            continue
        if _is_in_file(view, reference):
            why = (
                "It is there at the root of the file, but `#` is the root of this schema, which clients get without the "
                "file. Copy what it means into this schema."
            )
        else:
            why = "`#` is the root of this schema, not of the file."
        yield Report(
            reference.pointer,
            "value",
            f"{view.subject}: `{reference.text}` leads nowhere in this schema, so validation fails where it is used. {why}",
        )


def leads_into_file(view: View, pointer: Pointer) -> bool:
    """Whether the reference at a pointer leads nowhere in the schema, but somewhere from the root of its file."""
    return any(
        reference.pointer == pointer and _is_in_file(view, reference) for reference in references(view, "dangling")
    )


def _may_be_there(view: View, reference: Reference) -> bool:
    """Whether a reference leads into something that nobody can tell, or to a name that may be given in there."""
    fragment = unquote(reference.text.partition("#")[2])
    if not fragment.startswith("/"):
        found: bool = view.recall("holds unknown", lambda: holds_unknown(view.value))
        return found
    value = value_at(view.value, reference.resource)
    for token in fragment[1:].split("/"):
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isascii() and name.isdigit() and len(name) < 9 and int(name) < len(value):
            value = value[int(name)]
        else:
            break
    return isinstance(value, Unknown)


def _is_in_file(view: View, reference: Reference) -> bool:
    uri, _, fragment = reference.text.partition("#")
    if uri or not fragment.startswith("/") or view.file is None:
        return False
    node = resolve(view.file)
    for token in unquote(fragment)[1:].split("/"):
        name = token.replace("~1", "/").replace("~0", "~")
        found = member(node, name) if node.kind == "object" else None  # through no list: that may be of tools
        if found is None:
            return False
        node = resolve(found)
    return node.kind == "object"


RULE = Rule("unresolved-ref", "error", __doc__, check_schema=check)
