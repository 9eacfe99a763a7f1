"""How tools are written down, as data: by MCP, and by each provider of models. Read by ``find``.

Sources: schema.ts of the MCP revisions up to 2026-07-28; the request bodies of Anthropic's Messages, OpenAI's Chat
Completions and Responses, Gemini's generateContent and Bedrock's Converse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to write a tool. Paths lead from the object that ``find`` looks at.

    ``schemas`` are where its schemas may stand, ``name`` where its name does. ``says`` are members that the object must
    have, with these values; ``within`` are the keys one of which must hold the list that it is in, where there are any;
    ``unlike`` are members that only something else has.
    """

    provider: str
    schemas: tuple[tuple[str, ...], ...]
    name: tuple[str, ...] = ("name",)
    says: Mapping[str, str] = field(default_factory=dict)
    within: frozenset[str] = frozenset()
    unlike: frozenset[str] = frozenset()


MCP = Shape("mcp", (("inputSchema",), ("outputSchema",)))

_WATSONX = frozenset(("kind", "spec_version", "binding"))

PROVIDERS = (
    Shape("anthropic", (("input_schema",),), unlike=_WATSONX),
    Shape("openai-responses", (("parameters",),), says={"type": "function"}),
    Shape("openai-chat", (("function", "parameters"),), ("function", "name"), says={"type": "function"}),
    Shape(
        "gemini",
        (("parameters",), ("parametersJsonSchema",), ("parameters_json_schema",)),
        within=frozenset(("functionDeclarations", "function_declarations")),
    ),
    Shape("bedrock", (("toolSpec", "inputSchema", "json"),), ("toolSpec", "name")),
)
"""In the order in which an object is tried for them."""

MEMBERS_OF_A_TOOL = frozenset(
    ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "execution")
)
"""The members that some revision of MCP gives a tool."""

MEMBERS_OF_MCP_ONLY = frozenset(("description", "title", "annotations", "outputSchema", "_meta", "icons", "execution"))
"""Of these, the ones that tell a tool from anything else with a name."""

MEMBERS_OF_A_LIST = frozenset(("tools", "nextCursor", "_meta", "ttlMs", "cacheScope", "resultType"))
"""The members that some revision of MCP gives the result of tools/list."""

MEMBERS_OF_OTHERS = frozenset(("input_schema", "parameters", "function", "functionDeclarations", "toolSpec", "$ref"))
"""Members of a provider's tool, or of something that stands elsewhere: it is no MCP tool that lacks a schema."""
