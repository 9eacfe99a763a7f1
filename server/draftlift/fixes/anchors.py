"""YAML anchors under translations: one text, many users. A change of shared text must be the change all users want.

An anchor's users are the schemas that hold it, hold an alias of it, or reach it through another anchor. A definition
that stands outside every schema (``base: &base`` at the top) is a holder, not a user; an alias outside is a user that
wants no change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from draftlift.syntax.tree import Node, Tree, resolve, walk
from draftlift.text import Edit, Span
from draftlift.tools.model import Site


@dataclass(frozen=True, slots=True, eq=False)
class SharedAnchor:
    """An anchor whose text some translation changes.

    ``sites`` are the indices of the schemas that are concerned; where ``agreed``, all of them want the same change and
    it can be made for all at once, if it proves right also where one of them has the text twice. ``aliases`` pairs each alias inside a schema with that schema's index.
    """

    name: str
    sites: tuple[int, ...]
    aliases: tuple[tuple[int, Node], ...]
    agreed: bool


_find_anchor = re.compile(r"(?<!\w)&\S").search


def has_anchor(text: str) -> bool:
    """Whether a text of YAML may have an anchor: a quick look, for what looks like one."""
    return _find_anchor(text) is not None


def may_share(tree: Tree) -> bool:
    """Whether a text may have aliases that stand for something; spares most texts a walk."""
    return tree.language == "yaml" and "*" in tree.text and has_anchor(tree.text)


def shared_spans(tree: Tree) -> tuple[Span, ...]:
    """The spans of the text that aliases stand for."""
    return tuple(Span(target.start, target.end) for target, _ in _uses(tree).values())


def _uses(tree: Tree) -> dict[int, tuple[Node, list[Node]]]:
    """Every node that aliases stand for, with these aliases, by the node's id."""
    uses: dict[int, tuple[Node, list[Node]]] = {}
    if may_share(tree):
        for root in tree.documents:
            for node in walk(root) if root is not None else ():
                if node.kind == "alias":
                    target = resolve(node)
                    uses.setdefault(id(target), (target, []))[1].append(node)
    return uses


def shared_anchors(tree: Tree, sites: Sequence[Site], edits: Mapping[int, Sequence[Edit]]) -> list[SharedAnchor]:
    """The anchors that translations with these edits (by index of their site) would change for several users."""
    uses = _uses(tree) if edits else {}
    found = []
    for target, aliases in uses.values():
        wanted = {index: _inside(target, edits.get(index, ())) for index in range(len(sites))}
        if not any(wanted.values()):
            continue
        users, outside = _users(target, uses, sites)
        placed = [(index, alias) for alias in aliases for index, site in enumerate(sites) if _holds(site, alias)]
        concerned = users | {index for index, own in wanted.items() if own}
        agreed = not outside and len({wanted[index] for index in concerned}) == 1
        found.append(SharedAnchor(target.anchor or "", tuple(sorted(concerned)), tuple(placed), agreed))
    return found


def _inside(target: Node, edits: Sequence[Edit]) -> frozenset[Edit]:
    return frozenset(edit for edit in edits if target.start <= edit.start and edit.end <= target.end)


def _holds(site: Site, node: Node) -> bool:
    own = site.node
    return own is not None and own.properties_start <= node.start and node.end <= own.end


def _users(target: Node, uses: Mapping[int, tuple[Node, list[Node]]], sites: Sequence[Site]) -> tuple[set[int], bool]:
    """The indices of the schemas that use an anchor, and whether something that is no schema uses it too."""
    users: set[int] = set()
    outside = False
    seen: set[int] = set()
    stack: list[tuple[Node, bool]] = [(target, True)]
    while stack:
        node, is_definition = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        holders = [index for index, site in enumerate(sites) if _holds(site, node)]
        users.update(holders)
        around = [
            (anchored, aliases)
            for anchored, aliases in uses.values()
            if anchored is not node and anchored.start <= node.start and node.end <= anchored.end
        ]
        if not holders and not around and not is_definition:
            outside = True
        for anchored, _ in around:
            stack.append((anchored, True))
        if is_definition and id(node) in uses:
            stack += [(alias, False) for alias in uses[id(node)][1]]
    return users, outside
