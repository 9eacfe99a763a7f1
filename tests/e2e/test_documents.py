"""Texts on their way through the protocol: encodings, edits, URIs, languages."""

from __future__ import annotations

import pytest

from draftlift.text import Encoding, LineIndex
from e2e.rpc import FULL, Client, Json, codes, edited, span, text_edits

NAMED = '{"tools": [{"name": "é😀", "inputSchema": null}]}'
CRLF = '{"tools": [\r\n  {"name": "a😀", "inputSchema": null},\r\n  {"name": "b", "inputSchema": {}}\r\n]}\r\n'
YAML = "tools:\n- name: a\n  inputSchema: null\n"


@pytest.mark.parametrize(
    ("offered", "encoding", "start"),
    [
        (["utf-8", "utf-16"], "utf-8", 45),
        (["utf-7", "utf-16", "utf-8"], "utf-16", 42),
        (["utf-32"], "utf-32", 41),
    ],
)
def test_positions_are_counted_as_agreed(offered: list[str], encoding: Encoding, start: int) -> None:
    uri = "untitled:Untitled-1"
    with Client() as client:
        assert client.initialize(FULL, offered)["capabilities"]["positionEncoding"] == encoding
        client.open(uri, NAMED)
        (found,) = client.diagnostics(uri)
        assert found["range"] == span(0, start, start + 4)
        fix = client.actions(uri, found["range"])[0]
        assert '"inputSchema": {"type"' in edited(NAMED, text_edits(fix["edit"], uri), encoding)
        client.change(uri, 2, {"range": span(0, start - 18, start - 18), "text": "😀😀"})
        (found,) = client.diagnostics(uri, 2)
        assert found["data"]["tool"] == "é😀😀😀"
        assert client.shut_down() == 0


def test_edits_in_a_row_leave_the_text_that_the_client_sees(client: Client) -> None:
    steps: list[list[tuple[str, str]]] = [
        [("a😀", "é"), ("null", "nu😀ll")],
        [("nu😀ll", "null"), (",\r\n  {", ", {"), ("é", "😀é😀")],
        [("]}\r\n", "]}"), ('"b"', '"b\\u00e9"'), ("\r\n", "\n")],
        [("{}", "nul")],
        [("nul}", "null}"), ("😀é😀", "tool")],
    ]
    text, uri = CRLF, "untitled:edited"
    client.open(uri, text)
    for version, replacements in enumerate(steps, 2):
        changes: list[Json] = []
        for old, new in replacements:
            at = text.index(old)
            lines = LineIndex(text)
            start, end = (lines.position(offset, "utf-16")._asdict() for offset in (at, at + len(old)))
            changes.append({"range": {"start": start, "end": end}, "text": new})
            text = text[:at] + new + text[at + len(old) :]
        client.change(uri, version, *changes)
        afresh = f"untitled:afresh-{version}"
        client.open(afresh, text)
        assert client.diagnostics(uri, version) == client.diagnostics(afresh)
    assert codes(client.diagnostics(uri, 6)) == ["null-input-schema", "null-input-schema"]
    client.change(uri, 7, {"text": NAMED})
    assert [found["data"]["tool"] for found in client.diagnostics(uri, 7)] == ["é😀"]


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "file:///c%3A/a%20b/tools.json",
        "file:///C:/%E2%82%AC/tools.json",
        "git:/a.json?{}",
        "foo://[abc/t.json",
        "file://[abc/t.json",
        "no scheme.json",
        ":",
        "file:",
        "file:///a/%00%FF.json",
    ],
)
def test_uris_come_back_as_they_were_sent(client: Client, uri: str) -> None:
    client.open(uri, NAMED)
    (found,) = client.diagnostics(uri)
    fix = client.actions(uri, found["range"], [found])[0]
    assert fix["edit"]["documentChanges"][0]["textDocument"] == {"uri": uri, "version": 1}
    client.close(uri)
    assert client.diagnostics(uri, None) == []


@pytest.mark.parametrize(
    ("language", "uri", "text", "known"),
    [
        ("json", "untitled:l1", NAMED, True),
        ("jsonc", "untitled:l2", "// two tools\n" + NAMED, True),
        ("yaml", "file:///no-ending", YAML, True),
        ("plaintext", "file:///a/TOOLS.YML", YAML, True),
        ("helm", "file:///a/tools.yaml?x=1#y", YAML, True),
        ("plaintext", "untitled:l3", "\ufeff \n" + NAMED, True),
        ("plaintext", "file:///a/tools.snap", NAMED, True),
        ("github-actions-yaml", "untitled:l4", YAML, True),
        ("plaintext", "file:///a.json/b", YAML, False),
        ("plaintext", "untitled:l5", YAML, False),
        ("json", "untitled:l6", "", False),
    ],
)
def test_languages(client: Client, language: str, uri: str, text: str, known: bool) -> None:
    client.open(uri, text, language)
    assert codes(client.diagnostics(uri)) == (["null-input-schema"] if known else [])
    client.close(uri)


def test_a_text_without_a_language_finds_it_while_it_is_typed(client: Client) -> None:
    client.open("untitled:new", "", "plaintext")
    assert client.diagnostics("untitled:new") == []
    client.change("untitled:new", 2, {"range": span(0, 0, 0), "text": NAMED})
    assert codes(client.diagnostics("untitled:new", 2)) == ["null-input-schema"]


@pytest.mark.parametrize(("language", "text"), [("json", CRLF), ("yaml", YAML)])
def test_every_key_stroke_is_answered(client: Client, language: str, text: str) -> None:
    uri = f"untitled:typed-{language}"
    client.open(uri, "", language)
    for version, offset in enumerate(range(len(text)), 2):
        at = LineIndex(text[:offset]).position(offset, "utf-16")._asdict()
        client.change(uri, version, {"range": {"start": at, "end": at}, "text": text[offset]})
        client.diagnostics(uri, version)
        client.actions(uri, {"start": at, "end": at})
    assert "null-input-schema" in codes(client.diagnostics(uri, len(text) + 1))
