"""A file of tools is not valid YAML.

## What it finds
The places where the text breaks the syntax of YAML, in a file that holds tools.

## Why it matters
Clients and servers cannot read the file. draftlift reports what it can still tell, offers no fix for a tool whose text
is broken, and says nothing about what may just not be typed yet.

## Example
```yaml
name: a
inputSchema: {type: object
```

## Instead
```yaml
name: a
inputSchema: {type: object}
```

## When no fix is offered
Never is one.

## References
YAML 1.2.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.rules.base import Report, Rule, TextView
from draftlift.text import Span


def check(view: TextView) -> Iterator[Report]:
    """Report every problem that the reader met."""
    if view.tree.language == "yaml":
        for problem in view.tree.problems:
            yield Report((), "position", problem.message, at=Span(problem.start, problem.end))


RULE = Rule("yaml-syntax", "error", __doc__, check_text=check, presence=True)
