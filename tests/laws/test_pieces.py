"""Following edits gives what a new analysis would, after any sequence of edits."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import yaml

from draftlift.analysis import Analysis, Finding, Fix, Settings, analyse
from draftlift.analysis.pieces import Pieces
from draftlift.syntax.tree import Language, walk

SEQUENCES = int(os.environ.get("DRAFTLIFT_SEQUENCES", "60"))
EDITS = 12
PIECES = [
    *'"{}[]:,\n\t#x1&*',
    "- ",
    "null",
    "😀",
    "\r\n",
    '"a": 1, ',
    "\n      a: b",
    "true",
    "  ",
    '"$schema"',
    "//",
    "/*",
    "'",
    "|\n",
    "# it\n",
    "|+\n",
    "\n\n",
    "&id001 ",
    "*id001",
    "&new ",
    "\n      <<: *id001",
    "? ",
    "!!str ",
]


UNUSUAL: list[Any] = [None, {}, {"type": "object", "required": True}]
OLD = {"$schema": "http://json-schema.org/draft-07/schema#"}


def tool(index: int, rng: random.Random) -> dict[str, Any]:
    old = OLD if rng.random() < 0.7 else {}
    pair = {"pair": {"type": "array", "items": [{"type": "number"}, {}], "additionalItems": False}}
    schema = {**old, "type": "object", "properties": {"name": {"type": "string", "description": "läng 😀 e"}, **pair}}
    found: dict[str, Any] = {"name": f"tool{index}", "description": "What it does", "inputSchema": schema}
    if rng.random() < 0.2:
        found["inputSchema"] = rng.choice(UNUSUAL)
    if rng.random() < 0.1:
        del found["inputSchema"]
    return found


def around(tools: Any, rng: random.Random) -> Any:
    return rng.choice(
        [tools, {"tools": tools}, {"tools": tools, "nextCursor": "x"}, {"result": {"tools": tools}, "jsonrpc": "2.0"}]
    )


def plain_json(rng: random.Random) -> tuple[str, Language]:
    whole = around([tool(index, rng) for index in range(rng.randint(1, 5))], rng)
    kind = rng.randrange(3)
    if kind == 0:
        return json.dumps(whole), "json"
    if kind == 1:
        return json.dumps(whole, indent=2, ensure_ascii=False) + "\n", "json"
    return json.dumps(whole, indent="\t").replace("\n", "\r\n"), "json"


def broken_json(rng: random.Random) -> tuple[str, Language]:
    """A text with one or two faults, mostly such as unbalance it."""
    text, language = plain_json(rng)
    for _ in range(rng.randint(1, 2)):
        at = rng.choice([match.start() for match in re.finditer(r'[{}\[\]:,"]', text)])
        text = text[:at] + rng.choice(["", "", "", ",", "]", "}", "{", "x", "//", '{"name": "x", ']) + text[at + 1 :]
    return text, language


def plain_yaml(rng: random.Random) -> tuple[str, Language]:
    whole = around([tool(index, rng) for index in range(rng.randint(1, 5))], rng)
    return commented(dumped(json.loads(json.dumps(whole)), rng), rng), "yaml"


def shared_yaml(rng: random.Random) -> tuple[str, Language]:
    """A text with anchors, aliases and merge keys; some tools have a part in them, and some have not."""
    common = rng.choice([{**OLD, "type": "object"}, {"type": "string"}, {"items": [{}], "additionalItems": False}])
    tools: list[Any] = []
    for index in range(rng.randint(3, 6)):
        found = json.loads(json.dumps(tool(index, rng)))
        kind = rng.randrange(14)
        schema = found.get("inputSchema")
        if kind == 0:
            found["inputSchema"] = common
        elif kind == 1 and schema:
            schema["properties"] = {"common": common, "again": common}
        elif kind == 2 and schema:
            found["inputSchema"] = {"<<": common, **schema}
        elif kind == 3:
            found = {"<<": {"description": "Merged", "_meta": common}, **found}
        elif kind == 4 and tools:
            found = {**found, "outputSchema": rng.choice(tools).get("inputSchema")}
        elif kind == 5 and tools:
            found = rng.choice(tools)
        tools.append(found)
    whole = around(tools, rng)
    if isinstance(whole, dict) and rng.random() < 0.7:
        whole = {"x-common": rng.choice([common, [common], {"a": common, "tools": tools}]), **whole}
    return commented(dumped(whole, rng), rng), "yaml"


class Indented(yaml.SafeDumper):
    """Writes lists deeper than the keys they belong to."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def dumped(value: Any, rng: random.Random) -> str:
    options: Any = {"sort_keys": False, "allow_unicode": True, "width": 1000, "indent": rng.choice([2, 4])}
    text: str = yaml.dump(value, Dumper=rng.choice([yaml.SafeDumper, Indented]), **options)
    return text.replace("'<<':", "<<:")


def commented(text: str, rng: random.Random) -> str:
    """The text with comments and empty lines in it, at places that change nothing."""
    lines = text.split("\n")
    for _ in range(rng.choice([0, 0, 1, 3])):
        lines.insert(rng.randrange(len(lines)), rng.choice(["", "# one", "      # far in", "  # two\n"]))
    return rng.choice(["\n", "\n", "\r\n"]).join(lines)


KINDS: dict[str, Callable[[random.Random], tuple[str, Language]]] = {
    "plain JSON": plain_json,
    "broken JSON": broken_json,
    "plain YAML": plain_yaml,
    "shared YAML": shared_yaml,
}


def told(found: Pieces | Analysis) -> list[Any]:
    pairs: list[tuple[Finding, tuple[Fix, ...]]] = []
    if isinstance(found, Analysis):
        pairs += zip(found.findings, found.fixes(found.findings), strict=True)
    else:
        for piece, findings in found.pieces():
            pairs += zip(map(piece.finding, findings), piece.fixes(findings), strict=True)
    return sorted(
        (f.span, f.rule, f.severity, f.message, f.tool, f.document, f.pointer, f.token, f.tags, f.related,
         tuple((fix.title, fix.edits, fix.preferred, fix.applicability) for fix in fixes))
        for f, fixes in pairs
    )  # fmt: skip


def edit(text: str, rng: random.Random) -> tuple[int, int, str]:
    """An edit at random: most of them within a word, as most keystrokes are."""
    if rng.random() < 0.65:
        at = rng.choice([match.start() for match in re.finditer(r"\w\w", text)] or [0]) + 1
        return (at, at, "x") if rng.random() < 0.7 else (at, min(len(text), at + 1), "")
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice([0, 0, 0, 1, 1, 3, 12]))
    return start, end, rng.choice(PIECES) if rng.random() < 0.7 else ""


class Followed(NamedTuple):
    """How many edits of a sequence were followed, and how many of these on a base with aliases or with problems."""

    all: int
    special: int


def follow(kind: str, seed: int) -> Followed:
    """Hold the law over a sequence of edits; some that break the text are undone, as an author would."""
    rng = random.Random(seed)
    text, language = KINDS[kind](rng)
    settings = Settings()
    pieces = Pieces.of(analyse(text, language, settings), settings)
    followed = special = faults = 0
    undo: tuple[int, int, str] | None = None
    for _ in range(EDITS):
        start, end, new_text = undo or edit(text, rng)
        gone, text = text[start:end], text[:start] + new_text + text[end:]
        whole = analyse(text, language, settings)
        after = pieces.edited(start, end, new_text)
        if after is not None:
            assert told(after) == told(whole)
            followed += 1
            tree = pieces.base.tree
            special += bool(tree.problems) or any(
                node.kind == "alias" for root in tree.documents if root is not None for node in walk(root)
            )
        pieces = after if after is not None else Pieces.of(whole, settings)
        is_worse = len(whole.tree.problems) > faults
        undo = (start, start + len(new_text), gone) if is_worse and rng.random() < 0.8 else None
        faults = len(whole.tree.problems)
    return Followed(followed, special)


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_the_pieces_say_what_the_whole_says(seed: int) -> None:
    follow(list(KINDS)[seed % len(KINDS)], seed)


@pytest.mark.parametrize(
    ("kind", "special"), [("plain JSON", 0), ("broken JSON", 12), ("plain YAML", 0), ("shared YAML", 6)]
)
def test_the_law_is_not_held_in_vain(kind: str, special: int) -> None:
    """Of 40 sequences many have edits that are followed, and so many have such edits on a base with faults or aliases."""
    sequences = [follow(kind, seed) for seed in range(40)]
    assert sum(sequence.all >= 3 for sequence in sequences) >= 10
    assert sum(sequence.special >= 3 for sequence in sequences) >= special


ALIASES = """\
x-common: &common
  $schema: http://json-schema.org/draft-07/schema#
  items: [{}]
tools:
- name: first
  inputSchema: *common
- name: alone
  description: What it does
  inputSchema: {type: object}
- name: last
  inputSchema:
    type: object
    properties:
      a: *common
"""
TAIL = ALIASES.replace("  inputSchema: {type: object}\n", "  inputSchema:\n    type: object\n    $schema: X\n")
MERGED = "result:\n  name: z\n  <<:\n  - name: a\n    inputSchema: {type: object}\n"
KEYED = "tools:\n- name: a\n  inputSchema: {}\n  &n description: x\n- name: b\n  inputSchema: {}\n"
CRLF = TAIL.replace("X\n", "http://json-schema.org/draft-04/schema#\n    additionalItems: false\n").replace(
    "\n", "\r\n"
)
NESTED = '{"name": "a", "inputSchema": {}, "_meta": {"tools": [{"name": "b", "inputSchema": {"title": ""}}]}}'
BROKEN = (
    '{"tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b" "inputSchema": {"x": nul}}, {"name"]'
)
FAULTS = '[{"name": "a", "inputSchema": {}}, ' + "x, " * 990 + "]"
DEEP = "[" * 60 + '{"name": "a", "inputSchema": {}, "x": 1}' + "]" * 60
INNER = "[" * 50 + '{"name": "b", "inputSchema": {}}' + "]" * 50


@pytest.mark.parametrize(
    ("text", "language", "old", "new"),
    [
        (ALIASES, "yaml", "What", "How"),
        (ALIASES, "yaml", "What it does", "R&D, & *so on"),
        (ALIASES, "yaml", "object", "objec"),
        (ALIASES.replace("common\n  $", "common\n  x: {}\n  $"), "yaml", "{type: object}", "null"),
        (TAIL, "yaml", "X", "|-\n      X\n      Y"),
        (CRLF, "yaml", "What", "How"),
        (BROKEN, "json", "object", "objec"),
        (BROKEN, "json", '"object"', "object"),
        (FAULTS, "json", "{}", "/* all */ {}"),
    ],
)
def test_what_is_followed(text: str, language: Language, old: str, new: str) -> None:
    pieces = Pieces.of(analyse(text, language), Settings())
    at = text.index(old)
    after = pieces.edited(at, at + len(old), new)
    assert after is not None
    assert told(after) == told(analyse(text[:at] + new + text[at + len(old) :], language))


@pytest.mark.parametrize(
    ("text", "language", "old", "new"),
    [
        # What others share, or begin or cease to share.
        (ALIASES, "yaml", "items", "item"),
        (ALIASES, "yaml", "first", "the first"),
        (ALIASES, "yaml", "a: *common", "a: {}"),
        (ALIASES, "yaml", "type: object", "type: object, default: *common"),
        (ALIASES, "yaml", "What it", "&common What it"),
        (ALIASES, "yaml", "description:", "&common description:"),
        (KEYED + "x: *n\n", "yaml", "&n ", ""),
        (KEYED + "*n : x\n", "yaml", "&n ", ""),
        (KEYED + "? [*n]\n: x\n", "yaml", "&n ", ""),
        (KEYED + "? [*n]\n: x\n", "yaml", "x", "y"),
        (KEYED, "yaml", "x", "&new x\n  y: *new"),
        (MERGED, "yaml", "type", "tipe"),
        (MERGED.replace("name: z", "name: 1"), "yaml", "    inputSchema", "    requestedSchema: {}\n    inputSchema"),
        # What would be something else in its place.
        (TAIL.replace("X\n", "X\n      # X\n"), "yaml", "X", "|"),
        (TAIL.replace("X\n", "X\n         \n"), "yaml", "X", "|"),
        (TAIL.replace("X\n", "X\n\n"), "yaml", "X", "|+\n      X"),
        (TAIL.replace("X\n", "X\n\n"), "yaml", "$schema: X", "? |+\n      X"),
        (KEYED, "yaml", "description: x", "description: x\n..."),
        (KEYED.replace("\n", "\n  "), "yaml", " - name: a", "-  name: a"),
        (KEYED, "yaml", "description: x", "x: y\n- name: c"),
        ('[{"name": "a", "inputSchema": {}}]', "json", "{}", "{}}, {"),
        # What belongs to something around it.
        (NESTED, "json", '"title": ""', '"title": "", "title": ""'),
        (DEEP, "json", "1", INNER),
        # What a fault touches, or faults that are too many.
        (BROKEN, "json", '"b" ', '"b", '),
        (BROKEN, "json", "nul", "null"),
        (FAULTS, "json", "{}", '{"required": [' + "x, " * 10 + "]}"),
        (ALIASES + "x: [", "yaml", "What", "How"),
    ],
)
def test_what_is_not_followed(text: str, language: Language, old: str, new: str) -> None:
    pieces = Pieces.of(analyse(text, language), Settings())
    at = text.index(old)
    assert pieces.edited(at, at + len(old), new) is None


@pytest.mark.parametrize("language", ["json", "yaml"])
def test_a_keystroke_inside_a_tool_is_followed(language: Language) -> None:
    tools = [{"name": f"t{i}", "description": "What it does", "inputSchema": {"type": "object"}} for i in range(3)]
    text = json.dumps({"tools": tools}, indent=1) if language == "json" else yaml.safe_dump({"tools": tools})
    pieces = Pieces.of(analyse(text, language), Settings())
    at = text.index("it does", text.index("it does") + 1)
    after = pieces.edited(at, at, "x")
    assert after is not None
    assert after.edited(at + 1, at + 1, "y") is not None
    assert after.edited(2, 2, " ") is None  # outside of every tool
    assert after.piece_at(at).analysis is not pieces.base
    assert after.piece_at(3).analysis is pieces.base


@pytest.mark.parametrize("language", ["json", "yaml"])
@pytest.mark.parametrize("typed", ["{", "}", "[", '"', "\t", "}}}}", "\n  x", "'"])
def test_an_item_that_breaks_costs_itself_only(language: Language, typed: str) -> None:
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
    tools = [{"name": f"t{i}", "inputSchema": {**old}, "description": "What it does"} for i in range(5)]
    text = (
        json.dumps({"tools": tools}, indent=1)
        if language == "json"
        else yaml.safe_dump({"tools": tools}, sort_keys=False)
    )
    pieces = Pieces.of(analyse(text, language), Settings())
    at = text.index("object", text.index("t2"))
    after = pieces.edited(at, at, typed) or pieces.broken(at, at, typed)
    assert after is not None
    told_of = [finding.tool for finding in after.findings() if finding.rule == "legacy-dialect"]
    assert [tool for tool in told_of if tool != "t2"] == ["t0", "t1", "t3", "t4"]
    repaired = after.edited(at, at + len(typed), "")
    assert repaired is not None
    assert told(repaired) == told(pieces)


@pytest.mark.parametrize(
    ("text", "language", "old", "new"),
    [
        ('[{"name": "a", "inputSchema": {}}, {"name": "b", "inputSchema": {}}]', "json", "{}", '{} x}, {"name": 1'),
        (KEYED, "yaml", "x", "x\n- name: ["),
        (KEYED, "yaml", "x", "*m\n  ["),
        (BROKEN, "json", '"a"', '"a" {'),
    ],
)
def test_a_broken_text_that_may_be_more_than_an_item_is_not_told_alone(
    text: str, language: Language, old: str, new: str
) -> None:
    pieces = Pieces.of(analyse(text, language), Settings())
    at = text.index(old)
    assert pieces.edited(at, at + len(old), new) is None
    assert pieces.broken(at, at + len(old), new) is None


def test_one_item_at_a_time_is_told_as_broken() -> None:
    text = '[{"name": "a", "inputSchema": {}}, {"name": "b", "inputSchema": {}}]'
    pieces = Pieces.of(analyse(text, "json"), Settings())
    at = text.index("{}")
    after = pieces.broken(at, at, "[")
    assert after is not None
    at = text.index('"b"') + 2
    followed = after.edited(at, at, "x")
    assert followed is not None
    assert followed.broken(at + 1, at + 1, '", {') is None
