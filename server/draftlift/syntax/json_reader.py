"""Reads JSON and JSONC into the positioned tree, and keeps what it can of half-typed text.

One regular expression takes a whole well-formed member or item; whatever it does not understand (comments, faults)
goes one entry at a time through the slower methods of ``_Reader``, and back. Comments and trailing commas are no
faults. Nothing recurses, and time is linear in the length of any text.
"""

from __future__ import annotations

import json
import re
from typing import Literal

from draftlift import gc_pause
from draftlift.syntax.number import read_number
from draftlift.syntax.tree import Node, Problem, Tree

MAX_PROBLEMS = 1000
"""After this many faults the text is no JSON, and the rest of it is not read."""

_BLANKS = r"[ \t\r\n]*"
_STRING = r'"([^"\\\x00-\x1f]*(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*)*)"'
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_ENTRY_END = rf"{_BLANKS}(?:,|(?=[}}\]]))"
_VALUE = rf"(?:(?:{_STRING}|({_NUMBER})|(true|false|null)){_ENTRY_END}|([\[{{]))"

# The groups of both patterns: 1 the key of a member, then one of these, of which the last is the container's end.
_STRING_GROUP, _NUMBER_GROUP, _WORD_GROUP, _OPENER_GROUP, _CLOSER_GROUP = range(2, 7)
_match_member = re.compile(rf"{_BLANKS}(?:{_STRING}{_BLANKS}:{_BLANKS}{_VALUE}|(}}){_ENTRY_END})").match
_match_item = re.compile(rf"{_BLANKS}(?:(?!){_STRING}|{_VALUE}|(\]){_ENTRY_END})").match

_match_trivia = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*").match
_match_loose_string = re.compile(r'"((?:[^"\\\r\n]+|\\[^\r\n]?)*)("?)').match
_match_single_quoted = re.compile(r"'((?:[^'\\\r\n]+|\\[^\r\n]?)*)'?").match
_match_number = re.compile(_NUMBER + r"(?![\w.+-])").match
_match_word = re.compile(r"""[^\s,:{}\[\]"'/][^\s,:{}\[\]"/]*""").match
_match_unexpected = re.compile(r"""[^\S \t\r\n]+|:+|/|[,}\]]""").match
_match_more_of = {  # what shows, after a bracket that could close the root, that the root goes on
    "object": re.compile(rf'{_BLANKS}(?:[}}\]]{_BLANKS}){{0,20}},{_BLANKS}"').match,
    "array": re.compile(rf"{_BLANKS}(?:[}}\]]{_BLANKS}){{0,20}},{_BLANKS}[^ \t\r\n,}}\]]").match,
}
_LINE_END = re.compile(r"[\r\n]")
_ESCAPE_OR_CONTROL = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\|[\x00-\x1f]')

_WORDS: dict[str, tuple[Literal["boolean", "null"], bool | None]] = {
    "true": ("boolean", True),
    "false": ("boolean", False),
    "null": ("null", None),
}


def read(text: str) -> Tree:
    """The tree of a JSON or JSONC text, which may be any string at all; a leading byte order mark is skipped."""
    reader = _Reader(text)
    with gc_pause.paused():
        root = reader.root()
    problems = sorted(reader.problems.values(), key=lambda problem: problem.start)
    return Tree("json", text, (root,), tuple(problems))


class _Reader:
    """Methods take the offset at which they begin and return the one at which they stop."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.problems: dict[int, Problem] = {}  # by offset: of several faults at one place the first says it best
        self._stack: list[Node] = []
        self._open = {"object": 0, "array": 0}  # how many of each are on the stack

    def root(self) -> Node | None:
        """The root value; None where the text has only blanks and comments."""
        text = self.text
        at = self._skip(1 if text.startswith("\ufeff") else 0)
        if at == len(text):
            return None
        root, at = self._value(at)
        if self._stack:
            self._read_entries(at)
            at = root.end
        at = self._skip(at)
        if at < len(text):
            line_end = _LINE_END.search(text, at)
            end = line_end.start() if line_end else len(text)
            self._fault(at, end, "Expected nothing more after the root value.")
        return root

    def _read_entries(self, at: int) -> None:
        """Fills the containers on the stack until the root is closed."""
        text, stack, open_count = self.text, self._stack, self._open
        while stack:
            container = stack[-1]
            append = container.value.append
            is_object = container.kind == "object"
            match_entry = _match_member if is_object else _match_item
            key, key_start, key_end = None, -1, -1
            while match := match_entry(text, at):
                group: int = match.lastindex  # type: ignore[assignment]  # each way to match has a group
                start, end = match.span(group)
                at = match.end()
                if group == _CLOSER_GROUP:
                    if len(stack) == 1:
                        at = self._closer(start)  # more follows, though the root seems to end here
                        break
                    container.end = end
                    stack.pop()
                    open_count[container.kind] -= 1
                    break
                token = match[group]
                if is_object:
                    key = match[1]
                    key_start, key_end = match.span(1)
                    key_start -= 1
                    key_end += 1
                    if "\\" in key:
                        key = self._decode(key_start + 1, key)
                if group == _STRING_GROUP:
                    if "\\" in token:
                        token = self._decode(start, token)
                    append(Node("string", start - 1, end + 1, token, '"', key, key_start, key_end))
                elif group == _NUMBER_GROUP:
                    append(self._number(start, end, key, key_start, key_end))
                elif group == _WORD_GROUP:
                    kind, value = _WORDS[token]
                    append(Node(kind, start, end, value, "", key, key_start, key_end))
                else:
                    node = Node("object" if token == "{" else "array", start, end, [], "flow", key, key_start, key_end)
                    append(node)
                    stack.append(node)
                    open_count[node.kind] += 1
                    break
            else:
                at = self._entry(at)

    def _entry(self, at: int) -> int:
        """Takes whatever stands where the patterns see no plain entry: a comment, an entry with a fault, a closer."""
        text = self.text
        start = self._skip(at)
        if start == len(text) or len(self.problems) >= MAX_PROBLEMS:
            if self._stack:  # one unclosed bracket is told, the innermost: the others follow from it
                self._close_unclosed(len(text))
            while self._stack:
                self._close(len(text))
            return len(text)
        if start > at:
            return start  # after a comment all may be plain again
        char = text[at]
        if char in "}]":
            return self._closer(at)
        if char == ",":
            self._fault(at, at + 1, "Expected a value before the comma.")
            return at + 1
        container = self._stack[-1]
        if container.kind == "object":
            return self._member(at)
        node, at = self._value(at)
        container.value.append(node)
        return self._separator(at) if self._stack[-1] is container else at

    def _member(self, at: int) -> int:
        text, container = self.text, self._stack[-1]
        if text[at] in "{[":
            # Without a name it is no part of the tree, but its brackets still pair.
            self._fault(at, at + 1, "Expected a member name in double quotes.")
            return self._value(at)[1]
        if not (name := self._name(at)):
            self._fault(at, at + 1, "Expected a member name in double quotes.")
            return at + 1
        key, key_end = name
        value_at = key_end
        next_at = self._skip(key_end)
        has_colon = text.startswith(":", next_at)
        if has_colon:
            value_at = next_at + 1
            next_at = self._skip(value_at)
        if next_at < len(text) and text[next_at] not in ",}]" and not self._names_a_member(next_at):
            if not has_colon:
                self._fault(at, key_end, "Expected a colon after the member name.")
            elif text[at] != '"':
                self._fault(at, key_end, "A member name takes double quotes.")
            node, next_at = self._value(next_at, key, at, key_end)
            container.value.append(node)
            return self._separator(next_at) if self._stack[-1] is container else next_at
        expected = "a value after the colon" if has_colon else "a colon and a value after the member name"
        self._fault(at, value_at, f"Expected {expected}.")
        container.value.append(Node("missing", value_at, value_at, None, "", key, at, key_end))
        return next_at + 1 if text.startswith(",", next_at) else next_at

    def _name(self, at: int) -> tuple[str, int] | None:
        """The name that begins here, in whatever quotes or none, and its end."""
        text = self.text
        if text[at] == '"':
            return self._string(at)
        if match := _match_single_quoted(text, at):
            return match[1], match.end()
        match = _match_word(text, at)
        return (match[0], match.end()) if match else None

    def _names_a_member(self, at: int) -> bool:
        """Whether the string here is followed by a colon, so that it cannot be the value of the member before."""
        match = _match_loose_string(self.text, at)
        return match is not None and match[2] != "" and self.text.startswith(":", self._skip(match.end()))

    def _value(self, at: int, key: str | None = None, key_start: int = -1, key_end: int = -1) -> tuple[Node, int]:
        """The value that begins here, and where it ends; a container is put on the stack and is still to be filled."""
        text, first = self.text, at
        while match := _match_unexpected(text, at):
            if match[0] in ",}]" and self._stack:
                break
            self._fault(at, match.end(), "Expected a value here.")
            at = self._skip(match.end())
        place = (key, key_start, key_end)
        char = text[at : at + 1]
        if char == '"':
            value, end = self._string(at)
            return Node("string", at, end, value, '"', *place), end
        if match := _match_single_quoted(text, at):
            self._fault(at, match.end(), "A string takes double quotes.")
            return Node("string", at, match.end(), match[1], "'", *place), match.end()
        if char in ("{", "["):
            node = Node("object" if char == "{" else "array", at, at + 1, [], "flow", *place)
            self._stack.append(node)
            self._open[node.kind] += 1
            return node, at + 1
        if match := _match_number(text, at):
            return self._number(at, match.end(), *place), match.end()
        match = _match_word(text, at)
        if match is None:
            return Node("missing", first, first, None, "", *place), at
        if match[0] in _WORDS:
            kind, word_value = _WORDS[match[0]]
            return Node(kind, at, match.end(), word_value, "", *place), match.end()
        self._fault(at, match.end(), _explain_word(match[0]))
        return Node("missing", at, match.end(), None, "", *place), match.end()

    def _number(self, start: int, end: int, key: str | None, key_start: int, key_end: int) -> Node:
        value = read_number(self.text[start:end])
        if value is None:
            self._fault(start, end, "This number is too large to be read.")
            return Node("missing", start, end, None, "", key, key_start, key_end)
        return Node("number", start, end, value, "", key, key_start, key_end)

    def _string(self, at: int) -> tuple[str, int]:
        """The value and the end of the double-quoted string that begins here; it ends with its line at the latest."""
        match = _match_loose_string(self.text, at)
        assert match is not None
        if not match[2]:
            self._fault(at, match.end(), "This string has no closing quote on its line.")
        return self._decode(at + 1, match[1]), match.end()

    def _decode(self, at: int, body: str) -> str:
        """The value of what stands between two quotes; what JSON does not allow there is reported and kept."""
        value: str
        try:
            value = json.loads(f'"{body}"')
        except ValueError:
            repaired = _ESCAPE_OR_CONTROL.sub(lambda match: self._repair(at, body, match), body)
            value = json.loads(f'"{repaired}"', strict=False)
        return value

    def _repair(self, at: int, body: str, match: re.Match[str]) -> str:
        start = at + match.start()
        if match[0] == "\\":
            self._fault(start, min(start + 2, at + len(body)), "JSON has no such escape.")
            return ""
        if len(match[0]) == 1:
            self._fault(start, start + 1, "A control character in a string must be escaped.")
        return match[0]

    def _closer(self, at: int) -> int:
        """Takes a closing bracket, which closes the innermost container of its kind if that makes sense of the text."""
        text, stack = self.text, self._stack
        kind = "object" if text[at] == "}" else "array"
        is_kind_of_root = stack[0].kind == kind
        if self._open[kind] > is_kind_of_root or (is_kind_of_root and not _match_more_of[kind](text, at + 1)):
            while stack[-1].kind != kind:
                self._close_unclosed(at)
            self._close(at + 1)
            return self._separator(at + 1) if stack else at + 1
        if len(stack) > 1:
            self._fault(at, at + 1, f"Expected {']' if text[at] == '}' else '}'} here.")
            self._close(at + 1)
        else:
            self._fault(at, at + 1, "There is no open bracket for this one to close.")
        return self._separator(at + 1)

    def _close_unclosed(self, end: int) -> None:
        start = self._stack[-1].start
        self._fault(start, start + 1, "This bracket is not closed.")
        self._close(end)

    def _close(self, end: int) -> None:
        node = self._stack.pop()
        node.end = end
        self._open[node.kind] -= 1

    def _separator(self, at: int) -> int:
        """Takes the comma after an entry."""
        at = self._skip(at)
        char = self.text[at : at + 1]
        if char == ",":
            return at + 1
        if char not in ("", "}", "]"):
            what = "member" if self._stack[-1].kind == "object" else "item"
            self._fault(at, at + 1, f"Expected a comma before the next {what}.")
        return at

    def _skip(self, at: int) -> int:
        """The first offset that belongs to no blank and no comment."""
        match = _match_trivia(self.text, at)
        end = match.end() if match else at
        if self.text.startswith("/*", end):
            self._fault(end, end + 2, "This comment is not closed.")
            return len(self.text)
        return end

    def _fault(self, start: int, end: int, message: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.setdefault(start, Problem(start, end, message))


def _explain_word(word: str) -> str:
    if word.lstrip("+-") in ("NaN", "Infinity"):
        return "JSON has no NaN and no Infinity."
    if word[0] in "+-.0123456789":
        return "This is no JSON number."
    return "Expected a value here; a string takes double quotes."
