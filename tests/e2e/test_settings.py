"""Settings, in all the ways clients send them."""

from __future__ import annotations

from typing import Any

import pytest

from draftlift.analysis import Settings
from draftlift.lsp.settings import read_settings, section_of
from e2e.rpc import FULL, Client, Json, codes

URI = "untitled:s"
TEXT = """[
{"name": "a", "inputSchema": null},
{"name": "b", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}
]"""
ALL = ["null-input-schema", "legacy-dialect"]


def test_initialization_options() -> None:
    with Client() as client:
        client.initialize(options={"rules": {"ignore": ["null-input-schema"]}})
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


def test_wrong_settings_are_said_once_and_ignored() -> None:
    wrong: Json = {"rules": {"ignore": "legacy-dialect", "severity": {"no-such-rule": "error"}}, "x": 1}
    with Client(wrong) as client:
        client.initialize(FULL, options=wrong)
        client.open(URI, TEXT)
        assert codes(client.diagnostics(URI)) == ALL
        (warning,) = client.messages("window/logMessage")
        assert warning["type"] == 2
        assert client.shut_down() == 0


@pytest.mark.parametrize(
    "sent",
    [
        {"rules": {"ignore": ["definitions"], "severity": {"tuple-items": "off", "legacy-dialect": "hint"}}},
        {"draftlift": {"rules.ignore": ["definitions", "tuple-items"], "rules.severity": {"legacy-dialect": "hint"}}},
        {
            "draftlift.rules.ignore": ["definitions", "tuple-items"],
            "draftlift.rules.severity": {"legacy-dialect": "hint"},
            "editor.tabSize": 2,
        },
        {
            "python": {},
            "draftlift": {
                "trace": {"server": "off"},
                "rules": {"ignore": ["definitions", "tuple-items"], "severity": {"legacy-dialect": "hint"}},
            },
        },
    ],
)
def test_settings_are_read_in_every_shape(sent: Json) -> None:
    section = section_of(sent)
    assert section is not None
    settings, problems = read_settings(section)
    assert settings == Settings(frozenset({"definitions", "tuple-items"}), {"legacy-dialect": "hint"})
    assert problems == []


@pytest.mark.parametrize(
    ("sent", "problems"),
    [
        ({"rules": 3}, 1),
        ({"rules": {"ignore": [None, {"a": 1}, "no-such-rule"], "severity": []}}, 4),
        ({"rules": {"ignore": {}, "severity": {"legacy-dialect": "loud", "tuple-items": None}}}, 2),
        ({"rules": {"ignore": None, "severity": None}}, 0),
    ],
)
def test_what_is_wrong_with_settings_is_told(sent: Json, problems: int) -> None:
    settings, told = read_settings(sent)
    assert (settings, len(told)) == (Settings(), problems)


@pytest.mark.parametrize("sent", [None, 3, [], {}, {"python": {"rules": {}}}, {"draftlift": None}])
def test_what_is_not_ours_is_left_alone(sent: Any) -> None:
    assert section_of(sent) is None
