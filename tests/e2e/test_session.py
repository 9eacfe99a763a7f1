"""The life of a server: from its start to its exit code, and that nothing in between ends it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import draftlift
from e2e.rpc import FULL, Client, RpcError, codes

NULL = '{"tools": [{"name": "a", "description": "", "inputSchema": null}]}'


def test_announces_what_it_can_and_ends_with_zero() -> None:
    with Client() as client:
        result = client.initialize()
        client.request("shutdown")
        with pytest.raises(RpcError):
            client.hover("untitled:a", {"line": 0, "character": 0})
        assert client.exit() == 0
    assert client.stderr == b""
    assert result["serverInfo"] == {"name": "draftlift", "version": draftlift.__version__}
    capabilities = result["capabilities"]
    assert capabilities["positionEncoding"] == "utf-16"
    assert capabilities["textDocumentSync"] == {"openClose": True, "change": 2, "save": False}
    assert capabilities["hoverProvider"] is True
    assert capabilities["codeActionProvider"]["codeActionKinds"] == [
        "quickfix",
        "refactor.rewrite.draftlift",
        "source.fixAll.draftlift",
    ]
    assert "diagnosticProvider" not in capabilities


def test_exit_without_shutdown_ends_with_one() -> None:
    with Client() as client:
        client.initialize()
        assert client.exit() == 1


def test_what_cannot_be_read_is_answered_and_survived(client: Client) -> None:
    with pytest.raises(RpcError) as bad:
        client.request("textDocument/hover", {"textDocument": {"uri": 3}})
    assert bad.value.code in (-32602, -32603)
    with pytest.raises(RpcError) as unknown:
        client.request("draftlift/nothing", {"a": 1})
    assert unknown.value.code == -32601
    with pytest.raises(RpcError):
        client.request("codeAction/resolve", {})
    client.notify("$/cancelRequest", {"id": 99})
    client.notify("draftlift/nothing")
    client.notify("textDocument/didOpen", {"textDocument": None})
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}})
    client.change("untitled:never-opened", 2, {"text": "x"})
    client.close("untitled:never-opened")
    client.send_bytes(b"{")
    client.send_bytes(b"[1]")
    assert client.hover("untitled:never-opened", {"line": 5, "character": 5}) is None
    client.open("untitled:alive", NULL)
    assert codes(client.diagnostics("untitled:alive")) == ["null-input-schema"]


def test_a_client_that_says_nothing_of_itself_is_served() -> None:
    with Client() as client:
        client.initialize(capabilities={})
        client.open("untitled:a", NULL)
        assert codes(client.diagnostics("untitled:a")) == ["null-input-schema"]
        assert client.shut_down() == 0


def test_a_client_that_never_tells_its_settings_is_served() -> None:
    with Client() as client:
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": FULL})
        client.open("untitled:a", NULL)
        assert codes(client.diagnostics("untitled:a")) == ["null-input-schema"]


def test_nothing_heavy_is_imported_at_the_start() -> None:
    script = (
        "import sys; from draftlift.lsp.server import build; build();"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} & {'jsonschema', 'ruamel', 'yaml', 'pathspec'}))"
    )
    env = {**os.environ, "PYTHONPATH": draftlift.__path__[0].removesuffix("draftlift")}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == ""


def test_shutdown_while_the_servers_own_requests_are_open() -> None:
    with Client() as client:
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": FULL})
        client.notify("initialized", {})
        client.request("shutdown")
        assert client.exit() == 0
