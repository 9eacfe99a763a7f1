"""Settings, in all the ways clients send them."""

from __future__ import annotations

from typing import Any

import pytest

from draftlift.analysis import Settings
from draftlift.config import Section, read_section, section_of
from draftlift.files import FilePatterns
from e2e.rpc import FULL, Client, Json, codes

URI = "untitled:s"
NULL = '{"name": "s", "inputSchema": null}'
TEXT = """[
{"name": "a", "inputSchema": null},
{"name": "b", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}
]"""
ALL = ["null-input-schema", "legacy-dialect"]


pytestmark = pytest.mark.usefixtures("patient")


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

        assert client.messages("window/logMessage") == []
        assert client.shut_down() == 0


def test_settings_that_are_sent_are_for_clients_that_cannot_be_asked() -> None:
    sent: Json = {"settings": {"draftlift.rules.ignore": ["legacy-dialect"]}}
    for capabilities, found in (({}, ["null-input-schema"]), (FULL, ALL)):
        with Client({}) as client:
            client.initialize(capabilities)
            client.notify("workspace/didChangeConfiguration", sent)
            client.open(URI, TEXT)
            assert codes(client.diagnostics(URI)) == found
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


def test_each_folder_has_its_own_settings() -> None:
    ignoring: Json = {"rules": {"ignore": ["null-input-schema"]}}
    with Client({}, {"file:///w/a": ignoring, "file:///w/a/b": {"files": {"exclude": ["gen/"]}}}) as client:
        client.initialize(folders=["file:///w/a", "file:///w/a/b"])
        for uri, expected in (
            ("file:///w/a/t.json", ["legacy-dialect"]),
            ("file:///w/ab.json", ALL),
            ("file:///w/a/b/t.json", ALL),
            ("file:///w/a/b/x%20y/gen/t.json", []),
            ("untitled:gen/t.json", ALL),
        ):
            client.open(uri, TEXT)
            assert codes(client.diagnostics(uri)) == expected, uri
        left_out = "file:///w/a/b/x%20y/gen/t.json"
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        assert client.actions(left_out, everything) == []
        assert client.actions(left_out, everything, only=["source.fixAll"]) == []
        assert client.hover(left_out, {"line": 1, "character": 17}) is None
        status = client.request("draftlift/status", {"textDocument": {"uri": left_out}})
        assert status == {"tools": 0, "leftOut": True}

        client.published.clear()
        client.scoped["file:///w/c"] = ignoring
        change: Json = {
            "added": [{"uri": "file:///w/c", "name": "c"}],
            "removed": [{"uri": "file:///w/a", "name": "a"}],
        }
        client.notify("workspace/didChangeWorkspaceFolders", {"event": change})
        assert codes(client.diagnostics("file:///w/a/t.json")) == ALL
        assert client.diagnostics(left_out) == []
        client.messages("")  # the folder's own settings have been asked for and told
        client.open("file:///w/c/t.json", TEXT)
        assert codes(client.diagnostics("file:///w/c/t.json")) == ["legacy-dialect"]
        assert client.messages("window/logMessage") == []
        assert client.shut_down() == 0


@pytest.mark.parametrize("uri", ["foo://[abc/t.json", "file://[abc/t.json"])
def test_a_strange_uri_costs_itself_only(uri: str) -> None:
    with Client({"rules": {"ignore": ["root-type-not-object"]}}) as client:
        client.initialize(folders=["file://[abc", "untitled:x]["])
        client.open(uri, NULL)
        client.open("file:///ok.json", NULL)
        assert codes(client.diagnostics("file:///ok.json")) == ["null-input-schema"]
        assert codes(client.diagnostics(uri)) == ["null-input-schema"]
        assert client.shut_down() == 0
    assert client.stderr == b""


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
    settings, problems = read_section(section)
    assert settings == Section(Settings(frozenset({"definitions", "tuple-items"}), {"legacy-dialect": "hint"}))
    assert problems == []


def test_settings_about_files_are_read() -> None:
    settings, problems = read_section(
        {
            "files": {"include": ["tools/"], "exclude": ["*.lock.json"]},
            "diagnosticMode": "workspace",
            "targetRevision": "2025-06-18",
        }
    )
    assert settings == Section(
        Settings(target="2025-06-18"), files=FilePatterns(("tools/",), ("*.lock.json",)), whole_workspace=True
    )
    assert problems == []


@pytest.mark.parametrize(
    ("sent", "problems"),
    [
        ({"rules": 3}, 1),
        ({"rules": {"ignore": [None, {"a": 1}, "no-such-rule"], "severity": []}}, 4),
        ({"rules": {"ignore": {}, "severity": {"legacy-dialect": "loud", "tuple-items": None}}}, 2),
        ({"rules": {"ignore": None, "severity": None}}, 0),
        ({"files": {"include": "a", "exclude": [3, "!", "[z-a]"]}, "diagnosticMode": "all", "targetRevision": "1"}, 6),
        ({"targetRevision": "latest"}, 0),
        ({"files.include": None, "files.exclude": None, "diagnosticMode": None}, 0),
    ],
)
def test_what_is_wrong_with_settings_is_told(sent: Json, problems: int) -> None:
    settings, told = read_section(sent)
    assert (settings, len(told)) == (Section(), problems)


@pytest.mark.parametrize("sent", [None, 3, [], {}, {"python": {"rules": {}}}, {"draftlift": None}])
def test_what_is_not_ours_is_left_alone(sent: Any) -> None:
    assert section_of(sent) is None
