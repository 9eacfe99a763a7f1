"""What an author reads on demand: the page of a rule or reason, and the hover at a place."""

from __future__ import annotations

from draftlift.normalize import REASONS
from draftlift.rules import RULES


def page(id_: str) -> str | None:
    """The Markdown page of a rule or of a reason for a refusal; None where nothing has this id."""
    rule = RULES.get(id_)
    if rule is not None:
        title, _, body = rule.doc.strip().partition("\n")
        return f"# {rule.id}\n\n{title}\n\nSeverity: {rule.severity}\n{body}\n"
    reason = REASONS.get(id_)
    if reason is not None:
        return (
            f"# {reason.id}\n\n{reason.title}.\n\n## Why no faithful translation exists\n\n{reason.why}\n\n"
            f"## Example\n\n{reason.example}\n\n## What frees the schema\n\n{reason.frees}\n"
        )
    return None
