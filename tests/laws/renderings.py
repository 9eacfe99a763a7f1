"""One value as text, in every way that authors write it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import yaml

from draftlift.syntax.tree import Language


class _NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def pretty_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def compact_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def tabbed_json(value: Any) -> str:
    return json.dumps(value, indent="\t").replace("\n", "\r\n")


def commented_json(value: Any) -> str:
    """Pretty JSON with a comment on every line, and a trailing comma wherever one may stand."""
    lines = json.dumps(value, indent=2).split("\n")
    out = []
    for number, line in enumerate(lines):
        closes_next = number + 1 < len(lines) and lines[number + 1].strip()[0] in "}]"
        comma = "," if closes_next and line[-1] not in "{[," else ""
        out.append(f"{line}{comma} // c{number}." if number % 3 else f"{line}{comma} /* c{number}. */")
    return "\n".join(out)


def remarked_json(value: Any) -> str:
    """Pretty JSON with a comment at the end of every line, behind the comma; and no comma but where JSON has one."""
    return "".join(f"{line} // c{number}.\n" for number, line in enumerate(json.dumps(value, indent=2).split("\n")))


def block_yaml(value: Any) -> str:
    text: str = yaml.dump(value, Dumper=_NoAliases, sort_keys=False, allow_unicode=True, width=4096)
    return text


def commented_yaml(value: Any) -> str:
    """Block YAML with a comment line before every line that can have one, where no scalar goes over lines."""
    text = block_yaml(value)
    lines = text.split("\n")
    if any(mark in text for mark in ("|", ">", '"', "'", "? ")):
        return text
    out = []
    for number, line in enumerate(lines):
        if line:
            out += [" " * (len(line) - len(line.lstrip())) + f"# c{number}.", f"{line}  # d{number}."]
    return "\n".join(out) + "\n"


def flow_yaml(value: Any) -> str:
    text: str = yaml.dump(
        value, Dumper=_NoAliases, sort_keys=False, default_flow_style=True, allow_unicode=True, width=80
    )
    return text


RENDERINGS: dict[str, tuple[Language, Callable[[Any], str]]] = {
    "pretty JSON": ("json", pretty_json),
    "compact JSON": ("json", compact_json),
    "JSON with tabs and CRLF": ("json", tabbed_json),
    "JSONC": ("json", commented_json),
    "JSON with remarks": ("json", remarked_json),
    "block YAML": ("yaml", block_yaml),
    "block YAML with comments": ("yaml", commented_yaml),
    "flow YAML": ("yaml", flow_yaml),
}
