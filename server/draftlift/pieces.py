"""An analysis that follows edits: a keystroke inside one tool costs that tool, not the file.

A whole analysis stands at the base. An edit that lies inside one item of an array of tools, and leaves it one whole item
by itself, is a patch: the item's new text is analysed alone, and takes the place of what the base knows about it. Any
other edit gives no answer here, and the caller makes a new base.

Law (tests/laws): what the pieces say together is what ``analyse`` says of the whole text. It rests on this: a tool is
found and judged by its own text and by being in a list of tools, which one of them, the edited one, goes on proving.
Texts with YAML aliases are not followed, since there one place means another, nor are
texts that were broken when the base was made, since there an item may not be what it seems.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from draftlift.analysis import Analysis, Finding, Fix, Settings, analyse
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Node, Tree, resolve, walk
from draftlift.text import Edit, Span

_ROOT: Pointer = ()
_MOST_PATCHES = 16
"""After edits in so many tools a new base is made: each patch keeps a tree of its own."""


@dataclass(frozen=True, slots=True)
class Item:
    """A tool in a list: its span in the base's text, and its pointer. In YAML the span is of whole lines, dash included."""

    span: Span
    pointer: Pointer


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Something analysed by itself: the base, or an item that took an edit.

    An offset of ``analysis`` is one of the present text after adding ``shift``. A pointer of ``analysis`` is one of the
    whole document after taking off ``drop`` tokens and putting ``pointer`` in front.
    """

    analysis: Analysis
    pointer: Pointer = ()
    drop: int = 0
    shift: int = 0

    def finding(self, finding: Finding) -> Finding:
        """A finding of this piece in the terms of the whole text."""
        if self.shift == 0 and self.drop == 0 and not self.pointer:
            return finding
        return replace(
            finding,
            pointer=self.pointer + finding.pointer[self.drop :] if finding.token != "position" else (),
            span=self.span(finding.span),
            fixes=tuple(self.fix(fix) for fix in finding.fixes),
            related=tuple((self.span(span), message) for span, message in finding.related),
        )

    def fix(self, fix: Fix) -> Fix:
        """A fix with its edits in the present text; its operations stay those of the piece."""
        return replace(fix, edits=self.edits(fix.edits))

    def edits(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        """Edits in the present text."""
        return tuple(Edit(edit.start + self.shift, edit.end + self.shift, edit.new_text) for edit in edits)

    def span(self, span: Span) -> Span:
        """A span in the present text."""
        return Span(span.start + self.shift, span.end + self.shift)


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """An item's present text, analysed alone. ``text`` may be longer or shorter than the base's."""

    text: str
    analysis: Analysis


class Pieces:
    """The present state of one text: a base and its patches. Values of this class do not change."""

    __slots__ = ("_ends", "_items", "_patches", "_settings", "_starts", "base")

    def __init__(self, base: Analysis, settings: Settings, items: list[Item], patches: dict[int, Patch]) -> None:
        self.base = base
        self._settings = settings
        self._items = items
        self._patches = patches
        self._starts = [item.span.start for item in items]
        self._ends = [item.span.end for item in items]

    @classmethod
    def of(cls, base: Analysis, settings: Settings) -> Pieces:
        """The pieces of a text that was analysed as a whole just now."""
        return cls(base, settings, _items(base), {})

    @property
    def is_whole(self) -> bool:
        """Whether no edit has been followed yet, so that the base is all there is."""
        return not self._patches

    def edited(self, start: int, end: int, new_text: str) -> Pieces | None:
        """The pieces after an edit of the present text; None where it takes a new base."""
        return self._patched(start, end, new_text, whole_only=True)

    def broken(self, start: int, end: int, new_text: str) -> Pieces | None:
        """The pieces after an edit that broke the text of the item it lies in; None where it lies in none.

        What is known of the other items stays known: the author is in the middle of this one. To be used only for a
        text that is broken as a whole, since else the edit may have made two items of one.
        """
        return self._patched(start, end, new_text, whole_only=False)

    def _patched(self, start: int, end: int, new_text: str, *, whole_only: bool) -> Pieces | None:
        found = self._item_around(start, end)
        if found is None:
            return None
        index, begins = found
        if index not in self._patches and len(self._patches) >= _MOST_PATCHES:
            return None
        item = self._items[index]
        patch = self._patches.get(index)
        old = patch.text if patch is not None else self.base.tree.text[item.span.start : item.span.end]
        text = old[: start - begins] + new_text + old[end - begins :]
        language = self.base.tree.language
        analysis = analyse(text, language, self._settings, is_of_tools=True)
        if whole_only and not _is_whole_item(analysis):
            return None
        return Pieces(self.base, self._settings, self._items, {**self._patches, index: Patch(text, analysis)})

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
            yield Piece(self.base, shift=shift), findings[position:upto]
            yield self._piece(index, shift), patch.analysis.findings
            position = _first_from(findings, item.span.end, upto)
            shift += len(patch.text) - (item.span.end - item.span.start)
        yield Piece(self.base, shift=shift), findings[position:]

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
        return Piece(self.base, shift=shift)

    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the terms of the present text."""
        return tuple(piece.finding(finding) for piece, found in self.pieces() for finding in found)

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


def _items(base: Analysis) -> list[Item]:
    """The items that may take patches: whole tools that are items of arrays, outside of each other."""
    tree = base.tree
    if len(tree.documents) != 1 or tree.problems:
        return []
    root = tree.documents[0]
    if root is None or (tree.language == "yaml" and "*" in tree.text and _has_aliases(root)):
        return []
    found: dict[int, Item] = {}
    for schema in base.schemas:
        site = schema.site
        if site.field != "inputSchema" or site.kind != "mcp" or site.node is None or len(site.pointer) < 2:
            continue
        pointer = site.pointer[:-1]
        if isinstance(pointer[-1], int):
            span = _item_span(tree, site.holder)
            if span is not None:
                found[span.start] = Item(span, pointer)
    items = [found[start] for start in sorted(found)]
    return [item for index, item in enumerate(items) if index == 0 or items[index - 1].span.end <= item.span.start]


def _has_aliases(root: Node) -> bool:
    return any(node.kind == "alias" for node in walk(root))


def _item_span(tree: Tree, holder: Node) -> Span | None:
    text = tree.text
    if tree.language == "json":
        return Span(holder.start, holder.end) if text[holder.end - 1 : holder.end] == "}" else None
    if holder.style != "block":
        return None
    start = max(text.rfind("\n", 0, holder.start), text.rfind("\r", 0, holder.start)) + 1
    before = text[start : holder.start]
    if before.strip(" ") != "-" or not before.endswith(" "):
        return None  # an anchor, a dash on a line of its own, a list in a list
    end = min((at for at in (text.find("\n", holder.end), text.find("\r", holder.end)) if at >= 0), default=-1)
    return Span(start, end + 1) if end >= 0 else None


def _is_whole_item(analysis: Analysis) -> bool:
    """Whether a text by itself is surely one whole item, and a tool."""
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
        if text[indent : indent + 1] != "-" or _item_span(tree, holder) is None or text[-1] not in "\r\n":
            return False
        if any(node.kind == "alias" or node.anchor is not None for node in walk(root)):
            return False
        if _lacks_indent(text, indent):
            return False
    own = (*pointer, "inputSchema")
    return any(schema.site.holder is holder and schema.site.pointer == own for schema in analysis.schemas)


def _lacks_indent(text: str, indent: int) -> bool:
    """Whether a line stands out further than the dash, where it would end the list in the whole text."""
    lines = text.splitlines()[1:]
    return any(line.strip() and len(line) - len(line.lstrip(" ")) <= indent for line in lines)
