"""What a tool is, wherever it was found: its place in a text, its schemas, and what others need to know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Node

SiteKind = Literal["mcp", "elicitation", "provider"]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """One place for a schema. ``node`` is what stands there, an alias unresolved, or None where it is missing.

    ``kind`` is ``mcp`` for ``inputSchema`` and ``outputSchema`` of an MCP tool, ``elicitation`` for
    ``requestedSchema``, ``provider`` for a model provider's shape, which is only looked at for a declared old dialect.
    ``pointer`` leads from the document's root to the schema, ``holder`` is the object that has it as a member.
    """

    kind: SiteKind
    field: str
    tool: str | None
    document: int
    pointer: Pointer
    node: Node | None
    holder: Node


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """One tool, or one request for an elicitation, with the places of its schemas in text order.

    ``name`` is None where it has none; ``pointer`` leads from the document's root to ``holder``, the object that is the
    tool.
    """

    kind: SiteKind
    name: str | None
    document: int
    pointer: Pointer
    holder: Node
    sites: tuple[Site, ...]
