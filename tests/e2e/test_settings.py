"""Settings, in all the ways clients send them."""

from __future__ import annotations

from typing import Any

import pytest

from e2e.rpc import FULL, Client, Json, codes

URI = "untitled:s"
TEXT = """[
{"name": "a", "inputSchema": null},
{"name": "b", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}
]"""
ALL = ["null-input-schema", "legacy-dialect"]


@pytest.mark.parametrize(
    "options",
    [
        {"rules": {"ignore": ["null-input-schema"]}},
        {"draftlift": {"rules": {"severity": {"null-input-schema": "off"}}}},
    ],
)
def test_initialization_options(options: Json) -> None:
    with Client() as client:
        client.initialize(options=options)
        client.open(URI, TEXT)
        assert codes(client.diagnostics(URI)) == ["legacy-dialect"]
        assert client.shut_down() == 0


def test_configuration_is_known_before_the_first_diagnostics_and_followed_later() -> None:
    with Client({"rules": {"ignore": ["null-input-schema"], "severity": {"legacy-dialect": "hint"}}}) as client:
        client.initialize()
        client.open(URI, TEXT)
        (legacy,) = client.diagnostics(URI)
        assert (legacy["code"], legacy["severity"]) == ("legacy-dialect", 4)

        client.configuration = {"rules": {}}
        client.published.clear()
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        assert codes(client.diagnostics(URI)) == ALL

        client.published.clear()
        client.notify("workspace/didChangeConfiguration", {"settings": {"draftlift.rules.ignore": ["legacy-dialect"]}})
        assert codes(client.diagnostics(URI)) == ["null-input-schema"]
        assert client.messages("window/logMessage") == []
        assert client.shut_down() == 0


def test_pulling_clients_are_told_to_pull_again() -> None:
    capabilities: Json = {
        "workspace": {"diagnostics": {"refreshSupport": True}},
        "textDocument": {"diagnostic": {}},
    }
    with Client() as client:
        client.initialize(capabilities)
        client.open(URI, TEXT)
        ask: Json = {"textDocument": {"uri": URI}}
        first = client.request("textDocument/diagnostic", ask)
        assert codes(first["items"]) == ALL
        client.notify("workspace/didChangeConfiguration", {"settings": {"draftlift": {"rules": {"ignore": ALL}}}})
        again = client.request("textDocument/diagnostic", {**ask, "previousResultId": first["resultId"]})
        assert again["items"] == []
        assert [said["method"] for said in client.said].count("workspace/diagnostic/refresh") == 1
        assert client.shut_down() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {
            "rules": {"ignore": "legacy-dialect", "severity": {"legacy-dialect": "loud", "no-such-rule": "error"}},
            "x": 1,
        },
        {"rules": 3},
        {"rules": {"ignore": [None, {"a": 1}], "severity": []}},
    ],
)
def test_wrong_settings_are_said_once_and_ignored(wrong: Any) -> None:
    with Client(wrong) as client:
        client.initialize(FULL, options=wrong)
        client.open(URI, TEXT)
        assert codes(client.diagnostics(URI)) == ALL
        (warning,) = client.messages("window/logMessage")
        assert warning["type"] == 2
        assert client.shut_down() == 0
