"""What fails costs itself only: a feature its answer, a document its diagnostics, a file its place in the report."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from lsprotocol import types

from draftlift.config import Section
from draftlift.lsp import connection as connections
from draftlift.lsp import convert
from draftlift.lsp.connection import Connection, Ready
from draftlift.lsp.documents import Document
from draftlift.lsp.features import diagnostics, workspace_diagnostics
from draftlift.lsp.session import Client, Session
from e2e.rpc import codes

NULL = '{"name": "s", "inputSchema": null}'
HOVER = types.HoverParams(types.TextDocumentIdentifier("a:"), types.Position(0, 0))


class Writer:
    """Takes what a connection sends; as a pipe that broke where ``broken``, else at once or by and by."""

    def __init__(self, *, broken: bool = False, slow: bool = False) -> None:
        self.sent: list[dict[str, Any]] = []
        self.broken, self.slow = broken, slow

    def write(self, data: bytes) -> Coroutine[Any, Any, None] | None:
        if self.broken:
            raise BrokenPipeError
        body = json.loads(data.partition(b"\r\n\r\n")[2])
        if not self.slow:
            self.sent.append(body)
            return None
        return self._written(body)

    async def _written(self, body: dict[str, Any]) -> None:
        await asyncio.sleep(0)
        self.sent.append(body)

    def close(self) -> None:
        pass


def connected(writer: Writer | None = None) -> tuple[Connection, Writer]:
    connection, writer = Connection(), writer or Writer()
    connection.protocol.set_writer(writer)  # type: ignore[arg-type]
    return connection, writer


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name.startswith("draftlift")]


# -- the connection ----------------------------------------------------------------------------------------------------


def test_a_feature_that_fails_answers_with_its_fallback(caplog: pytest.LogCaptureFixture) -> None:
    def fails(_: object) -> None:
        raise RuntimeError("as was wanted")

    async def fails_later(_: object) -> None:
        await asyncio.sleep(0)
        raise RuntimeError("as was wanted")

    async def run() -> list[dict[str, Any]]:
        connection, writer = connected()
        connection.on(types.TEXT_DOCUMENT_HOVER, fails, None)
        connection.on("draftlift/later", fails_later, "fallback")
        connection.protocol.handle_message(types.HoverRequest(1, HOVER))
        connection.protocol.handle_message(
            connection.protocol.structure_message({"jsonrpc": "2.0", "id": 2, "method": "draftlift/later"})
        )
        while len(writer.sent) < 2:
            await asyncio.sleep(0)
        return writer.sent

    first, second = asyncio.run(run())
    assert (first["id"], first["result"]) == (1, None)
    assert (second["id"], second["result"]) == (2, "fallback")
    assert messages(caplog) == ["textDocument/hover failed", "draftlift/later failed"]


@pytest.mark.parametrize("slow", [False, True])
def test_ready_messages_go_by_any_writer(slow: bool) -> None:
    async def run() -> list[dict[str, Any]]:
        connection, writer = connected(Writer(slow=slow))
        connection.publish("ä:", 3, ["{}"])
        connection.protocol._send_response("ö", Ready("[1]"))
        while len(writer.sent) < 2:
            await asyncio.sleep(0)
        return writer.sent

    published, answer = asyncio.run(run())
    assert published["params"] == {"uri": "ä:", "version": 3, "diagnostics": [{}]}
    assert answer == {"jsonrpc": "2.0", "id": "ö", "result": [1]}


def test_a_client_that_is_gone_or_not_there_yet_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    Connection().publish("a:", 1, [])
    connected(Writer(broken=True))[0].publish("a:", 1, [])
    assert messages(caplog) == ["the client is gone"]


def test_what_a_thread_logs_is_sent_by_the_event_loop() -> None:
    logger = logging.getLogger("draftlift.test")

    async def run() -> list[dict[str, Any]]:
        connection, writer = connected()
        connection.on(types.TEXT_DOCUMENT_HOVER, lambda _: None)
        connection.protocol.handle_message(types.HoverRequest(1, HOVER))
        writer.sent.clear()
        handler = connections._ClientLog(connection)
        logger.addHandler(handler)
        try:
            thread = Thread(target=logger.error, args=["of a thread"])
            thread.start()
            thread.join()
            assert writer.sent == []
            logger.warning("of the loop")
            await asyncio.sleep(0)
        finally:
            logger.removeHandler(handler)
        return writer.sent

    sent = asyncio.run(run())
    assert [(said["params"]["type"], said["params"]["message"]) for said in sent] == [
        (types.MessageType.Warning, "of the loop"),
        (types.MessageType.Error, "of a thread"),
    ]


def test_what_a_thread_logs_after_the_end_is_lost_quietly() -> None:
    async def run() -> Connection:
        connection, _ = connected()
        connection.protocol.handle_message(types.HoverRequest(1, HOVER))
        return connection

    connection = asyncio.run(run())
    connection.log(types.MessageType.Error, "too late")


# -- documents and files -----------------------------------------------------------------------------------------------


class Failing(Session):
    """A session that fails at all documents whose URI says so."""

    def section_of(self, uri: str) -> tuple[Section, str | None]:
        if "fail" in uri:
            raise RuntimeError("as was wanted")
        return super().section_of(uri)


def opened(session: Session, *uris: str) -> None:
    for uri in uris:
        session.documents[uri] = Document(types.TextDocumentItem(uri, "json", 1, NULL))


def test_one_document_that_fails_does_not_keep_others_from_being_told(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> dict[str, list[str]]:
        connection, writer = connected()
        session = Failing(connection)
        session.settled.set()
        opened(session, "a:fail", "a:good")
        diagnostics.refresh_all(session)
        while len(writer.sent) < 2:
            await asyncio.sleep(0.001)
        return {said["params"]["uri"]: codes(said["params"]["diagnostics"]) for said in writer.sent}

    assert asyncio.run(run()) == {"a:fail": [], "a:good": ["null-input-schema"]}
    assert messages(caplog) == ["no diagnostics for a:fail"]


def test_one_file_that_fails_does_not_keep_others_from_being_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("bad.json", "good.json", "open-fail.json"):
        (tmp_path / name).write_text(NULL)

    def to_diagnostics(document: Document, *rest: Any) -> Any:
        if "bad" in document.uri:
            raise RuntimeError("as was wanted")
        return convert.to_diagnostics(document, *rest)

    monkeypatch.setattr(f"{workspace_diagnostics.__name__}.to_diagnostics", to_diagnostics)

    async def run() -> types.WorkspaceDiagnosticReport:
        folder = tmp_path.as_uri()
        session = Failing(connected()[0], Client(pulls_diagnostics=True))
        session.sections = {folder: Section(whole_workspace=True)}
        session.settled.set()
        opened(session, f"{folder}/open-fail.json")
        return await workspace_diagnostics.pulled(session, types.WorkspaceDiagnosticParams([]))

    items = asyncio.run(run()).items
    assert [item.uri.rpartition("/")[2] for item in items] == ["good.json"]
    assert messages(caplog) == [
        f"no diagnostics for {tmp_path.as_uri()}/open-fail.json",
        f"no diagnostics for {tmp_path.as_uri()}/bad.json",
    ]
