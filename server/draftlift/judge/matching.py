"""A string that a regular expression should match, for the patterns that tools are written with.

The expression is read, and never run: running it could take for ever. So what comes out is a guess, which a validator
judges like any other sample value.
"""

from __future__ import annotations

from collections.abc import Callable

LONGEST = 10_000
_SETS = {"d": "1", "w": "a", "s": " ", "D": "a", "W": " ", "S": "a"}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_OTHERS = "a1 A_-!~é"
"""What is tried for a class that says what a character is not."""


def matching(pattern: str, least: int = 0) -> str | None:
    """A string of at least so many characters, where one is found; None where the expression is beyond this module."""
    try:
        short = _Reader(pattern, 0).read()
        if len(short) >= least:
            return short
        return _Reader(pattern, least - len(short)).read()
    except (_BeyondError, RecursionError):
        return None


class _BeyondError(Exception):
    """The expression is not understood."""


class _Reader:
    """Reads an expression once. ``more`` is how often whatever may come any number of times comes above its least."""

    def __init__(self, pattern: str, more: int) -> None:
        self._pattern = pattern
        self._at = 0
        self._more = more

    def read(self) -> str:
        found = self._branches()
        if self._at < len(self._pattern):
            raise _BeyondError  # a bracket too many
        return found

    def _next(self) -> str:
        if self._at >= len(self._pattern):
            raise _BeyondError
        self._at += 1
        return self._pattern[self._at - 1]

    def _skip(self, text: str) -> bool:
        found = self._pattern.startswith(text, self._at)
        self._at += len(text) * found
        return found

    def _branches(self) -> str:
        """The first of the branches up to the end of a group."""
        found = self._sequence()
        while self._skip("|"):
            self._sequence()
        return found

    def _sequence(self) -> str:
        parts = []
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            atom = self._atom()
            times = self._times()
            if times * len(atom) > LONGEST:
                raise _BeyondError
            parts.append(atom * times)
        if sum(map(len, parts)) > LONGEST:
            raise _BeyondError
        return "".join(parts)

    def _atom(self) -> str:
        character = self._next()
        if character in "^$":
            return ""
        if character == ".":
            return "a"
        if character == "[":
            return self._class()
        if character == "\\":
            return self._escape()
        if character == "(":
            return self._group()
        if character in "*+?":
            raise _BeyondError
        return character

    def _group(self) -> str:
        looks = any([self._skip("?="), self._skip("?!"), self._skip("?<="), self._skip("?<!")])
        if not looks and not self._skip("?:") and (self._skip("?<") or self._skip("?P<")):
            while self._next() != ">":
                pass
        if self._pattern.startswith("?", self._at):
            raise _BeyondError
        found = self._branches()
        if self._next() != ")":
            raise _BeyondError
        return "" if looks else found

    def _escape(self) -> str:
        character = self._next()
        if character in "bB":
            return ""
        if character in _SETS:
            return _SETS[character]
        if character in "xu":
            return self._code(2 if character == "x" else 4)
        if character.isalnum() and character not in _CONTROLS:
            raise _BeyondError  # what stood in a group, a property of Unicode
        return _CONTROLS.get(character, character)

    def _code(self, digits: int) -> str:
        try:
            return chr(int("".join(self._next() for _ in range(digits)), 16))
        except ValueError:
            raise _BeyondError from None

    def _class(self) -> str:
        """A character of a class."""
        negated = self._skip("^")
        parts: list[tuple[str, str]] = []  # from and to
        sets = ""
        while not self._skip("]") or not (parts or sets):
            first, is_set = self._of_class()
            if is_set:
                sets += first
            elif self._pattern.startswith("-", self._at) and not self._pattern.startswith("-]", self._at):
                self._at += 1
                parts.append((first, self._of_class()[0]))
            else:
                parts.append((first, first))
        if not negated:
            return _SETS[sets[0]] if sets else parts[0][0]
        for character in _OTHERS:
            if not any(low <= character <= high for low, high in parts) and not any(
                _IS_IN[name](character) for name in sets
            ):
                return character
        raise _BeyondError

    def _of_class(self) -> tuple[str, bool]:
        """A character of a class, or the letter of a set of them and True."""
        character = self._next()
        if character == "\\":
            if self._at < len(self._pattern) and self._pattern[self._at] in _SETS:
                return self._next(), True
            return self._escape() or "\b", False
        return character, False

    def _times(self) -> int:
        """How often the atom before is to come."""
        least, endless = 1, False
        if self._skip("*"):
            least, endless = 0, True
        elif self._skip("+"):
            endless = True
        elif self._skip("?"):
            least = 0
        elif self._pattern.startswith("{", self._at):
            bounds, closed, _ = self._pattern[self._at + 1 :].partition("}")
            low, comma, high = bounds.partition(",")
            if not closed or not low.isdecimal() or len(low) > 4 or not (high.isdecimal() or not high):
                return 1  # a brace that means itself
            self._at += len(bounds) + 2
            least, endless = int(low), bool(comma) and not high
            if high and self._more:
                return max(least, min(int(high[:5]), least + self._more))
        else:
            return 1
        self._skip("?") or self._skip("+")
        return least + self._more * endless


_IS_IN: dict[str, Callable[[str], bool]] = {
    "d": str.isdecimal,
    "w": lambda character: character.isalnum() or character == "_",
    "s": str.isspace,
    "D": lambda character: not character.isdecimal(),
    "W": lambda character: not (character.isalnum() or character == "_"),
    "S": lambda character: not character.isspace(),
}
