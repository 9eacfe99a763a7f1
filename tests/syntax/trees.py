"""What the tests of both readers say about trees."""

from __future__ import annotations

from typing import Any

from draftlift.syntax.tree import Node, Tree, walk


def outline(node: Node | None) -> Any:
    """The value of a tree as half-typed text has it: an Ellipsis for what is missing, pairs for objects."""
    if node is None or node.kind == "missing":
        return ...
    if node.kind == "alias":
        return outline(node.value)
    if node.kind == "array":
        return [outline(item) for item in node.value]
    if node.kind == "object":
        return [(member.key, outline(member)) for member in node.value]
    return node.value


def complaints(tree: Tree) -> list[tuple[str, str]]:
    """What the problems of a tree are about, and what they say."""
    return [(tree.text[problem.start : problem.end], problem.message) for problem in tree.problems]


def describe(tree: Tree) -> list[str]:
    """Everything a tree holds, a line for each node and problem."""
    lines = []
    for root in tree.documents:
        lines.append("document")
        for node in walk(root) if root else ():
            value: object = node.value
            if isinstance(node.value, list):
                value = len(node.value)
            elif node.kind == "alias":
                value = (node.value.start, node.value.end)
            lines.append(
                f"{node.kind}{node.style} {node.properties_start}:{node.start}:{node.end} {value!r} &{node.anchor} "
                f"key {node.key!r} {node.key_start}:{node.key_end} {node.complex_key}"
            )
    return [*lines, *map(str, tree.problems)]


def check_spans(tree: Tree) -> None:
    """Every node lies within its parent and behind its elder siblings, and every problem within the text."""
    for problem in tree.problems:
        assert 0 <= problem.start <= problem.end <= len(tree.text)
    assert list(tree.problems) == sorted(tree.problems, key=lambda problem: problem.start)
    for root in filter(None, tree.documents):
        assert 0 <= root.properties_start <= root.start <= root.end <= len(tree.text)
        for node in walk(root):
            if node.kind not in ("object", "array"):
                continue
            at = node.start
            for child in node.value:
                if node.kind == "object":
                    assert at <= child.key_start <= child.key_end <= child.properties_start
                assert at <= child.properties_start <= child.start <= child.end <= node.end
                at = child.end
