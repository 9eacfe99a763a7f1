"""YAML anchors under translations: one text, many users. A change of shared text must be the change all users want.

An anchor's users are the schemas that hold it, hold an alias of it, or reach it through another anchor. A definition
that stands outside every schema (``base: &base`` at the top) is a holder, not a user; an alias outside is a user that
wants no change. Costs grow with the anchors, aliases and edits there are, not with their product.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from draftlift.syntax.tree import Node, Tree, resolve, walk
from draftlift.text import Edit, Span
from draftlift.tools.model import Site


@dataclass(frozen=True, slots=True, eq=False)
class SharedAnchor:
    """An anchor whose text some translation changes.

    ``sites`` are the indices of the schemas that are concerned; where ``agreed``, all of them want the same change and
    it can be made for all at once, if it proves right also where one of them has the text twice. ``aliases`` pairs each
    alias inside a schema with that schema's index. ``replaced`` are aliases in whose place all users want the same new
    scalar, so that it can be written once, at the anchor.
    """

    name: str
    sites: tuple[int, ...]
    aliases: tuple[tuple[int, Node], ...]
    agreed: bool
    replaced: tuple[Node, ...] = ()


_find_anchor = re.compile(r"(?<!\w)&\S").search
_Uses = Mapping[int, tuple[Node, list[Node]]]


def has_anchor(text: str) -> bool:
    """Whether a text of YAML may have an anchor: a quick look, for what looks like one."""
    return _find_anchor(text) is not None


def may_share(tree: Tree) -> bool:
    """Whether a text may have aliases that stand for something; spares most texts a walk."""
    return tree.language == "yaml" and "*" in tree.text and has_anchor(tree.text)


def shared_spans(tree: Tree) -> tuple[Span, ...]:
    """The spans of the text that aliases stand for, from their anchors on: a block may come to stand beside its anchor."""
    return tuple(Span(target.properties_start, target.end) for target, _ in _uses(tree).values())


def _uses(tree: Tree) -> _Uses:
    """Every node that aliases stand for, with these aliases, by the node's id."""
    uses: dict[int, tuple[Node, list[Node]]] = {}
    if may_share(tree):
        for root in tree.documents:
            for node in walk(root) if root is not None else ():
                if node.kind == "alias":
                    target = resolve(node)
                    uses.setdefault(id(target), (target, []))[1].append(node)
    return uses


class _Spans:
    """Spans with a number each, to find those around a place."""

    def __init__(self, spans: Iterable[tuple[int, int, int]]) -> None:
        self._sorted = sorted(spans)
        self._reach = list(accumulate((end for _, end, _ in self._sorted), max))

    def around(self, node: Node) -> Iterator[int]:
        """The numbers of the spans that a node lies in."""
        index = bisect_right(self._sorted, (node.start, _FAR, _FAR)) - 1
        while index >= 0 and self._reach[index] >= node.end:
            _, end, number = self._sorted[index]
            if node.end <= end:
                yield number
            index -= 1


_FAR = 1 << 62


def shared_anchors(tree: Tree, sites: Sequence[Site], edits: Mapping[int, Sequence[Edit]]) -> list[SharedAnchor]:
    """The anchors that translations with these edits (by index of their site) would change for several users."""
    uses = _uses(tree) if edits else {}
    if not uses:
        return []
    spans = _Spans(
        (site.node.properties_start, site.node.end, index) for index, site in enumerate(sites) if site.node is not None
    )
    anchored = [target for target, _ in uses.values()]
    anchors = _Spans((target.start, target.end, index) for index, target in enumerate(anchored))
    placed = sorted((edit, index) for index, own in edits.items() for edit in own)
    found = []
    for target, aliases in uses.values():
        holders = [(alias, list(spans.around(alias))) for alias in aliases]
        in_sites = tuple((index, alias) for alias, own in holders for index in own)
        replaced = _replaced(target, holders, list(spans.around(target)), edits)
        if replaced:
            concerned = {index for _, own in holders for index in own} | set(spans.around(target))
            found.append(
                SharedAnchor(target.anchor or "", tuple(sorted(concerned)), in_sites, agreed=True, replaced=replaced)
            )
            continue
        wanted = _inside(target, placed)
        if not wanted:
            continue
        users, outside = _users(target, uses, anchored, spans, anchors)
        concerned = users | wanted.keys()
        agreed = not outside and len({wanted.get(index, frozenset()) for index in concerned}) == 1
        found.append(SharedAnchor(target.anchor or "", tuple(sorted(concerned)), in_sites, agreed))
    return found


def _replaced(
    target: Node, holders: list[tuple[Node, list[int]]], around: list[int], edits: Mapping[int, Sequence[Edit]]
) -> tuple[Node, ...]:
    """The aliases of a scalar of a schema, if each of its users puts the same new scalar in its place; else none.

    A scalar outside of schemas may be there for its own sake.
    """
    if target.kind != "string" or not around or not all(own for _, own in holders):
        return ()
    texts = set()
    for node, own in (*holders, (target, around)):
        for index in own:
            new = [edit.new_text for edit in edits.get(index, ()) if (edit.start, edit.end) == (node.start, node.end)]
            if len(new) != 1:
                return ()
            texts.add(new[0].strip("'\""))
    return tuple(alias for alias, _ in holders) if len(texts) == 1 else ()


def _inside(target: Node, placed: list[tuple[Edit, int]]) -> dict[int, frozenset[Edit]]:
    """The edits inside an anchor's text, by the index of the schema that wants them."""
    wanted: dict[int, set[Edit]] = {}
    at = bisect_left(placed, target.properties_start, key=lambda entry: entry[0].start)
    while at < len(placed) and placed[at][0].start <= target.end:
        edit, index = placed[at]
        wanted.setdefault(index, set()).add(edit)
        at += 1
    return {index: frozenset(own) for index, own in wanted.items()}


def _users(
    target: Node, uses: _Uses, anchored: Sequence[Node], sites: _Spans, anchors: _Spans
) -> tuple[set[int], bool]:
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
        holders = list(sites.around(node))
        users.update(holders)
        around = [anchored[index] for index in anchors.around(node) if anchored[index] is not node]
        if not holders and not around and not is_definition:
            outside = True
        stack += [(anchor, True) for anchor in around]
        if is_definition and id(node) in uses:
            stack += [(alias, False) for alias in uses[id(node)][1]]
    return users, outside
