"""What is known of one text, as both front ends see it. All of it is frozen; what is worked out late is worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from draftlift.analysis.schemas import Schema
from draftlift.fixes.anchors import SharedAnchor
from draftlift.fixes.model import Fix, Proposal
from draftlift.fixes.proving import Gate
from draftlift.normalize import Inert
from draftlift.rules.base import LATEST, Repair, Revision, Severity, Tag, Token, Translation
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Tree
from draftlift.text import Edit, Span

_REMOVING = Repair("Translate this schema to 2020-12", Translation("remove"))


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set about rules.

    ``ignore`` are the ids of those that do not run, ``severities`` those that differ from the rules' own, ``target`` is
    the revision of MCP that tools are written for.
    """

    ignore: frozenset[str] = frozenset()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    target: Revision = LATEST


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to tell the author.

    ``pointer`` leads from the root of document number ``document``; ``span`` covers the token, within one line.
    ``proposals`` are the ways out, of which ``Analysis.fixes`` makes fixes.
    """

    rule: str
    severity: Severity
    message: str
    tool: str | None
    document: int
    pointer: Pointer
    token: Token
    span: Span
    tags: tuple[Tag, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    related: tuple[tuple[Span, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """All that was found in one text. ``tools`` counts the tools and requests; findings are in text order."""

    tree: Tree
    schemas: tuple[Schema, ...]
    findings: tuple[Finding, ...]
    tools: int
    shared: tuple[SharedAnchor, ...]
    gate: Gate

    def schema_at(self, offset: int) -> Schema | None:
        """The schema that an offset of the text lies in, key and closing bracket included; None outside of all."""
        found = None
        for schema in self.schemas:
            node = schema.site.node
            if node is not None and (node.key_start if node.key_start >= 0 else node.start) <= offset <= node.end:
                found = schema  # an inner one comes after the outer
        return found

    def fixes(self, findings: Iterable[Finding]) -> list[tuple[Fix, ...]]:
        """The fixes of each finding: its proposals that could be proved on the text. Asked of many at once it costs less."""
        wanted = list(findings)
        proved = iter(self.gate.prove(proposal for finding in wanted for proposal in finding.proposals))
        return [tuple(fix for _ in finding.proposals if isinstance(fix := next(proved), Fix)) for finding in wanted]

    def fix_all(self, inert: Inert = "refuse") -> tuple[Edit, ...]:
        """The edits of every translation that keeps all verdicts, proved on the text."""
        chosen = []
        for schema in self.schemas:
            proposal = schema.proposal
            if proposal is None and inert == "remove":
                proposal = schema.propose(_REMOVING)
            if proposal is not None:
                chosen.append(proposal)
        together = self.gate.prove_together(chosen)
        return together.edits if isinstance(together, Fix) else ()


class StoppedError(Exception):
    """An analysis was given up, since nobody needs it any more."""
