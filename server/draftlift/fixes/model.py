"""What can be done about a text: proposed by whoever knows what should be, made a fix by the proof only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from draftlift.change.operations import Operation
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Node
from draftlift.text import Edit

Applicability = Literal["keeps-verdicts", "takes-decision", "changes-verdicts"]
"""What taking a fix means. ``keeps-verdicts``: the same values pass as before and nothing is decided for the author, so that
fix-all and ``draftlift fix`` apply it. ``takes-decision``: it says something that only the author can know.
``changes-verdicts``: other values pass afterwards, so that an editor asks first."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Operations on one value of a text; their pointers start at ``root``, which stands at ``pointer`` of a document."""

    document: int
    pointer: Pointer
    root: Node
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Something that could be done, not proved yet.

    ``changes_shared`` where all users of a YAML anchor want it so. ``at_anchors`` are aliases whose new scalar is written at
    their anchor, once for all of them.
    """

    title: str
    changes: tuple[Change, ...]
    applicability: Applicability
    preferred: bool = False
    changes_shared: bool = False
    at_anchors: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the text that an author can take, proved on this very text. Only ``proving`` makes one.

    ``edits`` are sorted and do not overlap. ``operations`` say the same, document by document, on pointers from the
    document's root.
    """

    title: str
    edits: tuple[Edit, ...]
    operations: tuple[tuple[int, Operation], ...]
    applicability: Applicability
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a proposal is no fix: ``reason`` ends a sentence that begins 'this text cannot be edited here, because'."""

    reason: str
