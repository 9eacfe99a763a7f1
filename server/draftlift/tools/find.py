"""Where in a document tool schemas are. Decided by content, never by a file's name; precision before recall.

Sources: the Tool object of the MCP revisions up to 2026-07-28 (schema.ts), and how tool files look in public
repositories: what counts as a tool there, and the near misses that must stay silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from draftlift.schema.dialects import LEGACY, dialect_of_uri
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import MERGE_KEY, Node, Tree, member, members, merges_unknown, resolve
from draftlift.tools.model import Site, SiteKind, Tool
from draftlift.tools.shapes import (
    MCP,
    MEMBERS_OF_A_LIST,
    MEMBERS_OF_A_TOOL,
    MEMBERS_OF_MCP_ONLY,
    MEMBERS_OF_OTHERS,
    PROVIDERS,
    Shape,
)

MAX_DEPTH = 100
"""How many pointer tokens deep a tool may lie in its document."""

# Keys whose values are data, or other products' things that only look like tools.
_NEVER_INSIDE = frozenset(
    (
        "examples",
        "example",
        "default",
        "const",
        "enum",
        "arguments",
        "structuredContent",
        "skills",
        "languageModelTools",
    )
)
_FOREIGN_ROOTS = (
    ("openapi",),
    ("swagger",),
    ("asyncapi",),
    ("arazzo",),
    ("mcpServers",),
    ("manifest_version",),
    ("dxt_version",),
    ("actorSpecification",),
    ("nodes", "connections"),
    ("States",),
    ("contributes",),
)
_BEGINS_A_SCHEMA = frozenset((MERGE_KEY, *(path[0] for shape in PROVIDERS for path in shape.schemas)))
_SCHEMA_FILE_KEYS = frozenset(("properties", "definitions", "$defs", "allOf", "anyOf", "oneOf", "items"))


def may_hold_sites(text: str) -> bool:
    """Whether a text can have a site at all: a quick look for the words without which there is none.

    Escapes could hide a word, so a text with any is always looked at.
    """
    return (
        "inputSchema" in text
        or "tools" in text
        or "requestedSchema" in text
        or "input_schema" in text
        or "parameters" in text
        or "\\u" in text
        or "\\x" in text
    )


def find_tools(tree: Tree) -> list[Tool]:
    """All tools and requests in a tree, in document order."""
    tools: list[Tool] = []
    if tree.language == "json" and _is_json_lines(tree):
        return tools
    for index, root in enumerate(tree.documents):
        if root is not None and not _is_foreign(root):
            tools += _Search(index, root).tools
    return tools


def find_sites(tree: Tree) -> list[Site]:
    """All places for schemas in a tree, in document order."""
    return [site for tool in find_tools(tree) for site in tool.sites]


def _is_json_lines(tree: Tree) -> bool:
    """Whether another value follows the first: a file of JSON lines, of whatever."""
    root = tree.documents[0] if tree.documents else None
    return root is not None and bool(tree.problems) and tree.text[root.end : root.end + 200].lstrip()[:1] in ("{", "[")


def _is_foreign(root: Node) -> bool:
    """Whether a document is of a kind that holds no MCP tools although parts of it may look so."""
    if root.kind != "object":
        return False
    found = members(root)
    if any(all(key in found for key in keys) for keys in _FOREIGN_ROOTS):
        return True
    declared = found.get("$schema")
    if declared is not None and (
        dialect_of_uri(resolve(declared).value) is not None or not _SCHEMA_FILE_KEYS.isdisjoint(found)
    ):
        return True
    if "apiVersion" in found and "kind" in found:
        kind = resolve(found["kind"]).value
        return not (isinstance(kind, str) and "mcp" in kind.lower() and "tool" in kind.lower())
    servers = resolve(found["servers"]) if "servers" in found else None
    return (
        servers is not None
        and servers.kind == "object"
        and any(
            child.kind == "object" and ("command" in (own := members(child)) or "url" in own) for child in servers.value
        )
    )


class _Search:
    """One pass over one document."""

    def __init__(self, document: int, root: Node) -> None:
        self.document = document
        self.tools: list[Tool] = []
        self.confirmed = set(_confirmed_lists(root))
        stack: list[tuple[Node, Pointer]] = [(root, ())]
        while stack:
            node, pointer = stack.pop()
            if len(pointer) > MAX_DEPTH:
                continue
            if node.kind == "object":
                children = self.visit_object(node, pointer)
            elif node.kind == "array":
                children = self.visit_array(node, pointer)
            else:
                continue
            stack += reversed(children)

    def visit_object(self, node: Node, pointer: Pointer) -> list[tuple[Node, Pointer]]:
        taken = self.tool(node, pointer) or self.elicitation(node, pointer) or self.provider(node, pointer)
        return [
            (child, (*pointer, child.key))
            for child in node.value
            if child.key not in taken and child.key not in _NEVER_INSIDE and child.kind in ("object", "array")
        ]

    def visit_array(self, node: Node, pointer: Pointer) -> list[tuple[Node, Pointer]]:
        items = [(item, (*pointer, index)) for index, item in enumerate(node.value)]
        if id(node) in self.confirmed or any(_is_tool(resolve(item)) for item, _ in items):
            others: list[tuple[Node, Pointer]] = []
            for item, place in items:
                if item.kind == "object" and not _is_tool(item) and self.incomplete_tool(item, place):
                    continue
                others.append((item, place))
            return others
        return items

    def tool(self, node: Node, pointer: Pointer) -> tuple[str, ...]:
        if not _is_tool(node) or (pointer and pointer[-1] == "toolSpec"):
            return ()
        self.add("mcp", _string(node, "name"), pointer, node, MCP.schemas)
        return ("inputSchema", "outputSchema")

    def incomplete_tool(self, node: Node, pointer: Pointer) -> bool:
        """A sibling of tools, or an item of a tools/list result, that has no usable ``inputSchema``."""
        found = members(node)
        name = _string(node, "name")
        if name is None or not MEMBERS_OF_OTHERS.isdisjoint(found) or "type" in found:
            return False
        missing = () if "inputSchema" in found or merges_unknown(node) else ("inputSchema",)
        self.add("mcp", name, pointer, node, MCP.schemas, missing)
        return True

    def elicitation(self, node: Node, pointer: Pointer) -> tuple[str, ...]:
        schema = member(node, "requestedSchema")
        if schema is None or resolve(schema).kind != "object" or _string(node, "message") is None:
            return ()
        self.add("elicitation", None, pointer, node, (("requestedSchema",),))
        return ("requestedSchema",)

    def provider(self, node: Node, pointer: Pointer) -> tuple[str, ...]:
        if not any(child.key in _BEGINS_A_SCHEMA for child in node.value):
            return ()
        taken = []
        for shape in PROVIDERS:
            for path in shape.schemas if _has_shape(node, pointer, shape) else ():
                schema = _at(node, path)
                if schema is not None and _declares_old_dialect(resolve(schema)):
                    self.add("provider", _string_at(node, shape.name), pointer, node, (path,))
                    taken.append(path[0])
        return tuple(taken)

    def add(
        self,
        kind: SiteKind,
        name: str | None,
        pointer: Pointer,
        node: Node,
        paths: Sequence[tuple[str, ...]],
        missing: tuple[str, ...] = (),
    ) -> None:
        """Note a tool with what schemas it has at these paths; of those that are ``missing`` it should have one."""
        sites = [Site(kind, field, name, self.document, (*pointer, field), None, node) for field in missing]
        for path in paths:
            schema = _at(node, path)
            if schema is not None and resolve(schema).kind not in ("missing", "unknown"):
                holder = resolve(_at(node, path[:-1]) or node)
                sites.append(Site(kind, path[-1], name, self.document, (*pointer, *path), schema, holder))
        self.tools.append(Tool(kind, name, self.document, pointer, node, tuple(sites)))


def _is_tool(node: Node) -> bool:
    """An object with a string ``name`` and an ``inputSchema`` that is an object, a boolean or null, or that nobody can tell."""
    if node.kind != "object":
        return False
    schema = member(node, "inputSchema")
    return (
        schema is not None
        and resolve(schema).kind in ("object", "boolean", "null", "unknown")
        and _string(node, "name") is not None
    )


def _confirmed_lists(root: Node) -> Iterator[int]:
    """The ids of arrays that are a tools/list result's: there every item is a tool, even without any schema."""
    messages = root.value if root.kind == "array" else [root]
    for message in messages:
        if message.kind != "object":
            continue
        found = members(message)
        result = found.get("result")
        if "jsonrpc" in found and result is not None and resolve(result).kind == "object":
            tools = member(resolve(result), "tools")
            if tools is not None and tools.kind == "array":
                yield id(tools)
    if root.kind != "object":
        return
    found = members(root)
    tools = found.get("tools")
    if tools is None or tools.kind != "array" or not MEMBERS_OF_A_LIST.issuperset(found):
        return
    items = [members(item) if item.kind == "object" else None for item in tools.value]
    if all(item is not None and MEMBERS_OF_A_TOOL.issuperset(item) for item in items) and any(
        item and not MEMBERS_OF_MCP_ONLY.isdisjoint(item) for item in items
    ):
        yield id(tools)


def _has_shape(node: Node, pointer: Pointer, shape: Shape) -> bool:
    """Whether an object may be a tool in a provider's shape."""
    return (
        (len(shape.name) > 1 or _string_at(node, shape.name) is not None)
        and (not shape.within or (len(pointer) >= 2 and pointer[-2] in shape.within))
        and all(_string(node, key) == value for key, value in shape.says.items())
        and (not shape.unlike or shape.unlike.isdisjoint(members(node)))
    )


def _declares_old_dialect(schema: Node) -> bool:
    declared = member(schema, "$schema") if schema.kind == "object" else None
    return declared is not None and dialect_of_uri(resolve(declared).value) in LEGACY


def _at(node: Node, path: tuple[str, ...]) -> Node | None:
    found: Node | None = node
    for key in path:
        if found is None or resolve(found).kind != "object":
            return None
        found = member(resolve(found), key)
    return found


def _string(node: Node, key: str) -> str | None:
    return _string_at(node, (key,))


def _string_at(node: Node, path: tuple[str, ...]) -> str | None:
    found = _at(node, path)
    value = resolve(found).value if found is not None else None
    return value if isinstance(value, str) else None
