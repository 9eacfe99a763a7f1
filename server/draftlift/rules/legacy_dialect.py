"""A schema declares an older JSON Schema dialect.

## What it finds
A `$schema` at the root of a tool's schema that names draft-04, -06, -07 (or 2019-09, as information).

## Why it matters
MCP lets a schema declare any dialect and asks clients to support only one: 2020-12. Some clients built since summer
2026 refuse a tool whose schema declares another, `outputSchema` first, and may refuse the whole list. Most generators
still write draft-07. In nearly all tool schemas the URI is the only thing that has to change.

## Example
```json
{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
```

## Instead
```json
{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
```

## When no fix is offered
Where no translation keeps every verdict; `translation-refused` then names each place that stands in the way.

## References
MCP 2025-11-25 and 2026-07-28, basic, "JSON Schema Usage"; SEP-1613.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import IGNORED, Repair, Report, Rule, Translation, View, translation
from draftlift.schema.dialects import DRAFT_2019_09


def check(view: View) -> Iterator[Report]:
    """Report the declaration, with the translation where there is one."""
    if not view.legacy or view.dialect is None:
        return
    name = view.dialect.name
    repairs = translation(view)
    inert = [pointer for pointer, reason, _ in view.refusals if reason in IGNORED]
    if view.translates:
        way_out = "Translate it to 2020-12; what passes today will pass then."
    elif view.withheld is not None:
        way_out = f"It could be translated, but draftlift cannot edit this text: {view.withheld}."
    elif not view.refusals:
        way_out = "It can be translated once its text is whole."
    else:
        way_out = "draftlift leaves it alone, and says at each place why."
        if inert and len(inert) == len(view.refusals):
            places = "1 place" if len(inert) == 1 else f"{len(inert)} places"
            title = f"Translate this schema to 2020-12, removing what {name} ignores ({places})"
            repairs = (Repair(title, Translation("remove")),)
    yield Report(
        ("$schema",),
        "value",
        f"{view.subject}: `{view.site.field}` declares {name}, and some clients refuse every dialect but 2020-12. "
        f"{way_out}",
        repairs,
        severity="information" if view.dialect is DRAFT_2019_09 else None,
    )


RULE = Rule("legacy-dialect", "warning", __doc__, check_schema=check, presence=True, dialect_rule=True)
