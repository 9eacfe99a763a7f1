"""A large file: edits inside tools cost those tools, and everything that is asked afterwards is about the present text."""

from __future__ import annotations

import json

import pytest

from draftlift.analysis import Settings, analyse
from draftlift.analysis.pieces import Pieces
from draftlift.syntax.tree import Language
from draftlift.text import Edit, LineIndex, apply_edits
from e2e.rpc import Client, Json, codes, edited, text_edits

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def large(language: Language) -> str:
    schema = {"$schema": DRAFT_07, "type": "object", "properties": {"pair": {"type": "array", "items": [{}, {}]}}}
    tools = [{"name": f"t{i}", "description": f"Does 😀 {i}", "inputSchema": schema} for i in range(120)]
    if language == "json":
        return json.dumps({"tools": tools}, indent=2, ensure_ascii=False)
    return "tools:\n" + "".join(
        f"- name: t{i}\n  description: Does 😀 {i}\n  inputSchema:\n    $schema: {DRAFT_07}\n    type: object\n"
        f"    properties:\n      pair:\n        type: array\n        items: [{{}}, {{}}]\n"
        for i in range(120)
    )


def typed(client: Client, uri: str, text: str, language: Language) -> tuple[str, list[Json]]:
    """The text after edits in several tools, and what was found in it last; after each edit, what a whole look finds."""
    found: list[Json] = []
    for version, (after, new_text) in enumerate(
        [
            ("Does 😀 100", " x"),
            ("Does 😀 3", " y😀"),
            ("Does 😀 100", "z"),
            ("Does 😀 60", " w"),
            ("Does 😀 3 y", "v"),
        ],
        2,
    ):
        at = text.index(after) + len(after)
        place = LineIndex(text).position(at, "utf-16")
        position = {"line": place.line, "character": place.character}
        client.change(uri, version, {"range": {"start": position, "end": position}, "text": new_text})
        assert Pieces.of(analyse(text, language), Settings()).edited(at, at, new_text) is not None
        text = apply_edits(text, [Edit(at, at, new_text)])
        found = client.diagnostics(uri, version)
        index = LineIndex(text)
        assert [(d["code"], d["range"]["start"], d["message"]) for d in found] == [
            (f.rule, dict(zip(("line", "character"), index.position(f.span.start, "utf-16"), strict=True)), f.message)
            for f in analyse(text, language).findings
        ]
    return text, found


@pytest.mark.parametrize("language", ["json", "yaml"])
def test_edits_here_and_there(client: Client, language: Language) -> None:
    uri, text = f"untitled:large.{language}", large(language)
    client.open(uri, text, language)
    client.diagnostics(uri)
    text, found = typed(client, uri, text, language)
    assert len(codes(found)) == 240
    for number in (0, 3, 50, 100, 119):
        diagnostic = found[2 * number]
        hover = client.hover(uri, diagnostic["range"]["start"])
        assert hover["range"] == diagnostic["range"]
        (action,) = [a for a in client.actions(uri, diagnostic["range"], [diagnostic]) if a["kind"] == "quickfix"]
        fixed = edited(text, text_edits(action["edit"], uri))
        assert fixed.count(DRAFT_07) == 119
        assert analyse(fixed, language).schemas[number].declared != DRAFT_07
    (fix_all,) = client.actions(uri, found[0]["range"], [], only=["source.fixAll"])
    assert DRAFT_07 not in edited(text, text_edits(fix_all["edit"], uri))


def test_edits_between_tools_that_share_text(client: Client) -> None:
    uri = "untitled:shared.yaml"
    head, *tools = large("yaml").split("- name: ")
    for number in (1, 80, 119):
        tools[number] = tools[number].replace("      pair:", "      common: *common\n      pair:")
    text = "- name: ".join([f"x-common: &common\n  additionalItems: false\n{head}", *tools])
    client.open(uri, text, "yaml")
    client.diagnostics(uri)
    text, found = typed(client, uri, text, "yaml")
    (shared,) = [diagnostic for diagnostic in found if diagnostic["data"]["tool"] == "t80"][:1]
    (action,) = [a for a in client.actions(uri, shared["range"], [shared]) if a["kind"] == "quickfix"]
    assert action["title"] == "Translate the 3 schemas that share `&common` to 2020-12"
    fixed = edited(text, text_edits(action["edit"], uri))
    schemas = analyse(fixed, "yaml").schemas
    assert [index for index, schema in enumerate(schemas) if schema.declared != DRAFT_07] == [1, 80, 119]
    translation = analyse(text, "yaml").schemas[80].translation
    assert translation is not None
    assert fixed == apply_edits(text, translation.edits)


def test_edits_of_a_text_that_was_broken(client: Client) -> None:
    uri = "untitled:broken.json"
    text = large("json").replace('"t20",', '"t20"').replace('"t90",', '"t90",,')
    client.open(uri, text)
    client.diagnostics(uri)
    text, found = typed(client, uri, text, "json")
    assert codes(found).count("json-syntax") == 2
    (action,) = client.actions(uri, found[0]["range"], [found[0]], only=["quickfix"])
    assert edited(text, text_edits(action["edit"], uri)).count(DRAFT_07) == 119
