"""Reads YAML into the positioned tree: the events of a YAML parser become nodes, scalars as the core schema of YAML 1.2
reads them.

The events come from libyaml where PyYAML has it, and else, or where libyaml rejects what YAML 1.2 allows, from the
pure parser of ruamel.yaml. Both give the same tree. Of their marks only the index is used: it counts code points.
Nothing recurses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from draftlift import gc_pause
from draftlift.syntax.core_schema import kind_of_collection, read_plain, read_scalar
from draftlift.syntax.tree import Kind, Node, Problem, Style, Tree, resolve, walk
from draftlift.text import line_start

MAX_DEPTH = 500
"""Deeper than this, collections are not read."""

MAX_REPAIRS = 5
"""How many suspect lines are blanked, one after the other, to read the rest of a text with faults."""

MAX_FAULTS = 3
"""How many of the faults met in these repairs are reported; later ones are mostly made by the repairs."""

MAX_VALUE_PROBLEMS = 100
"""How many bad aliases and numbers are reported."""

MAX_TAG = 200
"""How far before an anchor its tag may begin."""

MAX_ARBITRATED = 20_000
"""Up to this length, in code points, any text that libyaml rejects is read by ruamel.yaml too (about 2 µs each)."""

MAX_KNOWN_ARBITRATED = 200_000
"""The same where libyaml's complaint is one of those about which YAML 1.2 thinks otherwise."""

_KNOWN_DIFFERENCES = (
    "invalid Unicode character escape code",  # half of a surrogate pair
    "did not find expected <document start>",  # text after "..."
    "incompatible YAML document",  # %YAML 1.3
)

_LINE_END = re.compile(r"[\r\n]")
_TRIVIA = r"(?:[ \t\r\n]+|#[^\r\n]*)*"
_match_trivia = re.compile(_TRIVIA).match
_match_indicator = re.compile(r"[-?:](?=[ \t\r\n,\[\]{}]|\Z)").match
_find_tag_before = re.compile(r"!\S*(?=[ \t\r\n])(?:[ \t\r\n]|#[^\r\n]*(?=[\r\n]|\Z))*\Z").search
_match_tag = re.compile(r"!<[^>\s]*>|![^\s,\[\]{}]*").match

# What YAML does not allow, what YAML 1.1 takes for a line end, and what libyaml miscounts.
_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]+")
_SEPARATING_TABS = re.compile(r"(?<=[:,\[{])[ \t]*\t[ \t]*|(?<=\S)[ \t]*\t[ \t]*(?=#|$)", re.MULTILINE)
_SURROGATE = re.compile("[\ud800-\udfff]")


def read(text: str, *, pure: bool = False) -> Tree:
    """The tree of a YAML text, which may be any string at all; a leading byte order mark is skipped.

    ``pure`` keeps libyaml out of it.
    """
    disguised, originals = _disguise(text)
    problems = [
        Problem(match.start(), match.end(), "YAML does not allow this character.")
        for match in (_FORBIDDEN.finditer(text) if originals else ())
    ]
    with gc_pause.paused():
        documents, faults = _read(disguised, None if pure else _libyaml_parser())
        if originals:
            _change_strings(documents, lambda changed: changed.translate(originals))
    by_start = {problem.start: problem for problem in reversed(problems + faults)}
    in_order = tuple(by_start[start] for start in sorted(by_start))
    return Tree("yaml", text, tuple(documents) or (None,), in_order)


def _disguise(text: str) -> tuple[str, dict[int, str]]:
    """A text of the same length without odd characters, and what the private-use characters in their places stand for.

    Both parsers still see line breaks of YAML 1.1 (U+0085, U+2028, U+2029), each in its own way, and neither takes a
    lone surrogate.
    """
    if text.startswith("\ufeff"):
        text = "\n" + text[1:]
    odd = sorted(set(_ODD.findall(text)))
    if not odd:
        return text, {}
    used = set(text)
    free = (char for char in map(chr, chain(range(0xE000, 0xF900), range(0xF0000, 0xFFFFE))) if char not in used)
    stand_ins = dict(zip(odd, free, strict=False))
    return text.translate(str.maketrans(stand_ins)), {ord(stand_in): char for char, stand_in in stand_ins.items()}


def _change_strings(documents: Iterable[Node | None], change: Callable[[str], str]) -> None:
    """Applies a change to all keys and strings; it may meet one twice, so a second time must change nothing."""
    for root in filter(None, documents):
        for node in walk(root):
            if node.key:
                node.key = change(node.key)
            target = resolve(node)  # may be a key, which has its own node then
            if isinstance(target.value, str):
                target.value = change(target.value)


def _join_surrogates(text: str) -> str:
    """The text with pairs of surrogates as the characters they encode, as JSON reads its escapes; lone ones stay."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


# --- reading, with repairs


@dataclass(frozen=True, slots=True)
class _Fault:
    """Where and why a parser gave up; ``context`` is what it was in the middle of."""

    message: str
    index: int
    context: str = ""
    context_index: int | None = None

    @property
    def is_hopeless(self) -> bool:
        return "nesting" in self.message

    @property
    def place(self) -> int:
        """The offset to show: where the thing begins that has no end, else where the parser stopped."""
        if self.context_index is not None and re.search("quoted|flow|simple key|block scalar", self.context):
            return self.context_index
        return self.index


@dataclass(frozen=True, slots=True)
class _Attempt:
    text: str
    documents: list[Node | None]
    problems: list[Problem]
    fault: _Fault | None


def _read(text: str, libyaml: Any) -> tuple[list[Node | None], list[Problem]]:
    attempt = _attempt(text, libyaml)
    if attempt.fault and libyaml and _is_arbitrated(text, attempt.fault):
        second = _attempt(text, None)
        if second.fault is None:
            return second.documents, second.problems
    if attempt.fault and not libyaml and text[attempt.fault.index : attempt.fault.index + 1] == "\t":
        # YAML lets tabs separate tokens, which libyaml knows and ruamel.yaml does not.
        second = _attempt(_SEPARATING_TABS.sub(lambda match: " " * len(match[0]), text), None)
        if second.fault is None:
            return second.documents, second.problems
    if attempt.fault is None:
        return attempt.documents, attempt.problems
    return _read_repaired(text, libyaml, attempt)


def _is_arbitrated(text: str, fault: _Fault) -> bool:
    if fault.is_hopeless:
        return False
    is_known = any(words in fault.message for words in _KNOWN_DIFFERENCES)
    return len(text) <= (MAX_KNOWN_ARBITRATED if is_known else MAX_ARBITRATED)


def _read_repaired(text: str, libyaml: Any, first: _Attempt) -> tuple[list[Node | None], list[Problem]]:
    """Blanks the line of each fault, which moves no offset, and reads again; what gives most nodes is the tree."""
    attempts = [first]
    faults: list[Problem] = []
    for _ in range(MAX_REPAIRS + 1):
        fault = attempts[-1].fault
        if fault is None:
            break
        faults.append(_explain(text, fault))
        repaired = None if fault.is_hopeless else _blank_line(attempts[-1].text, fault.place)
        if repaired is None:
            break
        attempts.append(_attempt(repaired, libyaml))
    best = max(reversed(attempts), key=lambda attempt: sum(1 for root in attempt.documents if root for _ in walk(root)))
    return best.documents, faults[:MAX_FAULTS]


def _blank_line(text: str, at: int) -> str | None:
    """The text with the line of an offset, or the last one before it that is not blank, overwritten by spaces."""
    end = len(text[: _line_end(text, at)].rstrip())
    if not end:
        return None
    start = line_start(text, end)
    return text[:start] + " " * (end - start) + text[end:]


def _line_end(text: str, at: int) -> int:
    match = _LINE_END.search(text, at)
    return match.start() if match else len(text)


def _explain(text: str, fault: _Fault) -> Problem:
    start = min(fault.place, len(text))
    end = min(start + 1, len(text))
    said, context = fault.message, fault.context
    if fault.is_hopeless:
        message = "These collections are nested too deeply"
    elif "cannot start any token" in said and text[start:end] == "\t":
        is_indent = not text[line_start(text, start) : start].strip()
        message = "A tab cannot indent YAML; use spaces" if is_indent else "A tab cannot stand here; use a space"
    elif "cannot start any token" in said:
        message = f"A value cannot begin with {text[start:end]} unless it is in quotes"
    elif "mapping values are not allowed" in said:
        message = "A colon with a value is not allowed here"
    elif "node content" in said:
        message = "Expected a value here"
    elif "<document start>" in said:
        message = "Expected nothing more after the root value"
    elif "quoted" in context and "end of stream" in said:
        message, end = "This string has no closing quote", _line_end(text, start)
    elif "flow" in context and "expected" in said:
        message = "This bracket is not closed, or a comma is missing inside"
    elif "block" in context and "expected" in said:
        message = "This does not fit the lines above it; look at the indentation"
    elif "simple key" in context:
        message = "Expected a colon after this key"
    else:
        message = said[:1].upper() + said[1:].rstrip(".")
    return Problem(start, end, message + ".")


# --- the parsers


def _libyaml_parser() -> Any:
    """PyYAML's binding of libyaml; None where it was built without."""
    try:
        from yaml._yaml import CParser  # noqa: PLC0415
    except ImportError:
        return None
    return CParser


def _events(text: str, libyaml: Any) -> tuple[Any, Iterator[Any]]:
    """The module of the event classes, and the events."""
    if libyaml:
        from yaml import events  # noqa: PLC0415

        return events, iter(libyaml(text).get_event, None)
    from ruamel import yaml  # noqa: PLC0415

    return yaml.events, yaml.YAML(typ="safe", pure=True).parse(text)


def _attempt(text: str, libyaml: Any) -> _Attempt:
    builder = _Builder(text)
    fault = None
    try:
        builder.build(*_events(text, libyaml))
    except _TooDeepError as error:
        fault = _Fault("nesting", error.index)
    except Exception as error:  # parsers raise whatever they like, an AssertionError for one
        fault = _fault_of(error)
    if fault:
        builder.finish()
    if not libyaml and "\\u" in text:
        _change_strings(builder.documents, _join_surrogates)
    return _Attempt(text, builder.documents, builder.problems, fault)


class _TooDeepError(Exception):
    def __init__(self, index: int) -> None:
        self.index = index


def _fault_of(error: Exception) -> _Fault:
    message = str(getattr(error, "problem", None) or "this text cannot be read as YAML").partition("\n")[0]
    mark = getattr(error, "problem_mark", None)
    context_mark = getattr(error, "context_mark", None)
    context_index = getattr(context_mark, "index", None)
    index = getattr(mark, "index", context_index or 0)
    return _Fault(message, index, str(getattr(error, "context", None) or ""), context_index)


# --- from events to nodes


class _Frame:
    """A collection, or a document, that is being filled."""

    __slots__ = ("expects_key", "is_key", "is_object", "key", "key_end", "key_start", "node", "nodes")

    def __init__(self, node: Node | None, nodes: list[Node], is_object: bool, is_key: bool) -> None:
        self.node = node  # None for a document
        self.nodes = nodes
        self.is_object = is_object
        self.is_key = is_key  # this collection is a key of the one around it
        self.expects_key = is_object
        self.key: str | None = None
        self.key_start = -1
        self.key_end = -1

    def set_key(self, key: str, start: int, end: int) -> None:
        self.key = key
        self.key_start = start
        self.key_end = end
        self.expects_key = False

    def add(self, node: Node) -> None:
        node.key = self.key
        node.key_start = self.key_start
        node.key_end = self.key_end
        self.nodes.append(node)
        self.expects_key = self.is_object


class _Builder:
    """Makes nodes of events. What was made is in ``documents``, also when the events end with an exception."""

    def __init__(self, text: str) -> None:
        self.documents: list[Node | None] = []
        self.problems: list[Problem] = []
        self._text = text
        self._stack: list[_Frame] = []
        self._anchors: dict[str, Node] = {}
        self._open: set[int] = set()  # ids of the collections on the stack that may have an anchor
        self._complex: list[tuple[list[Node], int]] = []  # where the values of keys that are no scalars come to stand

    def build(self, events: Any, stream: Iterable[Any]) -> None:
        """Takes the stream's events, whose classes are those of the module ``events``."""
        stack = self._stack
        scalar_event = events.ScalarEvent
        handlers = {
            events.DocumentStartEvent: self._start_document,
            events.DocumentEndEvent: self._end_document,
            events.MappingStartEvent: self._start_object,
            events.MappingEndEvent: self._end_collection,
            events.SequenceStartEvent: self._start_array,
            events.SequenceEndEvent: self._end_collection,
            events.AliasEvent: self._alias,
        }
        for event in stream:
            event_class = event.__class__
            if event_class is not scalar_event:
                if event_class in handlers:
                    handlers[event_class](event)
                continue
            # Nearly all scalars are plain or quoted and nothing else; these lines spare them the way through _scalar.
            frame = stack[-1]
            value, style = event.value, event.style
            if not value or event.anchor or event.tag or (style and style in "|>"):
                self._scalar(event)
            elif frame.expects_key:
                frame.key = value
                frame.key_start = event.start_mark.index
                frame.key_end = event.end_mark.index
                frame.expects_key = False
            else:
                kind: Kind = "string"
                if not style:
                    kind, value = read_plain(value)
                start, end = event.start_mark.index, event.end_mark.index
                if kind == "missing":
                    self._report(start, end, "This number is too large to be read.")
                node = Node(kind, start, end, value, style or "", frame.key, frame.key_start, frame.key_end)
                frame.nodes.append(node)
                frame.expects_key = frame.is_object

    def finish(self) -> None:
        """Closes what is open, where the events ended too early."""
        while len(self._stack) > 1:
            frame = self._stack[-1]
            if frame.is_object and not frame.expects_key:
                at = self._past(frame.key_end, ":")
                frame.add(Node("missing", at, at, None))
            self._close()
        if self._stack:
            self._end_document(None)

    def _start_document(self, _: Any) -> None:
        self._anchors.clear()
        self._stack.append(_Frame(None, [], False, False))

    def _end_document(self, _: Any) -> None:
        for nodes, index in self._complex:
            nodes[index].complex_key = True
        self._complex.clear()
        nodes = self._stack.pop().nodes
        root = nodes[0] if nodes else None
        is_empty = root is None or (root.kind == "null" and root.properties_start == root.end)
        self.documents.append(None if is_empty else root)

    def _start_object(self, event: Any) -> None:
        self._start("object", event)

    def _start_array(self, event: Any) -> None:
        self._start("array", event)

    def _start(self, kind: Literal["object", "array"], event: Any) -> None:
        start = self._token_start(event)
        if len(self._stack) > MAX_DEPTH:
            raise _TooDeepError(start)
        frame = self._stack[-1]
        is_key = frame.expects_key
        style: Style = "flow" if event.flow_style else "block"
        node = Node(kind_of_collection(kind, event.tag), start, start + 1, [], style)
        if event.anchor or event.tag:
            self._set_properties(node, event)
            self._open.add(id(node))
        self._stack.append(_Frame(node, node.value, kind == "object", is_key))
        if not is_key:
            frame.add(node)

    def _end_collection(self, event: Any) -> None:
        end = event.end_mark.index
        # A block collection has no end of its own, nor has the pair in "[a: b]", which is a flow mapping.
        has_bracket = event.start_mark.index < end
        self._close(end if has_bracket else None)

    def _close(self, end: int | None = None) -> None:
        """Ends the innermost collection at its bracket, or with its last descendant."""
        frame = self._stack.pop()
        node = frame.node
        assert node is not None
        if end is not None:
            node.end = end
        elif frame.nodes:
            node.end = frame.nodes[-1].end
        if node.properties_start < node.start:
            self._open.discard(id(node))
        if frame.is_key:
            self._set_complex_key(self._stack[-1], node.start, node.end)

    def _scalar(self, event: Any) -> None:
        """Takes a scalar of any sort."""
        frame = self._stack[-1]
        style: Style = event.style or ""
        if event.value or style:
            end = event.end_mark.index
            start = min(self._token_start(event), end)
            if style in {"|", ">"}:
                end = self._block_scalar_end(start, end)
        else:
            start = end = self._empty_place(frame, event)
        kind, value = read_scalar(event.value, style, event.tag)
        if kind == "missing":
            self._report(start, end, "This number is too large to be read.")
        node = Node(kind, start, end, value, style)
        if event.anchor or event.tag:
            self._set_properties(node, event)
        if frame.expects_key:
            frame.set_key(event.value, start, end)
        else:
            frame.add(node)

    def _alias(self, event: Any) -> None:
        frame = self._stack[-1]
        start, end = event.start_mark.index, event.end_mark.index
        target = self._anchors.get(event.anchor)
        if target is None:
            self._report(start, end, "No anchor of this name stands before this alias.")
        elif id(target) in self._open:
            self._report(start, end, "This alias stands inside what it refers to.")
            target = None
        if frame.expects_key:
            self._set_complex_key(frame, start, end)
        else:
            frame.add(Node("alias" if target else "missing", start, end, target))

    def _set_properties(self, node: Node, event: Any) -> None:
        node.properties_start = self._properties(event)[0]
        if event.anchor:
            node.anchor = event.anchor
            self._anchors[event.anchor] = node

    def _token_start(self, event: Any) -> int:
        """Where a value itself begins: behind its anchor and its tag, which the event's own mark is before."""
        if event.anchor or event.tag:
            return self._skip(self._properties(event)[1])
        return event.start_mark.index  # type: ignore[no-any-return]

    def _properties(self, event: Any) -> tuple[int, int]:
        """Where the anchor and the tag of an event begin, and where the last of them ends."""
        text = self._text
        start: int = event.start_mark.index
        count = bool(event.anchor) + bool(event.tag)
        at = start
        before = max(0, start - MAX_TAG)
        if count == 2 and text.startswith("&", start):
            is_behind = _match_tag(text, self._skip(start + len("&" + event.anchor)))
            if not is_behind and (tag := _find_tag_before(text, before, start)):
                # The tag comes first, and the marks of ruamel.yaml leave it out then.
                start = tag.start()
                count = 1
        for _ in range(count):
            at = self._skip(at)
            if tag := _match_tag(text, at):
                at = tag.end()
            elif event.anchor and text.startswith("&", at):
                at += len("&" + event.anchor)
        return start, at

    def _empty_place(self, frame: _Frame, event: Any) -> int:
        """Where an empty value or key stands: behind its properties or indicator, whatever the parser says."""
        if event.anchor or event.tag:
            return self._properties(event)[1]
        if frame.is_object and not frame.expects_key:
            return self._past(frame.key_end, ":")
        if frame.node is None or frame.node.style == "flow":
            return event.start_mark.index  # type: ignore[no-any-return]
        before = frame.nodes[-1].end if frame.nodes else frame.node.start
        return self._past(before, "?" if frame.is_object else "-")

    def _past(self, at: int, indicator: str) -> int:
        """The offset behind an indicator, if it is the next thing to come; else the offset given."""
        found = self._skip(at)
        is_there = self._text.startswith(indicator, found) and _match_indicator(self._text, found)
        return found + 1 if is_there else at

    def _skip(self, at: int) -> int:
        """The first offset that belongs to no blank and no comment."""
        match = _match_trivia(self._text, at)
        return match.end() if match else at

    def _block_scalar_end(self, start: int, end: int) -> int:
        """The end of the last line of a block scalar; blank lines after it are part of it where it keeps them."""
        text = self._text
        header = text[start : _line_end(text, start)].partition("#")[0]
        if "+" in header:
            return start + len(text[start:end].removesuffix("\n").removesuffix("\r"))
        return min(_line_end(text, start + len(text[start:end].rstrip(" \t\r\n"))), end)

    def _set_complex_key(self, frame: _Frame, start: int, end: int) -> None:
        self._complex.append((frame.nodes, len(frame.nodes)))
        frame.set_key("", start, end)

    def _report(self, start: int, end: int, message: str) -> None:
        if len(self.problems) < MAX_VALUE_PROBLEMS:
            self.problems.append(Problem(start, end, message))
