"""An analysis that follows edits: a keystroke inside one tool costs that tool, not the file.

A whole analysis stands at the base. An edit that lies inside one item of an array of tools, and leaves it one whole item
by itself, is a patch: the item's new text is analysed alone, and takes the place of what the base knows about it. Any
other edit gives no answer here, and the caller makes a new base.

Law (tests/laws): what the pieces say together is what ``analyse`` says of the whole text. It rests on this: a tool is
found and judged by its own text and by being in a list of tools, which one of them, the edited one, goes on proving; and
by what the file has outside of all lists, which no edit of an item changes.
Nothing else may look into an item, nor an item at anything else. So an item is not followed where it lies in another
tool, in a merge key, in what an alias stands for, or has a part in the sharing itself, before the edit or after it.

Of texts that were broken when the base was made, JSON is followed in whole tools that no problem touches: its reader
goes from left to right and looks ahead by no more than a token, so such a tool is read the same as by itself, and leaves
the reader as it was. YAML is not: which lines of a broken text are left out to read the rest is found by trying, and an
edit anywhere may change what is tried.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from draftlift.analysis import Analysis, Finding, Fix, Settings, analyse
from draftlift.fixes.anchors import has_anchor, may_share
from draftlift.syntax.json_reader import MAX_PROBLEMS
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import MERGE_KEY, Node, Tree, resolve, walk
from draftlift.text import Edit, Span, line_start
from draftlift.tools.find import MAX_DEPTH
from draftlift.tools.model import Site

_ROOT: Pointer = ()
_MOST_PATCHES = 16
"""After edits in so many tools a new base is made: each patch keeps a tree of its own."""

_LONGEST_PATCH = 100_000
"""Code points of the longest item that is analysed at once; whoever types in a longer one waits for the whole text."""

_find_line_end = re.compile(r"\r\n|\n|\r").search
_ends_block_scalar = re.compile(r"[\r\n]*(?: *[^ \t\r\n#]|\Z)").match


@dataclass(frozen=True, slots=True)
class Item:
    """A tool in a list: its span in the base's text, and its pointer. In YAML the span is of whole lines, dash included."""

    span: Span
    pointer: Pointer


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Something analysed by itself: the base, or an item that took an edit.

    An offset of ``analysis`` is one of the present text after adding ``shift``; in the base, only around the findings
    that come with it. A pointer of ``analysis`` is one of the whole document after taking off ``drop`` tokens and putting
    ``pointer`` in front. ``grown`` is of the base: where each item that took edits ends there, and by how many code
    points it is longer now.
    """

    analysis: Analysis
    pointer: Pointer = ()
    drop: int = 0
    shift: int = 0
    grown: tuple[tuple[int, int], ...] = ()

    def finding(self, finding: Finding) -> Finding:
        """A finding of this piece in the terms of the whole text, but for its proposals: they are the piece's, see ``fixes``."""
        if self.shift == 0 and self.drop == 0 and not self.pointer and not self.grown:
            return finding
        return replace(
            finding,
            pointer=self.pointer + finding.pointer[self.drop :] if finding.token != "position" else (),
            span=self.span(finding.span),
            related=tuple((self.span(span), message) for span, message in finding.related),
        )

    def fixes(self, findings: Iterable[Finding]) -> list[tuple[Fix, ...]]:
        """The fixes of findings of this piece, as the piece has them: proved, with edits in the present text."""
        return [tuple(map(self.fix, fixes)) for fixes in self.analysis.fixes(findings)]

    def fix(self, fix: Fix) -> Fix:
        """A fix with its edits in the present text; its operations stay those of the piece."""
        return replace(fix, edits=self.edits(fix.edits))

    def edits(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        """Edits in the present text. Where YAML shares text, those of one fix may lie on both sides of a patch."""
        return tuple(Edit(*self.span(Span(edit.start, edit.end)), edit.new_text) for edit in edits)

    def span(self, span: Span) -> Span:
        """A span in the present text."""
        return Span(self._offset(span.start), self._offset(span.end))

    def _offset(self, offset: int) -> int:
        if not self.grown:
            return offset + self.shift
        return offset + sum(growth for end, growth in self.grown if end <= offset)


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """An item's present text, analysed alone. ``text`` may be longer or shorter than the base's.

    ``is_whole`` says that it is one whole item again.
    """

    text: str
    analysis: Analysis
    is_whole: bool


class Pieces:
    """The present state of one text: a base and its patches. Values of this class do not change."""

    __slots__ = ("_ends", "_grown", "_items", "_patches", "_settings", "_shares", "_starts", "base")

    def __init__(
        self, base: Analysis, settings: Settings, items: list[Item], shares: bool, patches: dict[int, Patch]
    ) -> None:
        self.base = base
        self._settings = settings
        self._items = items
        self._shares = shares  # whether an anchor that comes or goes may matter outside of its item
        self._patches = patches
        self._starts = [item.span.start for item in items]
        self._ends = [item.span.end for item in items]
        self._grown = tuple(
            (self._ends[index], len(patches[index].text) - (self._ends[index] - self._starts[index]))
            for index in sorted(patches)
        )

    @classmethod
    def of(cls, base: Analysis, settings: Settings) -> Pieces:
        """The pieces of a text that was analysed as a whole just now."""
        sharing = _sharing(base.tree)
        return cls(base, settings, _items(base, sharing), bool(sharing), {})

    @property
    def is_whole(self) -> bool:
        """Whether no edit has been followed yet, so that the base is all there is."""
        return not self._patches

    @property
    def has_broken_item(self) -> bool:
        """Whether an item is told by its broken text, which may only be believed where the text as a whole is broken."""
        return any(not patch.is_whole for patch in self._patches.values())

    def edited(self, start: int, end: int, new_text: str) -> Pieces | None:
        """The pieces after an edit of the present text; None where it takes a new base."""
        return self._patched(start, end, new_text, whole_only=True)

    def broken(self, start: int, end: int, new_text: str) -> Pieces | None:
        """The pieces after an edit that broke the text of the item it lies in; None where it lies in none.

        What is known of the other items stays known: the author is in the middle of this one. To be used only for a
        text that is broken as a whole, since else the edit may have made two items of one; so there is no answer where
        the text may be broken by something else.
        """
        return self._patched(start, end, new_text, whole_only=False)

    def _patched(self, start: int, end: int, new_text: str, *, whole_only: bool) -> Pieces | None:
        found = self._item_around(start, end)
        if found is None:
            return None
        index, begins = found
        if index not in self._patches and len(self._patches) >= _MOST_PATCHES:
            return None
        tree = self.base.tree
        item = self._items[index]
        patch = self._patches.get(index)
        old = patch.text if patch is not None else tree.text[item.span.start : item.span.end]
        text = old[: start - begins] + new_text + old[end - begins :]
        if len(text) > _LONGEST_PATCH:
            return None
        if self._shares and (has_anchor(old) or has_anchor(text)):
            return None
        analysis = analyse(text, tree.language, self._settings, is_of_tools=True, file=tree.documents[0])
        others = [patch.analysis.tree for number, patch in self._patches.items() if number != index]
        faults = sum(len(other.problems) for other in (tree, *others))
        if whole_only:
            if not _is_whole_item(analysis, tree, item) or faults + len(analysis.tree.problems) >= MAX_PROBLEMS:
                return None
        elif faults or not _is_of_one_item(analysis.tree):
            return None
        patches = {**self._patches, index: Patch(text, analysis, is_whole=whole_only)}
        return Pieces(self.base, self._settings, self._items, self._shares, patches)

    def _item_around(self, start: int, end: int) -> tuple[int, int] | None:
        """The item strictly around a range of the present text, with where it begins there."""
        shift = 0
        index = -1
        for patched in sorted(self._patches):
            span, length = self._items[patched].span, len(self._patches[patched].text)
            if start < span.start + shift:
                break
            if start <= span.start + shift + length:
                index = patched
                break
            shift += length - (span.end - span.start)
        if index < 0:
            index = bisect_right(self._starts, start - shift) - 1
            if index in self._patches:
                return None  # behind it, as was seen above
        if index < 0:
            return None
        begins = self._starts[index] + shift
        length = len(self._patches[index].text) if index in self._patches else self._ends[index] - self._starts[index]
        return (index, begins) if begins < start and end < begins + length else None

    def pieces(self) -> Iterator[tuple[Piece, tuple[Finding, ...]]]:
        """Every piece with its findings, in text order; the base comes in several parts, with the shift of each."""
        shift = 0
        position = 0
        findings = self.base.findings
        for index in sorted(self._patches):
            item, patch = self._items[index], self._patches[index]
            upto = _first_from(findings, item.span.start, position)
            yield self._base_piece(shift), findings[position:upto]
            yield self._piece(index, shift), patch.analysis.findings
            position = _first_from(findings, item.span.end, upto)
            shift += len(patch.text) - (item.span.end - item.span.start)
        yield self._base_piece(shift), findings[position:]

    def piece_at(self, offset: int) -> Piece:
        """The piece that knows about an offset of the present text."""
        shift = 0
        for index in sorted(self._patches):
            item, patch = self._items[index], self._patches[index]
            begins = item.span.start + shift
            if offset < begins:
                break
            if offset < begins + len(patch.text):
                return self._piece(index, shift)
            shift += len(patch.text) - (item.span.end - item.span.start)
        return self._base_piece(shift)

    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the terms of the present text."""
        return tuple(piece.finding(finding) for piece, found in self.pieces() for finding in found)

    def _base_piece(self, shift: int) -> Piece:
        return Piece(self.base, shift=shift, grown=self._grown)

    def _piece(self, index: int, shift: int) -> Piece:
        item = self._items[index]
        drop = 1 if self.base.tree.language == "yaml" else 0
        return Piece(self._patches[index].analysis, item.pointer, drop, item.span.start + shift)


def _first_from(findings: tuple[Finding, ...], offset: int, low: int) -> int:
    high = len(findings)
    while low < high:
        middle = (low + high) // 2
        if findings[middle].span.start < offset:
            low = middle + 1
        else:
            high = middle
    return low


def _items(base: Analysis, sharing: list[Span]) -> list[Item]:
    """The items that may take patches: whole tools that are items of arrays, in no other tool and with no shared text."""
    tree = base.tree
    if len(tree.documents) != 1 or (tree.language == "yaml" and tree.problems):
        return []
    ends = [span.end for span in sharing]
    items = []
    reached = 0  # up to there the text is of earlier holders
    for schema in sorted(base.schemas, key=lambda schema: schema.site.holder.start):
        holder = schema.site.holder
        span = _item_span(tree, holder) if holder.start >= reached and _is_item(tree, schema.site) else None
        reached = max(reached, holder.end)
        if span is None or (tree.problems and schema.broken):
            continue
        near = bisect_right(ends, span.start)
        if near == len(sharing) or sharing[near].start >= span.end:
            items.append(Item(span, schema.site.pointer[:-1]))
    return items


def _is_item(tree: Tree, site: Site) -> bool:
    return (
        site.field == "inputSchema"
        and site.kind == "mcp"
        and site.node is not None
        and len(site.pointer) >= 2
        and isinstance(site.pointer[-2], int)
        and (tree.language == "json" or MERGE_KEY not in site.pointer)
    )


def _sharing(tree: Tree) -> list[Span]:
    """The parts of a text that YAML's aliases are, stand for, or may be in, sorted and apart from each other.

    Of a key that is no scalar the tree does not tell what is in it.
    """
    if not may_share(tree):
        return []
    found: set[Span] = set()
    for node in (node for root in tree.documents if root is not None for node in walk(root)):
        if node.kind == "alias":
            target = resolve(node)
            found |= {Span(node.start, node.end), Span(target.start, target.end)}
        if node.complex_key:
            found.add(Span(node.key_start, node.key_end))
    apart: list[Span] = []
    for span in sorted(found):
        if apart and span.start <= apart[-1].end:
            apart[-1] = Span(apart[-1].start, max(apart[-1].end, span.end))
        else:
            apart.append(span)
    return apart


def _item_span(tree: Tree, holder: Node) -> Span | None:
    text = tree.text
    if tree.language == "json":
        return Span(holder.start, holder.end) if text[holder.end - 1 : holder.end] == "}" else None
    if holder.style != "block":
        return None
    start = line_start(text, holder.start)
    before = text[start : holder.start]
    if before.strip(" ") != "-" or not before.endswith(" "):
        return None  # an anchor, a dash on a line of its own, a list in a list
    line_end = _find_line_end(text, holder.end)
    return Span(start, line_end.end()) if line_end else None


def _is_of_one_item(tree: Tree) -> bool:
    """Whether a broken text by itself is not two items, and refers to nothing outside of it."""
    roots = [root for root in tree.documents if root is not None]
    if tree.language == "json":
        return not any(tree.text[root.end :].lstrip().startswith(",") for root in roots)
    return len(roots) < 2 and not any(
        (root.kind == "array" and len(root.value) > 1) or _refers(tree, root) for root in roots
    )


def _refers(tree: Tree, root: Node) -> bool:
    """Whether a text of YAML has an alias, or a key that may hold one."""
    return any(
        node.kind == "alias"
        or node.complex_key
        or (node.kind == "missing" and tree.text.startswith("*", node.start))  # to an anchor that is not in it
        for node in walk(root)
    )


def _is_whole_item(analysis: Analysis, base: Tree, item: Item) -> bool:
    """Whether a text by itself is surely one whole item, and a tool, and reads the same in the place of ``item``."""
    tree = analysis.tree
    text = tree.text
    root = tree.documents[0] if len(tree.documents) == 1 else None
    if root is None:
        return False
    if tree.language == "json":
        if root.kind != "object" or root.start != 0 or root.end != len(text):
            return False
        if any(text[problem.start : problem.start + 1] in "{}[]/" for problem in tree.problems):
            return False  # it may be told otherwise where there is something around it
        holder, pointer = root, _ROOT
    else:
        if tree.problems or root.kind != "array" or root.style != "block" or len(root.value) != 1:
            return False
        holder, pointer = resolve(root.value[0]), (0,)
        indent = len(text) - len(text.lstrip(" "))
        if not base.text.startswith(text[: indent + 1], item.span.start) or _item_span(tree, holder) is None:
            return False  # the dash is in another column, or has something else behind it
        if _lacks_indent(text, indent):
            return False
        if _refers(tree, root) or _may_run_on(tree, root, base, item.span.end):
            return False
    if any(len(item.pointer) + len(schema.site.pointer) > MAX_DEPTH for schema in analysis.schemas):
        return False
    own = (*pointer, "inputSchema")
    return any(schema.site.holder is holder and schema.site.pointer == own for schema in analysis.schemas)


def _may_run_on(tree: Tree, node: Node, base: Tree, end: int) -> bool:
    """Whether comments or blanks behind a value of YAML, at ``end`` of the base's text, could be part of it."""
    while node.kind in ("object", "array") and node.value:
        node = node.value[-1]
    if tree.text[max(node.key_start, 0)] in "|>":
        return True
    header = tree.text[node.start : node.start + 3]
    return header.startswith(("|", ">")) and ("+" in header or not _ends_block_scalar(base.text, end))


def _lacks_indent(text: str, indent: int) -> bool:
    """Whether a line stands out further than the dash, where it would end the list in the whole text."""
    lines = text.splitlines()[1:]
    return any(line.strip() and len(line) - len(line.lstrip(" ")) <= indent for line in lines)
