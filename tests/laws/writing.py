"""Values written as authors write them, in every layout, with a comment at any place; and whose each comment is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from draftlift.syntax.tree import Language

Pointer = tuple[str | int, ...]
Kind = Literal["above", "behind", "head", "foot", "free"]
"""Where a comment stands: directly above a member, behind it on its line, beside the key or bracket that begins a
collection, below its last member, or above a member with an empty line between."""


@dataclass
class Writer:
    """One layout. ``at`` is the number of the place that gets a comment, counted from 0; None is no comment, -1 is all."""

    language: Language = "yaml"
    newline: str = "\n"
    quote: str = ""
    explicit: bool = False
    lists_indented: bool = False
    apart: bool = False
    trailing: bool = False
    leading: bool = False
    unit: str = "  "
    final: str = "\n"
    layout: Literal["block", "lines", "line", "compact"] = "block"
    at: int | None = None
    places: int = 0
    said: dict[str, tuple[Kind, Pointer]] = field(default_factory=dict)

    def write(self, value: Any) -> str:
        if self.layout == "block":
            text = "\n".join(self.block(value, "", ()))
        elif self.layout == "lines":
            text = self.lines(value, "", ())
        else:
            text = self.line(value, ())
        return text.replace("\n", self.newline) + self.final.replace("\n", self.newline)

    def comment(self, kind: Kind, pointer: Pointer, *, inline: bool = False) -> str:
        number = self.places
        self.places += 1
        if self.at not in (number, -1) or (self.at == -1 and kind == "free"):
            return ""
        name = f"c{number}."
        self.said[name] = (kind, pointer)
        if self.language == "yaml":
            return f"# {name}"
        return f"/* {name} */" if inline or number % 2 else f"// {name}"

    def key(self, key: str) -> str:
        return self.quote + key + self.quote

    def scalar(self, value: Any) -> str:
        if isinstance(value, str) and self.language == "yaml" and self.layout == "block" and not self.quote:
            return value if value.isalnum() else json.dumps(value)
        return json.dumps(value)

    # -- the block style of YAML

    def block(self, value: Any, indent: str, pointer: Pointer) -> list[str]:
        out: list[str] = []
        if isinstance(value, dict):
            for number, (key, item) in enumerate(value.items()):
                place = (*pointer, key)
                if self.apart and number:
                    out.append("")
                if number and (free := self.comment("free", place)):
                    out += ["", indent + free, ""]
                is_top = not pointer and not number  # what a text begins with is about all of it
                out += self.comment_line("free" if is_top else "above", indent, place)
                head = f"{indent}? {self.key(key)}\n{indent}:" if self.explicit else f"{indent}{self.key(key)}:"
                out += self.with_value(head, item, indent, place, lists="  " if self.lists_indented else "")
            foot = self.comment("foot", pointer) if pointer else ""
            out += [indent + foot] if foot else []
            return out
        for number, item in enumerate(value):
            place = (*pointer, number)
            if isinstance(item, dict) and item:
                first, *rest = self.block(item, indent + "  ", place)
                if "#" in first and first.split()[0] == "#":
                    self.said[first.split()[1]] = ("head", place)
                out += [f"{indent}- {first.removeprefix(indent + '  ')}", *rest]
            else:
                out += self.with_value(f"{indent}-", item, indent, place, lists="  ")
        return out

    def comment_line(self, kind: Kind, indent: str, pointer: Pointer) -> list[str]:
        comment = self.comment(kind, pointer)
        return [indent + comment] if comment else []

    def with_value(self, head: str, value: Any, indent: str, pointer: Pointer, lists: str) -> list[str]:
        if value and isinstance(value, (dict, list)):
            comment = self.comment("head", pointer)
            inner = indent + ("  " if isinstance(value, dict) else lists)
            return [head + (f"  {comment}" if comment else ""), *self.block(value, inner, pointer)]
        if isinstance(value, str) and "\n" in value:
            return [f"{head} |", *(indent + "    " + line for line in value.removesuffix("\n").split("\n"))]
        comment = self.comment("behind", pointer)
        return [f"{head} {self.scalar(value)}" + (f"  {comment}" if comment else "")]

    # -- brackets over lines

    def lines(self, value: Any, indent: str, pointer: Pointer) -> str:
        if not value or not isinstance(value, (dict, list)):
            return self.scalar(value)
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        head = self.comment("head", pointer) if pointer else ""
        out = opening + (f" {head}" if head else "")
        inner = indent + self.unit
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for number, (key, item) in enumerate(members):
            place = (*pointer, key)
            is_last = number + 1 == len(value)
            if self.apart and number:
                out += "\n"
            if number and (free := self.comment("free", place)):
                out += f"\n\n{inner}{free}\n"
            if isinstance(key, str) and (above := self.comment("above", place)):
                out += f"\n{inner}{above}"
            begin = inner if not self.leading or not number else inner.removesuffix("  ") + ", "
            name = f"{self.key(key)}: " if isinstance(key, str) else ""
            comma = "" if self.leading or (is_last and not self.trailing) else ","
            out += f"\n{begin}{name}{self.lines(item, inner, place)}{comma}"
            if isinstance(key, str) and (behind := self.comment("behind", place)):
                out += f" {behind}"
        foot = self.comment("foot", pointer) if pointer and isinstance(value, dict) else ""
        return out + (f"\n{inner}{foot}" if foot else "") + f"\n{indent}{closing}"

    # -- brackets on one line

    def line(self, value: Any, pointer: Pointer) -> str:
        if not value or not isinstance(value, (dict, list)):
            return self.scalar(value)
        comma, colon = (",", ":") if self.layout == "compact" else (", ", ": ")
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        parts = []
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            place = (*pointer, key)
            if isinstance(key, int):
                parts.append(self.line(item, place))
                continue
            above, behind = "", ""
            if self.language == "json":
                above, behind = self.comment("above", place, inline=True), ""
            text = f"{self.key(key)}{colon}{self.line(item, place)}"
            if self.language == "json":
                behind = self.comment("behind", place, inline=True)
            parts.append((f"{above} " if above else "") + text + (f" {behind}" if behind else ""))
        return opening + comma.join(parts) + closing


def _layout(**options: Any) -> Callable[[], Writer]:
    return lambda: Writer(**options)


JSON: dict[str, Any] = {"language": "json", "quote": '"', "layout": "lines"}
LAYOUTS: dict[str, Callable[[], Writer]] = {
    "JSON": _layout(**JSON),
    "JSON, tabs and CRLF": _layout(**JSON, unit="\t", newline="\r\n"),
    "JSON, empty lines": _layout(**JSON, apart=True, final=""),
    "JSON, commas everywhere": _layout(**JSON, trailing=True),
    "JSON, commas first": _layout(**JSON, leading=True, unit="  "),
    "JSON, a line": _layout(**JSON | {"layout": "line"}),
    "JSON, compact": _layout(**JSON | {"layout": "compact"}, final=""),
    "YAML": _layout(),
    "YAML, indented lists": _layout(lists_indented=True),
    "YAML, empty lines": _layout(apart=True),
    "YAML, CRLF": _layout(newline="\r\n"),
    "YAML, no last line end": _layout(final=""),
    "YAML, quoted": _layout(quote='"'),
    "YAML, single quotes": _layout(quote="'"),
    "YAML, explicit keys": _layout(explicit=True),
    "YAML, in brackets": _layout(layout="lines"),
    "YAML, a line in brackets": _layout(layout="line"),
    "YAML, JSON's way": _layout(layout="compact", quote='"'),
}
