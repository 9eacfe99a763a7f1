"""An object of a tool has the same key twice.

## What it finds
A key that stands twice in one object of a tool or request.

## Why it matters
Most readers take the later value and drop the earlier without a word; some take the first; YAML readers may refuse the
file. What the author sees is not what the client gets.

## Example
```json
{"name": "search", "inputSchema": {"type": "object", "type": "string"}}
```

## Instead
Keep one of the two.

## When no fix is offered
Never is one: which of the two was meant is the author's to say.

## References
RFC 8259, section 4; YAML 1.2.2, section 3.2.1.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, TextView, subject
from draftlift.syntax.tree import Node, has_merge_key, walk
from draftlift.text import Span
from draftlift.tools.model import Site


def check(view: TextView) -> Iterator[Report]:
    """Report each later occurrence of a key, with the earlier one as related."""
    seen: set[int] = set()
    for site in view.sites:
        if id(site.holder) in seen:
            continue
        for node in walk(site.holder):
            if node.kind == "object" and id(node) not in seen:
                seen.add(id(node))
                yield from _doubles(node, site)


def _doubles(node: Node, site: Site) -> Iterator[Report]:
    if len({child.key for child in node.value}) == len(node.value):
        return
    first: dict[str, Node] = {}
    for child in node.value:
        if child.complex_key or has_merge_key(child):
            continue
        earlier = first.setdefault(child.key, child)
        if earlier is not child:
            yield Report(
                site.pointer[:-1],
                "key",
                f"{subject(site)} has the key `{child.key}` twice in one object; most readers drop the earlier value. Keep one.",
                at=Span(child.key_start, child.key_end),
                related=((Span(earlier.key_start, earlier.key_end), "The earlier one."),),
            )


RULE = Rule("duplicate-key", "warning", __doc__, check_text=check)
