"""Diagnostics of files that are not open, for clients that ask for them and users who want them.

The client's question is held until there is something new to tell. Then only files that changed are read, one at a time,
so that what the author types goes first.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path as path_of_uri

from draftlift.config import Section
from draftlift.files import UnreadableError, decode, is_of_folder, of_folder, read_bytes
from draftlift.lsp.convert import to_diagnostics
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Session
from draftlift.syntax.languages import language_of_name

_log = logging.getLogger(__name__)

_ANY = types.WatchKind.Create | types.WatchKind.Change | types.WatchKind.Delete
WATCHERS = [
    types.FileSystemWatcher("**/*.{json,jsonc,yaml,yml}", _ANY),
    types.FileSystemWatcher("**/.gitignore", _ANY),
    types.FileSystemWatcher("**/*", types.WatchKind.Create | types.WatchKind.Delete),  # folders, with all they hold
]
"""The files whose changes count."""

_PAUSE = 0.5
"""Seconds without a further change before files are read: a checkout changes many."""

_PATIENCE = 10.0
"""Seconds after which files are looked at again where the client does not watch them."""

_LARGEST = 50_000_000
"""Bytes of the largest file that is read unasked; editors do not take larger ones either."""

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
    workspace = session.workspace
    uris, workspace.changed = workspace.changed, set()
    closed = frozenset(workspace.closed)
    told = _Told(session, params.partial_result_token)
    known = {item.uri: item.value for item in params.previous_result_ids}
    try:
        await _tell(session, told, known, None if uris is None else uris | closed, closed)
    except BaseException as problem:
        workspace.changed = None
        if isinstance(problem, Exception):
            workspace.answered = serial  # or the client would ask again at once
        raise
    workspace.answered = serial
    workspace.closed -= closed
    return told.rest()


def files_changed(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Files or folders were created, changed or deleted."""
    workspace = session.workspace
    changed = []
    for change in params.changes:
        name = change.uri.rpartition("/")[2]
        if language_of_name(name) is not None:
            changed.append(change.uri)
        elif name == ".gitignore" or workspace.has_below(own_uri(session, change.uri)) or _is_new_folder(change):
            workspace.touch()
    if changed:
        workspace.touch(own_uri(session, uri) for uri in changed)


def own_uri(session: Session, uri: str) -> str:
    """The URI of a file as it is told here, however the client writes it."""
    folder = session.folder_of(uri)
    if folder is None:
        return uri
    return _below(folder, unquote_to_bytes(uri[len(folder) :].encode("utf-8", "surrogatepass")).lstrip(b"/"))


def _below(folder: str, name: bytes) -> str:
    return folder.rstrip("/") + "/" + quote(name)


def _path(uri: str) -> Path | None:
    """The path that a URI stands for; None where it stands for none, or is too strange."""
    try:
        path = path_of_uri(uri)
    except ValueError:
        return None
    return Path(path) if path is not None and "\0" not in path else None


def _is_new_folder(change: types.FileEvent) -> bool:
    path = _path(change.uri) if change.type == types.FileChangeType.Created else None
    return path is not None and path.is_dir()


async def _tell(
    session: Session, told: _Told, known: dict[str, str], uris: set[str] | None, closed: frozenset[str]
) -> None:
    """Tell of the files with these URIs, or of all, what the client does not know."""
    changed: list[_File] = []
    is_open = {own_uri(session, uri): document for uri, document in session.documents.items()}
    async for file in _files_of(session, uris, is_open) if uris is not None else _files(session, is_open):
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
            told.full(file, await _diagnostics(session, file), was_told=was_told)
            await asyncio.sleep(0)
    left = {file.uri for file in changed}  # where the user had enough
    for uri in known.keys() - left - is_open.keys():
        if uris is None or uri in uris:
            told.gone(uri)


async def _files_of(session: Session, uris: set[str], is_open: Mapping[str, Document]) -> AsyncIterator[_File]:
    """Those of some files that are still to be looked at."""
    for uri in sorted(uris):
        folder = session.folder_of(uri)
        path = _path(uri)
        if folder is not None and path is not None and _is_in_question(session, folder, path):
            session.workspace.see(uri)
            file = await _file(session, uri, path, session.sections[folder], is_open.get(uri))
            if file is not None:
                yield file
        await asyncio.sleep(0)


def _is_in_question(session: Session, folder: str, path: Path) -> bool:
    """Whether a path is one that ``_files`` finds in a folder."""
    section, root = session.sections[folder], _path(folder)
    try:
        return section.whole_workspace and root is not None and is_of_folder(path, root, section.files)
    except ValueError:  # it is not below the folder, although its URI begins with the folder's
        return False


async def _files(session: Session, is_open: Mapping[str, Document]) -> AsyncIterator[_File]:
    """The files of all folders whose settings want them looked at; open ones as they stand in the editor."""
    seen = []
    for folder, section in list(session.sections.items()):
        root = _path(folder) if section.whole_workspace else None
        if root is None:
            continue
        try:
            for path in of_folder(root, section.files, unreadable=_left_out):
                uri = _below(folder, os.fsencode(path.relative_to(root).as_posix()))
                if session.folder_of(uri) == folder:  # and not a folder inside this one
                    seen.append(uri)
                    file = await _file(session, uri, path, section, is_open.get(uri))
                    if file is not None:
                        yield file
                await asyncio.sleep(0)
        except OSError as problem:
            _left_out(problem)
    session.workspace.seen = sorted(seen)


def _left_out(problem: Exception) -> None:
    _log.warning("not all files of the workspace were looked at: %s", problem)


async def _file(session: Session, uri: str, path: Path, section: Section, document: Document | None) -> _File | None:
    """A file as it stands; None where it is gone, cannot be reached, or draftlift fails at it."""
    try:
        if document is not None:
            await session.document(document.uri)
            return _File(uri, path, section, document, result_id(session, document))
        stat = path.stat()
    except OSError:
        return None
    except Exception:
        _log.exception("no diagnostics for %s", uri)
        return None
    return _File(uri, path, section, None, f"{session.workspace.settings}-{stat.st_mtime_ns}-{stat.st_size}")


def result_id(session: Session, document: Document) -> str:
    """What the diagnostics of an open document are known by to the client, by its text and the settings."""
    looked_at = session.pieces(document) is not None  # which counts the serial up where the settings are new
    return f"{document.serial}{'' if looked_at else ' left out'}"


async def _diagnostics(session: Session, file: _File) -> list[types.Diagnostic]:
    try:
        if file.document is not None:
            document = file.document
            pieces = session.pieces(document)
        elif file.path.stat().st_size > _LARGEST:
            return []
        else:
            decoded = decode(str(file.path), read_bytes(file.path))
            if decoded is None:
                return []
            document = Document(types.TextDocumentItem(file.uri, "", 0, decoded[0]))
            await document.ready(lambda: file.section.rules)
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
    try:
        await progress.create_async(token)
    except JsonRpcException:  # the client cannot show it after all
        yield lambda _: True
        return

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
