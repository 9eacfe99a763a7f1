"""Where in a document tool schemas are. Decided by content, never by a file's name; precision before recall.

Sources: the Tool object of the MCP revisions up to 2026-07-28 (schema.ts), and how tool files look in public
repositories: what counts as a tool there, and the near misses that must stay silent.
"""

from __future__ import annotations

from collections.abc import Iterator

from draftlift.schema.dialects import LEGACY, dialect_of_uri
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Node, Tree, member, members, resolve
from draftlift.tools.model import Site, SiteKind

MAX_DEPTH = 100
"""How many pointer tokens deep a tool may lie in its document."""

_TOOL_FIELDS = frozenset(
    ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "execution")
)
_LIST_RESULT_KEYS = frozenset(("tools", "nextCursor", "_meta", "ttlMs", "cacheScope", "resultType"))
_OTHER_SHAPES = frozenset(("input_schema", "parameters", "function", "functionDeclarations", "toolSpec", "$ref"))
_SPEAKS_OF_MCP = frozenset(("description", "title", "annotations", "outputSchema", "_meta", "icons", "execution"))

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
_SCHEMA_FILE_KEYS = frozenset(("properties", "definitions", "$defs", "allOf", "anyOf", "oneOf", "items"))
_WATSONX_KEYS = frozenset(("kind", "spec_version", "binding"))


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


def find_sites(tree: Tree) -> list[Site]:
    """All places for schemas in a tree, in document order."""
    sites: list[Site] = []
    if tree.language == "json" and _is_json_lines(tree):
        return sites
    for index, root in enumerate(tree.documents):
        if root is not None and not _is_foreign(root):
            sites += _Search(index, root).sites
    return sites


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
        self.sites: list[Site] = []
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
        self.add_tool(node, pointer)
        return ("inputSchema", "outputSchema")

    def add_tool(self, node: Node, pointer: Pointer) -> None:
        name = _string(node, "name")
        for field in ("inputSchema", "outputSchema"):
            schema = member(node, field)
            if schema is not None and schema.kind != "missing":
                self.add("mcp", field, name, pointer, schema, node)

    def incomplete_tool(self, node: Node, pointer: Pointer) -> bool:
        """A sibling of tools, or an item of a tools/list result, that has no usable ``inputSchema``."""
        found = members(node)
        if _string(node, "name") is None or not _OTHER_SHAPES.isdisjoint(found) or "type" in found:
            return False
        if "inputSchema" not in found:
            self.add("mcp", "inputSchema", _string(node, "name"), pointer, None, node)
        self.add_tool(node, pointer)
        return True

    def elicitation(self, node: Node, pointer: Pointer) -> tuple[str, ...]:
        schema = member(node, "requestedSchema")
        if schema is None or resolve(schema).kind != "object" or _string(node, "message") is None:
            return ()
        self.add("elicitation", "requestedSchema", None, pointer, schema, node)
        return ("requestedSchema",)

    def provider(self, node: Node, pointer: Pointer) -> tuple[str, ...]:
        taken = []
        for path, schema in _provider_schemas(node, pointer):
            declared = member(resolve(schema), "$schema")
            if declared is not None and dialect_of_uri(resolve(declared).value) in LEGACY:
                holder = _at(node, path[:-1]) or node
                self.add("provider", path[-1], _string(node, "name"), (*pointer, *path[:-1]), schema, resolve(holder))
                taken.append(path[0])
        return tuple(taken)

    def add(
        self, kind: SiteKind, field: str, tool: str | None, pointer: Pointer, node: Node | None, holder: Node
    ) -> None:
        self.sites.append(Site(kind, field, tool, self.document, (*pointer, field), node, holder))


def _is_tool(node: Node) -> bool:
    """An object with a string ``name`` and an ``inputSchema`` that is an object, a boolean or null."""
    if node.kind != "object":
        return False
    schema = member(node, "inputSchema")
    return (
        schema is not None
        and resolve(schema).kind in ("object", "boolean", "null")
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
    if tools is None or tools.kind != "array" or not _LIST_RESULT_KEYS.issuperset(found):
        return
    items = [members(item) if item.kind == "object" else None for item in tools.value]
    if all(item is not None and _TOOL_FIELDS.issuperset(item) for item in items) and any(
        item and not _SPEAKS_OF_MCP.isdisjoint(item) for item in items
    ):
        yield id(tools)


def _provider_schemas(node: Node, pointer: Pointer) -> Iterator[tuple[tuple[str, ...], Node]]:
    """The paths from an object to the schemas it has in a model provider's shape."""
    found = members(node)
    named = _string(node, "name") is not None
    if named and "input_schema" in found and _WATSONX_KEYS.isdisjoint(found):
        yield from _object_at(node, ("input_schema",))
    if _string(node, "type") == "function":
        if named:
            yield from _object_at(node, ("parameters",))
        yield from _object_at(node, ("function", "parameters"))
    if named and len(pointer) >= 2 and pointer[-2] in ("functionDeclarations", "function_declarations"):
        for key in ("parameters", "parametersJsonSchema", "parameters_json_schema"):
            yield from _object_at(node, (key,))
    if "toolSpec" in found:
        yield from _object_at(node, ("toolSpec", "inputSchema", "json"))


def _object_at(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Node]]:
    schema = _at(node, path)
    if schema is not None and resolve(schema).kind == "object":
        yield path, schema


def _at(node: Node, path: tuple[str, ...]) -> Node | None:
    found: Node | None = node
    for key in path:
        if found is None or resolve(found).kind != "object":
            return None
        found = member(resolve(found), key)
    return found


def _string(node: Node, key: str) -> str | None:
    found = member(node, key)
    value = resolve(found).value if found is not None else None
    return value if isinstance(value, str) else None
