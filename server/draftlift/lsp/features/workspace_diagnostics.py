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
    stamp: str


async def pulled(session: Session, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """The client asks for the diagnostics of the whole workspace. Open documents have their own."""
    await session.settled.wait()
    serial = await session.workspace.change(_PAUSE, _PATIENCE)
    told = _Told(session, params.partial_result_token)
    known = {item.uri: item.value for item in params.previous_result_ids}
    is_open = {unquote(uri) for uri in session.documents}
    changed: list[_File] = []
    async for file in _files(session):
        if unquote(file.uri) in is_open:
            known.pop(file.uri, None)
        elif known.get(file.uri) == file.stamp:
            known.pop(file.uri)
            told.unchanged(file)
        elif known.get(file.uri) is not None or session.workspace.clean.get(file.uri) != file.stamp:
            changed.append(file)
    async with _progress(session, len(changed)) as go_on:
        for index, file in enumerate(changed):
            if not go_on(index):
                break
            told.full(file, _diagnostics(session, file), was_told=known.pop(file.uri, None) is not None)
            await asyncio.sleep(0)
    left = {file.uri for file in changed}  # where the user had enough
    for uri in known:
        if uri not in left and unquote(uri) not in is_open:
            told.gone(uri)
    session.workspace.answered = serial
    return told.rest()


def files_changed(session: Session, _: types.DidChangeWatchedFilesParams) -> None:
    """Files were created, changed or deleted."""
    session.workspace.touch()


async def _files(session: Session) -> AsyncIterator[_File]:
    """The files of all folders whose settings want them looked at."""
    for folder, section in session.sections.items():
        root = uris.to_fs_path(folder) if section.whole_workspace else None
        if root is None:
            continue
        try:
            for path in of_folder(Path(root), section.files):
                name = path.relative_to(root).as_posix()
                uri = folder.rstrip("/") + "/" + quote(name)
                if session.section_of(uri)[0] is section:  # and not of a folder inside this one
                    stat = path.stat()
                    yield _File(uri, path, section, f"{session.workspace.settings}-{stat.st_mtime_ns}-{stat.st_size}")
                await asyncio.sleep(0)
        except (OSError, UnreadableError) as problem:
            _log.warning("not all files of the workspace were looked at: %s", problem)


def _diagnostics(session: Session, file: _File) -> list[types.Diagnostic]:
    try:
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
        self._add(types.WorkspaceUnchangedDocumentDiagnosticReport(file.uri, file.stamp))

    def full(self, file: _File, items: list[types.Diagnostic], *, was_told: bool) -> None:
        """What a file says now; nothing where the client never heard of it and need not."""
        clean = self._session.workspace.clean
        clean.pop(file.uri, None)
        if not items:
            clean[file.uri] = file.stamp
        if items or was_told:
            result_id = file.stamp if items else None
            self._add(types.WorkspaceFullDocumentDiagnosticReport(file.uri, items, result_id=result_id))

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
