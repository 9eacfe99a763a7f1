"""Long documents are looked at beside the event loop: others are answered meanwhile, and nothing past is said."""

from __future__ import annotations

import random
import time

import pytest

from draftlift.text import Edit, LineIndex, apply_edits
from e2e.rpc import Client, Json, RpcError, codes, span

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
REQUEST_CANCELLED = -32800
ORIGIN = {"line": 0, "character": 0}
SMALL = '{"name": "s", "inputSchema": null}'


def long_json(count: int) -> str:
    """One line a tool, the first on line 1; every third has an old schema."""
    rows = []
    for number in range(count):
        declared = f'"$schema": "{DRAFT_07}", ' if number % 3 == 0 else ""
        items = ", ".join(f'"p{index}": {{"type": "string", "minLength": {index}}}' for index in range(10))
        rows.append(
            f'{{"name": "t{number}", "inputSchema": {{{declared}"type": "object", "properties": {{{items}}}}}}}'
        )
    return '{"tools": [\n' + ",\n".join(rows) + "\n]}\n"


def long_yaml(count: int) -> str:
    """Four lines a tool, the first on line 1; every third has an old schema."""
    rows = ["tools:\n"]
    for number in range(count):
        declared = f"$schema: {DRAFT_07}, " if number % 3 == 0 else ""
        items = ", ".join(f"p{index}: {{type: string, minLength: {index}}}" for index in range(10))
        rows.append(
            f"- name: t{number}\n  inputSchema:\n    {{{declared}type: object,\n     properties: {{{items}}}}}\n"
        )
    return "".join(rows)


def insert(line: int, character: int, text: str) -> Json:
    return {"range": span(line, character, character), "text": text}


def test_others_are_answered_while_a_long_document_is_looked_at(client: Client) -> None:
    client.open("untitled:long", long_json(4000))
    client.open("untitled:small", SMALL)
    hover = client.hover("untitled:small", {"line": 0, "character": 30})
    assert hover is not None
    assert codes(client.diagnostics("untitled:small")) == ["null-input-schema"]
    assert "untitled:long" not in client.published
    assert len(client.diagnostics("untitled:long")) == 1000
    about_long = client.hover("untitled:long", {"line": 1, "character": 60})
    assert "draft-07" in about_long["contents"]["value"]


def test_a_server_that_is_told_to_end_in_the_middle_of_work_ends() -> None:
    with Client() as client:
        client.initialize()
        client.open("untitled:long", long_json(8000))
        client.ask("textDocument/hover", {"textDocument": {"uri": "untitled:long"}, "position": ORIGIN})
        assert client.shut_down() == 0
        assert "untitled:long" not in client.published
    assert client.stderr == b""


def test_a_request_that_waits_can_be_cancelled(client: Client) -> None:
    uri = "untitled:cancelled"
    client.open(uri, long_json(8000))
    asked = {"textDocument": {"uri": uri}, "position": ORIGIN, "range": span(0, 0, 0), "context": {"diagnostics": []}}
    methods = ("textDocument/hover", "textDocument/codeAction", "draftlift/status")
    waiting = [client.ask(method, asked) for method in methods]
    for id_ in waiting:
        client.notify("$/cancelRequest", {"id": id_})
    for id_ in waiting:
        with pytest.raises(RpcError) as cancelled:
            client.answer(id_)
        assert cancelled.value.code == REQUEST_CANCELLED
    assert uri not in client.published
    client.close(uri)
    assert client.diagnostics(uri, None) == []


def test_the_answer_about_the_diagnostics_of_a_long_document_can_be_cancelled() -> None:
    with Client() as client:
        client.initialize({"textDocument": {"diagnostic": {}}})
        client.open("untitled:long", long_json(8000))
        waiting = client.ask("textDocument/diagnostic", {"textDocument": {"uri": "untitled:long"}})
        client.notify("$/cancelRequest", {"id": waiting})
        with pytest.raises(RpcError) as cancelled:
            client.answer(waiting)
        assert cancelled.value.code == REQUEST_CANCELLED
        client.open("untitled:small", SMALL)
        small = client.request("textDocument/diagnostic", {"textDocument": {"uri": "untitled:small"}})
        assert codes(small["items"]) == ["null-input-schema"]
        assert client.shut_down() == 0
    assert client.stderr == b""


def test_what_is_asked_about_a_long_document_waits_for_it(client: Client) -> None:
    client.open("untitled:long", long_json(2000))
    (action,) = client.actions("untitled:long", span(1, 60, 60), only=["refactor"])
    assert action["title"] == "Translate this schema to 2020-12"


@pytest.mark.parametrize(("language", "text"), [("json", long_json(1500)), ("yaml", long_yaml(600))])
def test_edits_during_the_first_look_are_followed(client: Client, language: str, text: str) -> None:
    uri = "untitled:long"
    null, lines = (
        ('{"name": "x", "inputSchema": null},\n', 1) if language == "json" else ("- {name: x, inputSchema: null}\n", 1)
    )
    client.open(uri, text, language)
    client.change(uri, 2, insert(1, 0, null))
    client.change(uri, 3, insert(1 + lines, 0, null))
    found = client.diagnostics(uri, 3)
    assert codes(found)[:3] == ["null-input-schema", "null-input-schema", "legacy-dialect"]
    assert [params["version"] for params in client.published[uri]] == [3]


def test_a_long_document_that_is_replaced_or_closed_meanwhile(client: Client) -> None:
    uri = "untitled:long"
    client.open(uri, long_json(3000))
    client.change(uri, 2, {"text": SMALL})
    assert codes(client.diagnostics(uri, 2)) == ["null-input-schema"]
    client.change(uri, 3, {"text": long_json(3000)})
    client.close(uri)
    assert client.diagnostics(uri, None) == []
    client.open("untitled:small", SMALL)
    assert codes(client.diagnostics("untitled:small")) == ["null-input-schema"]
    time.sleep(0.5)
    client.messages("")
    assert [params.get("version") for params in client.published[uri]] == [2, None]


def test_settings_that_change_during_the_first_look(client: Client) -> None:
    client.open("untitled:long", long_json(600))
    client.configuration = {"rules": {"severity": {"legacy-dialect": "hint"}}}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.messages("")
    found = client.diagnostics("untitled:long")
    assert {diagnostic["severity"] for diagnostic in found} == {4}


@pytest.mark.parametrize("language", ["json", "yaml"])
@pytest.mark.parametrize("seed", range(3))
def test_after_edits_and_their_undoing_all_is_said_as_before(client: Client, language: str, seed: int) -> None:
    chance = random.Random(seed)
    text = long_json(300) if language == "json" else long_yaml(300)
    client.open("untitled:fresh", text, language)
    expected = client.diagnostics("untitled:fresh")
    uri = "untitled:edited"
    client.open(uri, text, language)
    version, undo = 1, []
    for step in range(30):
        if step < 15:
            start = chance.randrange(len(text))
            edit = Edit(start, start + chance.choice([0, 0, 1, 3]), chance.choice([*'"{}[],:a\n', "  ", "- ", "null"]))
            undo.append(Edit(start, start + len(edit.new_text), text[start : edit.end]))
        else:
            edit = undo.pop()
        lines = LineIndex(text)
        (line, character), (last, end) = (lines.position(at, "utf-16") for at in edit[:2])
        range_ = {"start": {"line": line, "character": character}, "end": {"line": last, "character": end}}
        version += 1
        client.change(uri, version, {"range": range_, "text": edit.new_text})
        text = apply_edits(text, [edit])
        time.sleep(chance.choice([0, 0, 0.01, 0.1]))
    assert client.diagnostics(uri, version) == expected
