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

from draftlift.rules.base import Report, Rule
from draftlift.syntax.tree import Tree
from draftlift.text import Span
from draftlift.tools.model import Site


def check(tree: Tree, _: list[Site]) -> Iterator[Report]:
    """Report every problem that the reader met."""
    if tree.language == "yaml":
        for problem in tree.problems:
            yield Report((), "position", problem.message, at=Span(problem.start, problem.end))


RULE = Rule("yaml-syntax", "error", __doc__, check_tree=check, presence=True)
