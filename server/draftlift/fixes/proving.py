"""The gate: the only maker of a fix. It proves on the very text that the edits do what the operations say, and nothing else.

The law: the edited text reads as exactly what ``apply_to_value`` makes of the value, everywhere. It is looked at in the
cheapest way that is a proof:

- by tokens: each edit puts one string of the same style in the place of another, which no reader can take otherwise;
- by the part: in JSON a value reads the same wherever it stands, so the smallest value around the edits is read alone;
- by the whole: the edited text is read again. Of many proposals those that lie apart from each other are read at once:
  readers go from left to right, so where each part begins and ends as it should and all values are as they should be,
  each would be so without the others. Where the whole fails, halves are tried.

What throws on the way costs that proposal, is logged, and is a reason like another. Everything is worked out once.
"""

from __future__ import annotations

import json
import logging
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from draftlift.change.operations import (
    InsertMember,
    MoveMembers,
    Operation,
    RenameKey,
    ReplaceValue,
    apply_to_value,
    below,
)
from draftlift.fixes import render
from draftlift.fixes.edits import CannotEditError, to_edits
from draftlift.fixes.model import Change, Fix, Proposal, Withheld
from draftlift.syntax import read
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Node, NotJsonError, Tree, at, has_merge_key, resolve, to_value, walk
from draftlift.text import Edit, Span, apply_edits
from draftlift.tools.find import find_sites
from draftlift.tools.model import Site

_log = logging.getLogger(__name__)

_MOST_READS = 200
"""How often one text is read again; a text that needs more is as long as it is strange."""

_LONGEST_TOKEN = 500
"""Code points of a token that is put in the place of another without reading again: YAML ends a key at 1,024."""

_plain = re.compile(r"[A-Za-z$/_][A-Za-z0-9$/_.+-]*(?::[A-Za-z0-9$/_.+-]+)*#?\Z").match

_UNPROVED = Withheld("the edited text would not read as it should")
_FAILED = Withheld("draftlift failed at it; its log says where")
_SHARED = Withheld("what would change is shared by aliases")
_TOO_OFTEN = Withheld("too much of this text would have to be read again")


@dataclass(frozen=True, slots=True, eq=False)
class _Edited:
    """A proposal with its edits; ``span`` is what has to be read again to prove them, ``change`` for change."""

    proposal: Proposal
    edits: tuple[Edit, ...]
    parts: tuple[tuple[Change, tuple[Edit, ...]], ...]
    span: Span


class Gate:
    """Proves proposals on one text, and remembers what came of them."""

    def __init__(self, tree: Tree, shared: Sequence[Span] = ()) -> None:
        """``shared`` are the spans of the text that aliases stand for."""
        self._tree = tree
        self._shared = sorted(shared)
        self._reach = list(accumulate((span.end for span in self._shared), max))
        self._edited: dict[int, tuple[Proposal, _Edited | Withheld]] = {}
        self._outcomes: dict[int, tuple[Proposal, Fix | Withheld]] = {}
        self._values: dict[int, Any] = {}
        self._children: dict[int, dict[str | int, Node | None]] = {}
        self._reads = 0

    def edits(self, proposal: Proposal) -> tuple[Edit, ...] | Withheld:
        """The edits of a proposal, not proved: what would be done, for whoever must compare."""
        edited = self._edit(proposal)
        return edited if isinstance(edited, Withheld) else edited.edits

    def prove(self, proposals: Iterable[Proposal]) -> list[Fix | Withheld]:
        """What becomes of each proposal."""
        wanted = list(proposals)
        waiting: list[_Edited] = []
        for proposal in wanted:
            if id(proposal) not in self._outcomes:
                self._outcomes[id(proposal)] = (proposal, _TOO_OFTEN)  # unless it is looked at below
                edited = self._edit(proposal)
                if isinstance(edited, Withheld):
                    self._outcomes[id(proposal)] = (proposal, edited)
                elif self._holds_in_parts(edited):
                    self._outcomes[id(proposal)] = (proposal, _fix(edited))
                else:
                    waiting.append(edited)
        for apart in _apart(waiting):
            self._prove_at_once(apart)
        return [self._outcomes[id(proposal)][1] for proposal in wanted]

    def prove_together(self, proposals: Iterable[Proposal]) -> Fix | Withheld:
        """Several proposals as one fix, with as many of them as can be proved together."""
        wanted = list({id(proposal): proposal for proposal in proposals}.values())  # schemas that share text share one
        outcomes = zip(wanted, self.prove(wanted), strict=True)
        proved = [proposal for proposal, outcome in outcomes if isinstance(outcome, Fix)]
        if not proved:
            return _UNPROVED
        changes = {id(change): change for proposal in proved for change in proposal.changes}
        aliases = {id(alias): alias for proposal in proved for alias in proposal.at_anchors}
        together = replace(
            proved[0],
            title="Fix all",
            changes=tuple(changes.values()),
            preferred=False,
            at_anchors=tuple(aliases.values()),
        )
        return self.prove([together])[0]

    # -- edits -----------------------------------------------------------------

    def _edit(self, proposal: Proposal) -> _Edited | Withheld:
        known = self._edited.get(id(proposal))
        if known is None:
            known = self._edited[id(proposal)] = (proposal, self._worked_out(proposal))
        return known[1]

    def _worked_out(self, proposal: Proposal) -> _Edited | Withheld:
        parts = []
        try:
            for change in proposal.changes:
                narrowed = self._narrowed(change)
                parts.append((narrowed, tuple(to_edits(narrowed.operations, self._tree, narrowed.root))))
        except CannotEditError as problem:
            return Withheld(str(problem))
        except Exception:
            _log.exception("no edits for %r", proposal.title)
            return _FAILED
        edits = _at_anchors(proposal, {edit: None for _, edits in parts for edit in edits})
        if not proposal.changes_shared and any(map(self._is_shared, edits)):
            return _SHARED
        roots = [change.root for change, _ in parts]
        start = min([*(root.start for root in roots), *(edit.start for edit in edits)], default=0)
        end = max([*(root.end for root in roots), *(edit.end for edit in edits)], default=0)
        return _Edited(proposal, edits, tuple(parts), Span(start, end))

    def _narrowed(self, change: Change) -> Change:
        """The same change seen from the smallest value that is around all its operations: what is around that stays."""
        around = [
            operation.pointer if isinstance(operation, InsertMember | MoveMembers) else operation.pointer[:-1]
            for operation in change.operations
        ]
        if not around:
            return change
        low, high = min(around, key=_comparable), max(around, key=_comparable)
        depth = 0
        node = change.root
        while depth < min(len(low), len(high)) and low[depth] == high[depth]:
            child = self._own_child(node, low[depth])
            if child is None or child.kind not in ("object", "array"):
                break
            node = child
            depth += 1
        if depth == 0:
            return change
        operations = tuple(below(operation, (), drop=depth) for operation in change.operations)
        return Change(change.document, change.pointer + low[:depth], node, operations)

    def _own_child(self, node: Node, token: str | int) -> Node | None:
        """The only member or item of a node under a token, in its own text."""
        if node.kind == "array":
            return node.value[token] if isinstance(token, int) and token < len(node.value) else None
        children = self._children.get(id(node))
        if children is None:
            children = self._children[id(node)] = {}
            for child in node.value:
                children[child.key] = None if child.key in children else child
        return children.get(token)

    def _is_shared(self, edit: Edit) -> bool:
        index = bisect_right(self._shared, (edit.start, len(self._tree.text))) - 1
        return index >= 0 and edit.start <= self._reach[index]

    # -- proofs ----------------------------------------------------------------

    def _holds_in_parts(self, edited: _Edited) -> bool:
        parts = edited.parts
        if self._tree.language == "yaml" and (self._shared or self._tree.problems):
            return False  # what changes here may be read elsewhere
        spans = sorted(Span(change.root.start, change.root.end) for change, _ in parts)
        if any(one.end > other.start for one, other in pairwise(spans)):
            return False
        try:
            return all(
                _holds_by_tokens(self._tree, change, edits)
                or (self._tree.language == "json" and _holds_alone(self._tree, change, edits))
                for change, edits in parts
            )
        except Exception:
            _log.exception("no proof of %r", edited.proposal.title)
            return False

    def _prove_at_once(self, batch: list[_Edited]) -> None:
        if not batch:
            return
        if self._reads >= _MOST_READS:
            return
        if self._holds(batch):
            self._outcomes.update((id(one.proposal), (one.proposal, _fix(one))) for one in batch)
        elif len(batch) > 1:
            middle = len(batch) // 2
            self._prove_at_once(batch[:middle])
            self._prove_at_once(batch[middle:])
        else:
            self._outcomes[id(batch[0].proposal)] = (batch[0].proposal, _UNPROVED)

    def _holds(self, batch: list[_Edited]) -> bool:
        self._reads += 1
        edits = sorted({edit: None for one in batch for edit in one.edits})
        operations = [operation for one in batch for operation in _of_documents(one)]
        try:
            after = read(apply_edits(self._tree.text, edits), self._tree.language)
            return _reads_as_meant(self._tree, after, operations, self._value) and (
                len(batch) == 1 or _begin_where_they_did(after, batch, edits)
            )
        except Exception:
            _log.exception("no proof of %r", batch[0].proposal.title)
            return False

    def _value(self, document: int) -> Any:
        """The value of a document of the text as it is. Raises NotJsonError."""
        if document not in self._values:
            root = self._tree.documents[document]
            assert root is not None
            self._values[document] = to_value(root)
        return self._values[document]


def edits_hold(tree: Tree, edits: Sequence[Edit], operations: Sequence[tuple[int, Operation]]) -> bool:
    """Whether a text edited so reads as what these operations, by document, make of its value: the law, on one text."""

    def value(document: int) -> Any:
        root = tree.documents[document]
        assert root is not None
        return to_value(root)

    try:
        after = read(apply_edits(tree.text, edits), tree.language)
    except ValueError:
        return False
    return _reads_as_meant(tree, after, operations, value)


def _fix(edited: _Edited) -> Fix:
    proposal = edited.proposal
    return Fix(
        proposal.title, edited.edits, tuple(_of_documents(edited)), proposal.applicability, preferred=proposal.preferred
    )


def _of_documents(edited: _Edited) -> Iterator[tuple[int, Operation]]:
    for change in edited.proposal.changes:
        for operation in change.operations:
            yield change.document, below(operation, change.pointer)


def _at_anchors(proposal: Proposal, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits, sorted; those of aliases that are to be written at their anchors are done there."""
    aliases = {Span(alias.start, alias.end): resolve(alias) for alias in proposal.at_anchors}
    if not aliases:
        return tuple(sorted(edits))
    targets = {Span(target.start, target.end) for target in aliases.values()}
    kept = [edit for edit in edits if Span(edit.start, edit.end) not in aliases.keys() | targets]
    values = {Span(edit.start, edit.end): edit.new_text for edit in edits}
    for span, target in aliases.items():
        text = values[span]
        value = json.loads(text) if text.startswith('"') else text
        kept.append(Edit(target.start, target.end, render.scalar(value, "yaml", target.style)))
    return tuple(sorted(set(kept)))


def _apart(waiting: list[_Edited]) -> list[list[_Edited]]:
    """Proposals in groups, in each of which no two touch the same part of the text; of more groups than are read, none."""
    groups: list[tuple[int, list[_Edited]]] = []
    for edited in sorted(waiting, key=lambda one: one.span):
        for index, (reached, group) in enumerate(groups):
            if reached < edited.span.start:
                group.append(edited)
                groups[index] = (edited.span.end, group)
                break
        else:
            if len(groups) < _MOST_READS:
                groups.append((edited.span.end, [edited]))
    return [group for _, group in groups]


def _comparable(pointer: Pointer) -> tuple[tuple[bool, str | int], ...]:
    return tuple((isinstance(token, str), token) for token in pointer)


def _holds_by_tokens(tree: Tree, change: Change, edits: Sequence[Edit]) -> bool:
    """Whether each operation puts one string in the place of another, and its edit does just that to its token."""
    if len(edits) != len(change.operations):
        return False
    meant: dict[Span, str] = {}
    renamed: dict[int, tuple[Node, dict[str, str]]] = {}
    for operation in change.operations:
        if not isinstance(operation, RenameKey | ReplaceValue) or not operation.pointer:
            return False
        holder = at(change.root, operation.pointer[:-1])
        node = at(holder, operation.pointer[-1:]) if holder is not None else None
        if holder is None or node is None:
            return False
        if isinstance(operation, RenameKey):
            renamed.setdefault(id(holder), (holder, {}))[1][str(operation.pointer[-1])] = operation.new_key
            meant[Span(node.key_start, node.key_end)] = operation.new_key
        elif node.kind == "string" and node.properties_start == node.start and isinstance(operation.value, str):
            meant[Span(node.start, node.end)] = operation.value
        else:
            return False
    return (
        all(_stay_apart(holder, keys) for holder, keys in renamed.values())
        and len(meant) == len(edits)
        and all(_is_token_for(tree, edit, meant) for edit in edits)
    )


def _stay_apart(holder: Node, renamed: dict[str, str]) -> bool:
    """Whether the keys of an object differ from each other, before and after some are renamed, and none is a merge."""
    keys = [child.key for child in holder.value]
    after = {renamed.get(key, key) for key in keys}
    return len(set(keys)) == len(after) == len(keys) and not any(map(has_merge_key, holder.value))


def _is_token_for(tree: Tree, edit: Edit, meant: dict[Span, str]) -> bool:
    value = meant.get(Span(edit.start, edit.end))
    old, new = tree.text[edit.start : edit.end], edit.new_text
    if value is None or len(new) > _LONGEST_TOKEN or "\n" in old or "\r" in old:
        return False
    if old[:1] == '"':
        return new == json.dumps(value, ensure_ascii=False) and value.isprintable()
    if tree.language == "json":
        return False
    if old[:1] == "'":
        return new == "'" + value.replace("'", "''") + "'" and value.isprintable()
    return new == value and _plain(value) is not None and _plain(old) is not None


def _holds_alone(tree: Tree, change: Change, edits: Sequence[Edit]) -> bool:
    """Whether a value of JSON, cut out of the text and edited, is one whole value again: the one that is meant."""
    root = change.root
    if any(edit.start < root.start or root.end < edit.end for edit in edits):
        return False
    inside = [Edit(edit.start - root.start, edit.end - root.start, edit.new_text) for edit in edits]
    after = read(apply_edits(tree.text[root.start : root.end], inside), "json")
    new = after.documents[0] if after.documents else None
    if new is None or after.problems or new.start != 0 or new.end != len(after.text):
        return False
    return _equal(to_value(new), apply_to_value(change.operations, to_value(root)))


def _begin_where_they_did(after: Tree, batch: list[_Edited], edits: list[Edit]) -> bool:
    """Whether each changed part begins where it did, but for what was edited before it."""
    starts = [edit.start for edit in edits]
    growth = list(accumulate((len(edit.new_text) - edit.end + edit.start for edit in edits), initial=0))
    for one in batch:
        for change, own in one.parts:
            document = after.documents[change.document]
            node = at(document, change.pointer) if document is not None else None
            if node is None:
                return False
            if own and own[0].start <= change.root.start:
                continue  # its first token is what is edited
            before = bisect_right(starts, change.root.start)
            if resolve(node).start != change.root.start + growth[before]:
                return False
    return True


def _reads_as_meant(tree: Tree, after: Tree, operations: Sequence[tuple[int, Operation]], value: Any) -> bool:
    if len(after.problems) > len(tree.problems) or len(after.documents) != len(tree.documents):
        return False
    for index, (old, new) in enumerate(zip(tree.documents, after.documents, strict=True)):
        own = [operation for document, operation in operations if document == index]
        if old is None or new is None:
            if old is not new:
                return False
            continue
        try:
            if not _equal(to_value(new), apply_to_value(own, value(index))):
                return _same_at_sites(tree, after, operations)
        except NotJsonError:
            return _same_at_sites(tree, after, operations)
    return True


def _equal(left: Any, right: Any) -> bool:
    """Equality of JSON values of any depth."""
    stack = [(left, right)]
    while stack:
        one, other = stack.pop()
        try:
            if one != other:
                return False
        except RecursionError:
            if type(one) is not type(other) or len(one) != len(other):
                return False
            if isinstance(one, dict):
                if one.keys() != other.keys():
                    return False
                stack += ((one[key], other[key]) for key in one)
            else:
                stack += zip(one, other, strict=True)
    return True


def _same_at_sites(before: Tree, after: Tree, operations: Sequence[tuple[int, Operation]]) -> bool:
    """The law at every schema, for a text that has no JSON value as a whole, or whose anchors share what is changed."""
    old_sites, new_sites = find_sites(before), find_sites(after)
    if [(site.document, site.pointer) for site in old_sites] != [(site.document, site.pointer) for site in new_sites]:
        return False
    by_site: dict[tuple[int, Pointer], list[Operation]] = {}
    places = {(site.document, site.pointer) for site in old_sites}
    for document, operation in operations:
        for depth in range(len(operation.pointer) + 1):
            place = (document, operation.pointer[:depth])
            if place in places:
                by_site.setdefault(place, []).append(below(operation, (), drop=depth))
    for old, new in zip(old_sites, new_sites, strict=True):
        inside = by_site.get((old.document, old.pointer), [])
        if old.node is None or new.node is None:
            if inside or old.node is not new.node:
                return False
            continue
        if not inside and (text := _text_of(before, old)) is not None and text == _text_of(after, new):
            continue
        try:
            if not _equal(to_value(new.node), apply_to_value(inside, to_value(old.node))):
                return False
        except NotJsonError:
            return False
    return True


def _text_of(tree: Tree, site: Site) -> str | None:
    """The text of a schema that holds no alias, so that its text is all there is to it; else None."""
    node = site.node
    if node is None or any(inner.kind == "alias" for inner in walk(node)):
        return None
    return tree.text[node.start : node.end]
