"""Hovers over declarations of schemas that no validator can judge in time, and whatever else is asked meanwhile."""

from __future__ import annotations

import json

import pytest

from e2e.rpc import Client, Json, RpcError
from slow_schemas import SLOW

SMALL = '{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}'
START = {"line": 0, "character": SMALL.index("http")}


def test_hovers_over_what_is_slow_are_cut_and_all_else_is_answered() -> None:
    with Client() as client:
        client.initialize()
        client.open("untitled:small", SMALL)
        texts = {}
        for number, schema in enumerate(SLOW.values()):
            uri = f"untitled:slow-{number}"
            text = json.dumps({"name": "a", "inputSchema": schema})
            texts[uri] = text
            client.open(uri, text)
            assert client.diagnostics(uri)
        asked = [client.ask("textDocument/hover", _at_declaration(uri, text)) for uri, text in texts.items()]
        assert client.hover("untitled:small", {"line": 0, "character": SMALL.index("type")})
        for id_ in asked:
            assert "**Tried out**: cut short after " in client.answer(id_)["contents"]["value"]
        _until_tried(client)
        assert client.messages("window/logMessage") == []
        assert client.shut_down() == 0
    assert client.stderr == b""


def test_a_cancelled_hover_leaves_the_judge_to_the_next() -> None:
    slow = json.dumps({"name": "a", "inputSchema": SLOW["repeated class"]})
    with Client() as client:
        client.initialize()
        client.open("untitled:small", SMALL)
        client.open("untitled:slow", slow)
        _until_tried(client)
        asked = client.ask("textDocument/hover", _at_declaration("untitled:slow", slow))
        client.notify("$/cancelRequest", {"id": asked})
        with pytest.raises(RpcError, match="cancel"):
            client.answer(asked)
        _until_tried(client)
        assert client.shut_down() == 0


def _at_declaration(uri: str, text: str) -> Json:
    return {"textDocument": {"uri": uri}, "position": {"line": 0, "character": text.index("http")}}


def _until_tried(client: Client) -> None:
    """Ask again until the judge is ready and free, within a client's patience."""
    client.patiently(lambda: "8 sample values" in client.hover("untitled:small", START)["contents"]["value"])
