"""Where in the text a report of a rule is: tokens of one line."""

from __future__ import annotations

from draftlift.rules.base import Report, Token
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Node, Tree, at, resolve
from draftlift.text import Span
from draftlift.tools.model import Site


def placed(tree: Tree, site: Site, report: Report) -> tuple[Pointer, Span]:
    """The pointer of a report from the document's root, and the span of its token."""
    if isinstance(report.at, Span):
        return (*site.pointer, *report.pointer), one_line(tree.text, report.at)
    if report.at == "name":
        pointer: Pointer = (*site.pointer[:-1], "name")
        node: Node = at(site.holder, ("name",)) or site.holder
    else:
        pointer = (*site.pointer, *report.pointer)
        own = site.node or site.holder
        node = (at(resolve(own), report.pointer) if report.pointer else None) or own
    return pointer, one_line(tree.text, token_span(node, report.token))


def token_span(node: Node, token: Token) -> Span:
    """The span of a node's key or value; of its key as well where there is no value to see."""
    if (token == "key" or node.start == node.end) and node.key_start >= 0:
        return Span(node.key_start, node.key_end)
    return Span(node.start, node.end)


def one_line(text: str, span: Span) -> Span:
    """A span cut down to its first line; at least one character where there is one."""
    start, end = span
    for stop in ("\n", "\r"):
        found = text.find(stop, start, end)
        if found >= 0:
            end = found
    return Span(start, end)
