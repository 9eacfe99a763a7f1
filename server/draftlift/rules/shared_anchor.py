"""A YAML anchor is shared by users that need different text.

## What it finds
An alias whose anchor lies in a schema that a translation would change, while another user of the same anchor needs the
text as it is, or changed in another way.

## Why it matters
One text serves several schemas. Changing it for one would change it for all, so draftlift changes it for none.

## Example
```yaml
tools:
  - name: a
    inputSchema: &shared {$schema: "http://json-schema.org/draft-07/schema#", type: object}
  - name: b
    inputSchema: {type: object, default: *shared}
```

## Instead
Give each user its own text, or make all of them declare the same dialect.

## When no fix is offered
Never is one. Where all users agree about the change, the translation changes them together.

## References
YAML 1.2.2, section 7.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, TextView, subject
from draftlift.text import Span
from draftlift.tools.model import Site


def message(site: Site, anchor: str) -> str:
    """The sentence for one alias."""
    return (
        f"{subject(site)}: the text behind `*{anchor}` is shared by users that need different changes, so draftlift leaves it "
        "alone. Give each its own text."
    )


def check(view: TextView) -> Iterator[Report]:
    """Report each alias inside a schema."""
    for anchor in view.shared:
        for index, alias in anchor.aliases:
            site = view.sites[index]
            span = Span(alias.start, alias.end)
            yield Report(site.pointer, "value", message(site, anchor.name), at=span, site=site)


RULE = Rule("shared-anchor", "information", __doc__, check_text=check)
