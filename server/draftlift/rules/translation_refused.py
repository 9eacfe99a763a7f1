"""A place stands in the way of a faithful translation.

## What it finds
Each place of a schema in an older dialect whose translation to 2020-12 would change which values pass, or whose meaning
cannot be told.

## Why it matters
draftlift translates a schema whole or not at all, and never guesses. As long as one such place is there the schema
stays as it is, and clients that know only 2020-12 go on refusing it.

## Example
```json
{"$schema": "http://json-schema.org/draft-07/schema#",
 "properties": {"x": {"$ref": "#/definitions/S", "minLength": 5}}}
```

## Instead
Decide at the place: each reason has a page that says what would free the schema (`draftlift explain ref-sibling`).

## When no fix is offered
Where only the author can know what was meant. Removing what the old draft ignores keeps every verdict; letting it count
changes some, so editors ask first, and `draftlift fix` does neither unless told `--inert remove`.

## References
The pages of the reasons.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.change.operations import RemoveMember
from draftlift.rules.base import IGNORED, Repair, Report, Rule, Translation, View
from draftlift.rules.old_construct import declare, fits
from draftlift.schema.dialects import DRAFT_2020_12, has_form
from draftlift.schema.survey import value_at
from draftlift.syntax.pointer import Pointer


def resolutions(view: View, pointer: Pointer) -> tuple[Repair, ...]:
    """The ways out at a keyword that the declared dialect ignores: remove it, or let it count."""
    name = view.dialect.name if view.dialect is not None else ""
    keyword = str(pointer[-1])
    repairs = [Repair(f"Remove `{keyword}`, which {name} ignores", (RemoveMember(pointer),))]
    inert = view.recall("countable", lambda: _countable(view))
    if inert:
        what = (
            f"Keep `{keyword}` and let it count"
            if len(inert) == 1
            else f"Keep all {len(inert)} ignored keywords and let them count"
        )
        repairs.append(
            Repair(f"{what}: translates the schema to 2020-12", Translation(counting=inert), asks_first=True)
        )
    if view.recall("wrong stamp", lambda: _is_stamped_wrong(view)):
        repairs.append(
            Repair("Declare 2020-12: only the declaration is wrong", (declare(view, DRAFT_2020_12),), asks_first=True)
        )
    return tuple(repairs)


def _is_stamped_wrong(view: View) -> bool:
    """Whether the schema is as well one in 2020-12, with newer keywords than the declared dialect and no older ones."""
    reasons = {reason for _, reason, _ in view.refusals}
    return "inert-keyword" in reasons and reasons.issubset(IGNORED) and fits(view, DRAFT_2020_12)


def _countable(view: View) -> frozenset[Pointer]:
    """All places that stand in the way, if each of them may come alive; none if one may not."""
    inert = frozenset(place for place, reason, _ in view.refusals if reason in IGNORED)
    every = len(inert) == len(view.refusals) and all(_can_count(view, place) for place in inert)
    return inert if every else frozenset()


def _can_count(view: View, pointer: Pointer) -> bool:
    """Whether a keyword may come alive as it stands: one that 2020-12 knows in this form, without subschemas."""
    keyword = DRAFT_2020_12.keywords.get(str(pointer[-1]))
    return (
        keyword is not None
        and keyword.role not in ("identifier", "annotation")
        and keyword.applicator is None
        and has_form(value_at(view.value, pointer), keyword.form)
    )


def ignored_keywords(view: View, reason: str, sentence: str) -> Iterator[Report]:
    """Report each keyword that the declared dialect ignores, refused for ``reason``, with the ways out.

    ``sentence`` says so, with the fields ``{dialect}`` and ``{keyword}``.
    """
    for pointer, why, _ in view.refusals:
        if why == reason and view.dialect is not None:
            shown = pointer[-2:] if pointer[-2:-1] == ("$defs",) else pointer[-1:]
            said = sentence.format(dialect=view.dialect.name, keyword="/".join(map(str, shown)))
            yield Report(
                pointer,
                "key",
                f"{view.subject}: {said} Remove it, or say that it shall count.{_or_else(view)}",
                resolutions(view, pointer),
                tags=("unnecessary",),
            )


def _or_else(view: View) -> str:
    is_stamped_wrong = view.recall("wrong stamp", lambda: _is_stamped_wrong(view))
    return " If the schema was written in 2020-12, declare that." if is_stamped_wrong else ""


def check(view: View) -> Iterator[Report]:
    """Report every refusal at its key."""
    for pointer, reason, message in view.refusals:
        yield Report(
            pointer,
            "key",
            f"{view.subject}: `{view.site.field}` is not translated because of this place. {message} "
            f"(`draftlift explain {reason}`)",
            resolutions(view, pointer) if reason in IGNORED else (),
        )


RULE = Rule("translation-refused", "information", __doc__, check_schema=check, dialect_rule=True)
