"""Diagnostics of closed files: pulled, held until something changes, in parts, with progress, and cancelled."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e.rpc import Client, Json, RpcError, codes

NULL = '[{"name": "a", "inputSchema": null}]'
CLEAN = '[{"name": "a", "inputSchema": {"type": "object"}}]'
SETTINGS: Json = {"diagnosticMode": "workspace"}
CAPABILITIES: Json = {
    "workspace": {
        "configuration": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
    },
    "textDocument": {"diagnostic": {"dynamicRegistration": True}},
    "window": {"workDoneProgress": True},
}
pytestmark = pytest.mark.usefixtures("patient")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "w s"
    (root / "sub").mkdir(parents=True)
    (root / "out").mkdir()
    for name in ("a.json", "sub/é.json", "out/c.json", "b.txt"):
        (root / name).write_text(NULL)
    (root / "clean.json").write_text(CLEAN)
    (root / "t.yaml").write_text("name: t\ninputSchema: null\n")
    (root / ".gitignore").write_text("out/\n")
    return root


def start(client: Client, *folders: Path, capabilities: Json = CAPABILITIES, options: Any = None) -> Json:
    return client.initialize(capabilities, options=options, folders=[folder.as_uri() for folder in folders])


def ask(client: Client, known: dict[str, str] | None = None, **more: Any) -> int:
    previous = [{"uri": uri, "value": value} for uri, value in (known or {}).items()]
    return client.ask("workspace/diagnostic", {"previousResultIds": previous, **more})


def told(report: Json) -> dict[str, list[str] | None]:
    """The rules found in each file; None where the client knows them already."""
    return {
        item["uri"].rsplit("/", 1)[1]: codes(item["items"]) if item["kind"] == "full" else None
        for item in report["items"]
    }


def result_ids(report: Json) -> dict[str, str]:
    return {item["uri"]: item["resultId"] for item in report["items"] if item.get("resultId")}


def change(client: Client, *paths: Path) -> None:
    watched(client, *(("changed", path) for path in paths))


def watched(client: Client, *changes: tuple[str, Path]) -> None:
    kinds = {"created": 1, "changed": 2, "deleted": 3}
    events = [{"uri": path.as_uri(), "type": kinds[kind]} for kind, path in changes]
    client.notify("workspace/didChangeWatchedFiles", {"changes": events})


def test_all_files_that_git_does_not_ignore_are_told_and_then_what_changes(folder: Path) -> None:
    with Client(SETTINGS) as client:
        capabilities = start(client, folder)["capabilities"]
        assert "diagnosticProvider" not in capabilities
        registered = {
            item["method"]: item["registerOptions"]
            for params in client.wait_for("client/registerCapability")
            for item in params["registrations"]
        }
        assert registered["textDocument/diagnostic"]["workspaceDiagnostics"] is True
        watched = registered["workspace/didChangeWatchedFiles"]["watchers"]
        assert {w["globPattern"]: w["kind"] for w in watched} == {
            "**/*.{json,jsonc,yaml,yml}": 7,
            "**/.gitignore": 7,
            "**/*": 5,
        }
        first = client.answer(ask(client))
        null = ["null-input-schema"]
        assert told(first) == {"a.json": null, "%C3%A9.json": null, "t.yaml": null}
        assert {item["uri"] for item in first["items"]} >= {(folder / "sub" / "é.json").as_uri()}
        known = result_ids(first)

        held = ask(client, known)
        assert not client.has_answered(held)
        (folder / "a.json").write_text(CLEAN)
        (folder / "t.yaml").unlink()
        (folder / "new.json").write_text(NULL)
        (folder / "clean.json").write_text(NULL)
        change(client, *(folder / name for name in ("a.json", "new.json", "t.yaml", "clean.json", "b.txt")))
        assert told(client.answer(held)) == {
            "a.json": [],
            "t.yaml": [],
            "new.json": null,
            "clean.json": null,
        }
        held = ask(client, known)
        (folder / "out" / "c.json").write_text(NULL + "\n")
        (folder / "sub" / "é.json").write_text(NULL + "\n")
        (folder / "gone.json").touch()
        (folder / "gone.json").unlink()
        change(client, *(folder / name for name in ("out/c.json", "gone.json", "sub/é.json")))
        assert told(client.answer(held)) == {"%C3%A9.json": null}  # git ignores the other, and the third is gone
        assert client.messages("window/logMessage") == []
        assert client.shut_down() == 0


def test_whole_folders_come_and_go(folder: Path) -> None:
    with Client(SETTINGS) as client:
        start(client, folder)
        client.wait_for("client/registerCapability")
        known = result_ids(client.answer(ask(client)))
        held = ask(client, known)
        (folder / "empty").mkdir()
        (folder / "b.txt").unlink()
        watched(client, ("deleted", folder / "b.txt"), ("created", folder / "c.txt"))
        assert not client.has_answered(held)
        (folder / "sub").rename(folder / "moved")
        watched(client, ("deleted", folder / "sub"), ("created", folder / "moved"))
        report = client.answer(held)
        assert {item["uri"].removeprefix(folder.as_uri()): item["kind"] for item in report["items"]} == {
            "/sub/%C3%A9.json": "full",
            "/moved/%C3%A9.json": "full",
            "/a.json": "unchanged",
            "/t.yaml": "unchanged",
        }
        known = {**known, **result_ids(report)}
        held = ask(client, known)
        (folder / "empty" / "x.json").write_text(NULL)
        watched(client, ("created", folder / "empty" / "x.json"))
        report = client.answer(held)
        assert told(report) == {"x.json": ["null-input-schema"]}
        known = {**known, **result_ids(report)}
        held = ask(client, known)
        shutil.rmtree(folder / "empty")
        watched(client, ("deleted", folder / "empty"))
        assert told(client.answer(held))["x.json"] == []
        held = ask(client, known)
        (folder / ".gitignore").unlink()
        watched(client, ("deleted", folder / ".gitignore"))
        assert told(client.answer(held))["c.json"] == ["null-input-schema"]
        assert client.shut_down() == 0


def test_an_open_document_speaks_for_itself_until_it_is_closed(folder: Path) -> None:
    with Client(SETTINGS) as client:
        start(client, folder)
        client.wait_for("client/registerCapability")
        uri = (folder / "a.json").as_uri()
        before = result_ids(client.answer(ask(client)))
        client.open(uri, CLEAN)
        opened = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert opened["items"] == []
        change(client, folder)
        assert told(client.answer(ask(client, {**before, uri: opened["resultId"]})))["a.json"] is None
        held = ask(client, before)
        assert not client.has_answered(held)
        client.close(uri)  # what the client shows is of the text that was open, whatever it knew of the file
        assert told(client.answer(held))["a.json"] == ["null-input-schema"]
        change(client, folder)
        assert told(client.answer(ask(client, before)))["a.json"] is None
        assert client.shut_down() == 0


def test_the_mode_can_be_changed_and_is_a_folder_s_own(folder: Path) -> None:
    other = folder.parent / "other"
    shutil.copytree(folder, other)
    with Client({}, {other.as_uri(): SETTINGS}) as client:
        start(client, folder, other)
        client.wait_for("client/registerCapability")
        first = client.answer(ask(client))
        assert first["items"]
        assert all(item["uri"].startswith(other.as_uri()) for item in first["items"])
        held = ask(client, result_ids(first))
        client.scoped.clear()
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        assert set(map(str, told(client.answer(held)).values())) == {"[]"}
        client.wait_for("client/unregisterCapability")
        assert client.wait_for("client/registerCapability", 2)[-1]["registrations"][0]["registerOptions"] == {
            "documentSelector": None,
            "identifier": "draftlift",
            "interFileDependencies": False,
            "workspaceDiagnostics": False,
        }
        assert client.shut_down() == 0


def test_a_file_that_is_left_out_and_taken_in_again_is_told_again(folder: Path) -> None:
    with Client({}) as client:
        start(client, folder)
        client.wait_for("client/registerCapability")
        uri = (folder / "a.json").as_uri()
        client.open(uri, NULL)
        known: Json = {}
        for exclude, items in (([], ["null-input-schema"]), (["a.json"], []), ([], ["null-input-schema"])):
            client.configuration = {"files": {"exclude": exclude}}
            client.notify("workspace/didChangeConfiguration", {"settings": None})
            client.messages("")
            report = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}, **known})
            assert codes(report["items"]) == items
            known = {"previousResultId": report["resultId"]}
        assert client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}, **known})["kind"] == "unchanged"
        assert client.shut_down() == 0


def test_a_client_that_takes_no_registrations_is_told_at_the_start(folder: Path) -> None:
    plain: Json = {"textDocument": {"diagnostic": {}}}
    with Client() as client:
        assert start(client, folder, capabilities=plain)["capabilities"]["diagnosticProvider"] == {
            "identifier": "draftlift",
            "interFileDependencies": False,
            "workspaceDiagnostics": False,
        }
        assert client.shut_down() == 0
    with Client() as client:
        provider = start(client, folder, capabilities=plain, options=SETTINGS)["capabilities"]["diagnosticProvider"]
        assert provider["workspaceDiagnostics"] is True
        assert set(told(client.answer(ask(client)))) == {"a.json", "%C3%A9.json", "t.yaml"}
        assert client.shut_down() == 0


def test_many_files_come_in_parts_with_progress_and_can_be_stopped(folder: Path) -> None:
    for number in range(260):
        (folder / f"{number:03}.json").write_text(NULL)
    with Client(SETTINGS) as client:
        start(client, folder)
        client.wait_for("client/registerCapability")
        report = client.answer(ask(client, partialResultToken="p"))
        assert report["items"] == []
        parts = [params["value"] for params in client.messages("$/progress") if params["token"] == "p"]
        assert sum(len(part["items"]) for part in parts) == 263
        assert max(len(part["items"]) for part in parts) <= 50
        (token,) = [params["token"] for params in client.messages("window/workDoneProgress/create")]
        steps = [params["value"] for params in client.messages("$/progress") if params["token"] == token]
        assert [steps[0]["kind"], steps[-1]["kind"]] == ["begin", "end"]
        assert steps[0]["cancellable"] is True
        assert [step["percentage"] for step in steps[1:-1]] == sorted(step["percentage"] for step in steps[1:-1])

        for number in range(260):
            (folder / f"{number:03}.json").write_text(CLEAN)
        held = ask(client)
        change(client, folder)
        token = client.wait_for("window/workDoneProgress/create", 2)[-1]["token"]
        client.notify("window/workDoneProgress/cancel", {"token": token})
        client.answer(held)  # what was found until then
        again = ask(client)
        assert not client.has_answered(again)
        client.notify("$/cancelRequest", {"id": again})
        with pytest.raises(RpcError) as cancelled:
            client.answer(again)
        assert cancelled.value.code == -32800
        held = ask(client)
        assert client.messages("window/logMessage") == []
        assert client.shut_down() == 0
    assert client.stderr == b""


def test_a_folder_that_is_not_there_and_a_file_that_is_no_text_are_logged(folder: Path) -> None:
    (folder / "bad.json").write_bytes(NULL.encode().replace(b'"a"', b'"\xff"'))
    with Client(SETTINGS) as client:
        start(client, folder.parent / "nowhere", folder)
        client.wait_for("client/registerCapability")
        assert set(told(client.answer(ask(client)))) == {"a.json", "%C3%A9.json", "t.yaml"}
        said = [params["message"] for params in client.messages("window/logMessage")]
        assert len(said) == 2
        assert "nowhere" in said[0]
        assert "bad.json: is not valid UTF-8 (byte 11); save the file as UTF-8" in said[1]
        assert client.shut_down() == 0


def test_strange_names_and_uris_cost_themselves_only(folder: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/\xff.json")).write_text(NULL)
    except OSError:  # there are file systems that want all names in Unicode
        expected = {"a.json"}
    else:
        expected = {"a.json", "%FF.json"}
    with Client(SETTINGS) as client:
        uris = ["file://[abc", folder.as_uri()]
        client.initialize(CAPABILITIES, folders=uris)
        client.wait_for("client/registerCapability")
        client.open("file://[abc/t.json", NULL)
        report = client.answer(ask(client))
        assert expected < told(report).keys()
        strange = ["%00.json", "../a.json", "a.json/b.json", "[.json", "%FF.json", "\ud800.json", "?a.json", "#"]
        events = [{"uri": f"{uri}/{name}", "type": 1} for uri in uris for name in (*strange, "%00")]
        held = ask(client, result_ids(report))
        client.notify("workspace/didChangeWatchedFiles", {"changes": events})
        change(client, folder / "a.json")
        client.answer(held)
        (folder / "a.json").write_text(CLEAN)
        held = ask(client, result_ids(report))
        change(client, folder / "a.json")
        assert told(client.answer(held))["a.json"] == []
        assert client.shut_down() == 0
    assert client.stderr == b""
