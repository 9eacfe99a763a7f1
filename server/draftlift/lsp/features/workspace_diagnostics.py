"""Diagnostics of files that are not open, for clients that ask for them and users who want them.

The client's question is held until there is something new to tell. Then only files that changed are read, one at a time,
so that what the author types goes first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote
from uuid import uuid4

from lsprotocol import types
from pygls import uris

from draftlift.files import UnreadableError, decode, of_folder, read_bytes
from draftlift.lsp.convert import to_diagnostics
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Session
from draftlift.lsp.settings import Section

_log = logging.getLogger(__name__)

PATTERNS = ("**/*.{json,jsonc,yaml,yml}", "**/.gitignore")
"""The files whose changes count."""

_PAUSE = 0.5
"""Seconds without a further change before files are read: a checkout changes many."""

_PATIENCE = 10.0
"""Seconds after which files are looked at again where the client does not watch them."""

_BATCH = 50
_MANY = 100
"""From so many files to read the client is shown how far it is."""


class _File(NamedTuple):
    uri: str
    path: Path
    section: Section
    document: Document | None
    stamp: str

    @property
    def version(self) -> int | None:
        return self.document.version if self.document is not None else None


async def pulled(session: Session, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """The client asks for the diagnostics of the whole workspace.

    Open documents are among them, since not all that is open can be seen; of those that can the client knows better.
    """
    await session.settled.wait()
    serial = await session.workspace.change(_PAUSE, _PATIENCE)
    closed = frozenset(session.workspace.closed)
    try:
        report = await _report(session, params, closed)
    except Exception:
        session.workspace.answered = serial  # or the client would ask again at once
        raise
    session.workspace.answered = serial
    session.workspace.closed -= closed
    return report


def files_changed(session: Session, _: types.DidChangeWatchedFilesParams) -> None:
    """Files were created, changed or deleted."""
    session.workspace.touch()


async def _report(
    session: Session, params: types.WorkspaceDiagnosticParams, closed: frozenset[str]
) -> types.WorkspaceDiagnosticReport:
    told = _Told(session, params.partial_result_token)
    known = {item.uri: item.value for item in params.previous_result_ids}
    changed: list[_File] = []
    async for file in _files(session):
        if known.get(file.uri) == file.stamp and file.uri not in closed:
            known.pop(file.uri)
            told.unchanged(file)
        elif file.uri in known or file.uri in closed or session.workspace.clean.get(file.uri) != file.stamp:
            changed.append(file)
    async with _progress(session, len(changed)) as go_on:
        for index, file in enumerate(changed):
            if not go_on(index):
                break
            was_told = known.pop(file.uri, None) is not None or file.uri in closed
            told.full(file, _diagnostics(session, file), was_told=was_told)
            await asyncio.sleep(0)
    left = {file.uri for file in changed}  # where the user had enough
    for uri in known.keys() - left - session.documents.keys():
        told.gone(uri)
    return told.rest()


async def _files(session: Session) -> AsyncIterator[_File]:
    """The files of all folders whose settings want them looked at; open ones as they stand in the editor."""
    is_open = {unquote(uri): document for uri, document in session.documents.items()}
    for folder, section in list(session.sections.items()):
        root = uris.to_fs_path(folder) if section.whole_workspace else None
        if root is None:
            continue
        try:
            for path in of_folder(Path(root), section.files):
                uri = folder.rstrip("/") + "/" + quote(path.relative_to(root).as_posix())
                document = is_open.get(unquote(uri))
                if session.folder_of(uri) != folder:
                    pass  # it is of a folder inside this one
                elif document is None:
                    stat = path.stat()
                    stamp = f"{session.workspace.settings}-{stat.st_mtime_ns}-{stat.st_size}"
                    yield _File(uri, path, section, None, stamp)
                else:
                    await session.document(document.uri)
                    yield _File(document.uri, path, section, document, result_id(session, document))
                await asyncio.sleep(0)
        except (OSError, UnreadableError) as problem:
            _log.warning("not all files of the workspace were looked at: %s", problem)


def result_id(session: Session, document: Document) -> str:
    """What the diagnostics of an open document are known by to the client, by its text and the settings."""
    looked_at = session.pieces(document) is not None  # which counts the serial up where the settings are new
    return f"{document.serial}{'' if looked_at else ' left out'}"


def _diagnostics(session: Session, file: _File) -> list[types.Diagnostic]:
    try:
        if file.document is not None:
            document = file.document
            pieces = session.pieces(document)
        else:
            decoded = decode(str(file.path), read_bytes(file.path))
            if decoded is None:
                return []
            document = Document(types.TextDocumentItem(file.uri, "", 0, decoded[0]))
            pieces = document.pieces(file.section.rules)
        return to_diagnostics(document, pieces.findings(), session.client) if pieces is not None else []
    except UnreadableError as problem:
        _log.warning("%s", problem)
    except Exception:
        _log.exception("no diagnostics for %s", file.uri)
    return []


@asynccontextmanager
async def _progress(session: Session, total: int) -> AsyncIterator[Callable[[int], bool]]:
    """How far the client's user sees us get with many files. What is yielded tells how many are done, and says whether
    to go on.
    """
    if total < _MANY or not session.client.shows_progress:
        yield lambda _: True
        return
    progress = session.connection.work_done_progress
    token = str(uuid4())
    await progress.create_async(token)

    def go_on(done: int) -> bool:
        if done % _BATCH == 0:
            report = types.WorkDoneProgressReport(message=f"{done} of {total} files", percentage=100 * done // total)
            progress.report(token, report)
        return not progress.tokens[token].cancelled()

    progress.begin(token, types.WorkDoneProgressBegin("draftlift", cancellable=True, percentage=0))
    try:
        yield go_on
    finally:
        progress.end(token, types.WorkDoneProgressEnd())
        del progress.tokens[token]


class _Told:
    """The reports on their way to the client: in parts, where it takes them, else all at the end."""

    def __init__(self, session: Session, token: types.ProgressToken | None) -> None:
        self._session = session
        self._token = token
        self._items: list[
            types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport
        ] = []

    def unchanged(self, file: _File) -> None:
        self._add(types.WorkspaceUnchangedDocumentDiagnosticReport(file.uri, file.stamp, file.version))

    def full(self, file: _File, items: list[types.Diagnostic], *, was_told: bool) -> None:
        """What a file says now; nothing where the client never heard of it and need not."""
        clean = self._session.workspace.clean
        clean.pop(file.uri, None)
        if not items:
            clean[file.uri] = file.stamp
        if items or was_told:
            result_id = file.stamp if items else None
            self._add(types.WorkspaceFullDocumentDiagnosticReport(file.uri, items, file.version, result_id=result_id))

    def gone(self, uri: str) -> None:
        self._add(types.WorkspaceFullDocumentDiagnosticReport(uri, []))

    def rest(self) -> types.WorkspaceDiagnosticReport:
        self._send()
        return types.WorkspaceDiagnosticReport(self._items)

    def _add(
        self, item: types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport
    ) -> None:
        self._items.append(item)
        if len(self._items) >= _BATCH:
            self._send()

    def _send(self) -> None:
        if self._token is not None and self._items:
            value = types.WorkspaceDiagnosticReportPartialResult(self._items)
            self._session.connection.progress(types.ProgressParams(self._token, value))
            self._items = []
