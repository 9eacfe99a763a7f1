"""A large file: edits inside tools cost those tools, and everything that is asked afterwards is about the present text."""

from __future__ import annotations

import json

import pytest

from draftlift.analysis import analyse
from draftlift.syntax.tree import Language
from draftlift.text import Edit, LineIndex, apply_edits
from e2e.rpc import Client, codes, edited, text_edits

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


@pytest.mark.parametrize("language", ["json", "yaml"])
def test_edits_here_and_there(client: Client, language: Language) -> None:
    uri, text = f"untitled:large.{language}", large(language)
    client.open(uri, text, language)
    client.diagnostics(uri)
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
        text = apply_edits(text, [Edit(at, at, new_text)])
        found = client.diagnostics(uri, version)
        whole = analyse(text, language)
        index = LineIndex(text)
        assert [(d["code"], d["range"]["start"], d["message"]) for d in found] == [
            (f.rule, dict(zip(("line", "character"), index.position(f.span.start, "utf-16"), strict=True)), f.message)
            for f in whole.findings
        ]
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
