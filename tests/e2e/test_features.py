"""Diagnostics, code actions and hover, as a client sees them."""

from __future__ import annotations

import json

import pytest

from e2e.rpc import FULL, Client, Json, RpcError, codes, edited, span, text_edits

FIX_ALL = "source.fixAll.draftlift"
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
LEGACY_JSON = """{"tools": [
  {"name": "a", "description": "", "inputSchema": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {"pair": {"items": [{"type": "string"}], "additionalItems": false}}
  }},
  {"name": "b", "description": "", "inputSchema": null}
]}
"""
LEGACY_YAML = """\
tools:
- name: a
  inputSchema:
    $schema: "http://json-schema.org/draft-07/schema#" # the old one
    type: object
    properties: {pair: {items: [{type: string}], additionalItems: false}}
"""
UNDECLARED = """{"name": "a", "inputSchema": {
  "type": "object",
  "properties": {"pair": {"items": [{"type": "string"}]}}
}}
"""


def without(*path: str) -> Json:
    """All capabilities but one."""
    capabilities: Json = json.loads(json.dumps(FULL))
    inner = capabilities
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return capabilities


def by_code(diagnostics: list[Json]) -> dict[str, Json]:
    return {diagnostic["code"]: diagnostic for diagnostic in diagnostics}


def test_a_diagnostic_says_where_what_and_why(client: Client) -> None:
    client.open("untitled:d", LEGACY_JSON)
    found = by_code(client.diagnostics("untitled:d"))
    assert list(found) == ["legacy-dialect", "tuple-items", "additional-items", "null-input-schema"]
    legacy = found["legacy-dialect"]
    assert legacy["range"] == span(2, 15, 56)
    assert (legacy["severity"], legacy["source"]) == (2, "draftlift")
    assert legacy["codeDescription"]["href"].endswith("/docs/rules/legacy-dialect.md")
    assert legacy["data"] == {"pointer": "/tools/0/inputSchema/$schema", "tool": "a", "document": 0}
    assert found["tuple-items"]["tags"] == [2]


def test_a_thousand_diagnostics_are_enough(client: Client) -> None:
    tools = [{"name": f"t{number}", "inputSchema": None} for number in range(1200)]
    client.open("untitled:many", json.dumps({"tools": tools}))
    found = client.diagnostics("untitled:many")
    assert len(found) == 1000
    assert found[-1]["message"].startswith("201 more findings")


def test_lone_surrogates_are_not_sent(client: Client) -> None:
    client.open("untitled:u", '{"name": "😀\\ud800", "inputSchema": null}')
    (found,) = client.diagnostics("untitled:u")
    assert found["data"]["tool"] == "😀\ufffd"
    assert "\ud800" not in found["message"]


def test_diagnostics_can_be_pulled() -> None:
    capabilities = {**FULL, "textDocument": {**FULL["textDocument"], "diagnostic": {}}}
    with Client() as client:
        announced = client.initialize(capabilities)["capabilities"]["diagnosticProvider"]
        assert announced == {
            "identifier": "draftlift",
            "interFileDependencies": False,
            "workspaceDiagnostics": False,
        }
        client.open("untitled:p", LEGACY_JSON)
        document: Json = {"textDocument": {"uri": "untitled:p"}}
        first = client.request("textDocument/diagnostic", document)
        assert first["kind"] == "full"
        assert "legacy-dialect" in codes(first["items"])
        again = client.request("textDocument/diagnostic", {**document, "previousResultId": first["resultId"]})
        assert again == {"kind": "unchanged", "resultId": first["resultId"]}
        client.change("untitled:p", 2, {"text": "{}"})
        assert client.request("textDocument/diagnostic", document)["items"] == []
        assert client.request("textDocument/diagnostic", {"textDocument": {"uri": "untitled:x"}})["items"] == []
        assert client.messages("textDocument/publishDiagnostics") == []
        assert client.shut_down() == 0


@pytest.mark.parametrize(("language", "text"), [("json", LEGACY_JSON), ("yaml", LEGACY_YAML)])
def test_a_quick_fix_ends_its_finding(client: Client, language: str, text: str) -> None:
    uri = f"file:///a/tools.{language}"
    client.open(uri, text, language)
    legacy = by_code(client.diagnostics(uri))["legacy-dialect"]
    (fix,) = client.actions(uri, legacy["range"], [legacy], ["quickfix"])
    assert (fix["kind"], fix["isPreferred"], fix["diagnostics"]) == ("quickfix", True, [legacy])
    text = edited(text, text_edits(fix["edit"], uri))
    assert "the old one" in text or language == "json"
    client.change(uri, 2, {"text": text})
    assert not {"legacy-dialect", "tuple-items", "additional-items"} & set(codes(client.diagnostics(uri, 2)))
    client.close(uri)


def test_one_fix_of_several_findings_is_one_action_for_all(client: Client) -> None:
    client.open("untitled:o", LEGACY_JSON)
    found = client.diagnostics("untitled:o")
    fixes = client.actions("untitled:o", WHOLE, found)
    translate = [fix for fix in fixes if fix["kind"] == "quickfix" and "legacy-dialect" in codes(fix["diagnostics"])]
    assert [codes(fix["diagnostics"]) for fix in translate] == [["legacy-dialect", "tuple-items", "additional-items"]]
    assert [fix["kind"] for fix in fixes][-1] == FIX_ALL


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["quickfix"], {"quickfix"}),
        (["source"], {FIX_ALL}),
        (["source.fixAll"], {FIX_ALL}),
        ([FIX_ALL], {FIX_ALL}),
        (["source.fixAll.other"], set()),
        (["refactor"], set()),
        (None, {"quickfix", FIX_ALL}),
    ],
)
def test_only_the_kinds_that_are_asked_for(client: Client, only: list[str] | None, kinds: set[str]) -> None:
    client.open("untitled:k", LEGACY_JSON)
    assert {fix["kind"] for fix in client.actions("untitled:k", WHOLE, only=only)} == kinds


def test_fix_all_keeps_to_what_is_safe(client: Client) -> None:
    uri = "untitled:all"
    client.open(uri, LEGACY_JSON)
    (asked,) = client.actions(uri, span(0, 0, 0), only=[FIX_ALL])
    (listed,) = client.actions(uri, span(0, 0, 0))
    assert "edit" not in listed
    assert client.request("codeAction/resolve", listed)["edit"] == asked["edit"]
    client.change(uri, 2, {"text": edited(LEGACY_JSON, text_edits(asked["edit"], uri))})
    assert codes(client.diagnostics(uri, 2)) == ["null-input-schema"]
    assert client.actions(uri, span(0, 0, 0), only=[FIX_ALL]) == []


TRANSLATE = "refactor.rewrite.draftlift"


@pytest.mark.parametrize(("language", "text"), [("json", LEGACY_JSON), ("yaml", LEGACY_YAML)])
def test_the_schema_around_the_cursor_is_translated(client: Client, language: str, text: str) -> None:
    uri = f"untitled:t.{language}"
    client.open(uri, text, language)
    after = edited(text, text_edits(client.actions(uri, span(0, 0, 0), only=[FIX_ALL])[0]["edit"], uri))
    inside = span(4, 6, 6)
    (asked,) = client.actions(uri, inside, only=["refactor"])
    assert (asked["title"], asked["kind"]) == ("Translate this schema to 2020-12", TRANSLATE)
    assert edited(text, text_edits(asked["edit"], uri)) == after
    listed = {action["kind"]: action for action in client.actions(uri, inside)}
    assert set(listed) == {TRANSLATE, FIX_ALL}
    assert "edit" not in listed[TRANSLATE]
    resolved = client.request("codeAction/resolve", listed[TRANSLATE])
    assert resolved["edit"] == asked["edit"]
    assert client.actions(uri, span(0, 2, 2), only=[TRANSLATE]) == []
    client.change(uri, 2, {"range": span(0, 0, 0), "text": "\n"})
    assert "edit" not in client.request("codeAction/resolve", listed[TRANSLATE])
    (moved,) = client.actions(uri, span(5, 6, 6), only=[TRANSLATE])
    assert edited("\n" + text, text_edits(moved["edit"], uri)) == "\n" + after


def test_a_schema_that_is_refused_says_so_where_its_translation_is_asked_for(client: Client) -> None:
    refused = LEGACY_JSON.replace('"pair": {', '"pair": {"$ref": "#", ')
    client.open("untitled:r", refused)
    (action,) = client.actions("untitled:r", span(3, 5, 5), only=[TRANSLATE])
    assert "edit" not in action
    assert action["disabled"]["reason"].startswith("No translation of this schema keeps every verdict.")
    assert client.actions("untitled:r", span(3, 5, 5)) == []


def test_a_fix_that_changes_what_passes_asks_first(client: Client) -> None:
    client.open("untitled:c", UNDECLARED)
    (found,) = client.diagnostics("untitled:c")
    fixes = client.actions("untitled:c", found["range"], [found])
    assert fixes
    assert not any(fix.get("isPreferred") for fix in fixes)
    for fix in fixes:
        (change,) = fix["edit"]["documentChanges"]
        annotations = {edit["annotationId"] for edit in change["edits"]}
        assert annotations == set(fix["edit"]["changeAnnotations"])
        assert all(each["needsConfirmation"] for each in fix["edit"]["changeAnnotations"].values())


@pytest.mark.parametrize("path", [("workspace", "workspaceEdit"), ("textDocument", "codeAction", "resolveSupport")])
def test_actions_for_clients_that_can_less(path: tuple[str, ...]) -> None:
    with Client() as client:
        client.initialize(without(*path))
        client.open("untitled:c", UNDECLARED)
        fixes = client.actions("untitled:c", client.diagnostics("untitled:c")[0]["range"])
        client.open("untitled:a", LEGACY_JSON)
        (fix_all,) = client.actions("untitled:a", span(0, 0, 0))
        if "resolveSupport" not in path:
            fix_all = client.request("codeAction/resolve", fix_all)
        assert "additionalItems" not in edited(LEGACY_JSON, text_edits(fix_all["edit"], "untitled:a"))
        if "workspaceEdit" in path:
            assert all(fix["title"].endswith(" (changes what passes)") for fix in fixes)
            assert list(fix_all["edit"]) == ["changes"]
        assert client.shut_down() == 0


def test_half_typed_text_has_no_fixes(client: Client) -> None:
    uri = "untitled:half"
    client.open(uri, LEGACY_JSON.replace('"type": "object",', '"type": "obj'))
    client.diagnostics(uri)
    assert client.actions(uri, span(2, 15, 56)) == []


def test_hover(client: Client) -> None:
    client.open("untitled:h", LEGACY_JSON)
    hover = client.hover("untitled:h", {"line": 4, "character": 30})
    assert hover["contents"]["kind"] == "markdown"
    assert "`" in hover["contents"]["value"]
    assert hover["range"]["start"]["line"] == 4
    assert client.hover("untitled:h", {"line": 0, "character": 0}) is None
    assert client.hover("untitled:h", {"line": 10**6, "character": 10**6}) is None
    with pytest.raises(RpcError):
        client.hover("untitled:h", {"line": -1, "character": 0})


def test_hover_in_plain_text() -> None:
    with Client() as client:
        client.initialize(without("textDocument", "hover"))
        client.open("untitled:h", LEGACY_JSON)
        contents = client.hover("untitled:h", {"line": 4, "character": 30})["contents"]
        assert contents["kind"] == "plaintext"
        assert "`" not in contents["value"]
        assert client.shut_down() == 0


def test_the_status_of_a_document(client: Client) -> None:
    client.open("untitled:n", LEGACY_JSON)
    client.open("untitled:p", "print()", "python")
    for uri, tools in (("untitled:n", 2), ("untitled:p", 0), ("untitled:none", 0)):
        status = client.request("draftlift/status", {"textDocument": {"uri": uri}})
        assert status == {"tools": tools, "leftOut": False}


def test_questions_that_make_no_sense_are_answered_quietly(client: Client) -> None:
    before = client.messages("window/logMessage")
    client.open("untitled:n", LEGACY_JSON)
    none = {"tools": 0, "leftOut": False}
    for params in (None, {}, {"textDocument": 3}, {"textDocument": {"uri": 4}}):
        assert client.request("draftlift/status", params) == none
    for at in (None, [1], [1, "2"], [-1, -1], [10**9, 0]):
        action: Json = {"title": "x", "kind": TRANSLATE, "data": {"uri": "untitled:n", "version": 1, "at": at}}
        assert "edit" not in client.request("codeAction/resolve", action)
    assert client.messages("window/logMessage") == before
