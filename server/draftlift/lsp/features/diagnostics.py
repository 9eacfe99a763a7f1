"""Diagnostics: pushed after each change, or given when asked to clients that ask."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from lsprotocol import types

from draftlift.lsp.connection import Ready, full_report
from draftlift.lsp.diagnostics_json import written
from draftlift.lsp.documents import Document
from draftlift.lsp.features import workspace_diagnostics
from draftlift.lsp.session import Session

_log = logging.getLogger(__name__)

_IDENTIFIER = "draftlift"
_NOTHING = types.RelatedFullDocumentDiagnosticReport([])
_NOTHING_AT_ALL = types.WorkspaceDiagnosticReport([])


def announce(session: Session) -> None:
    """Wire the answers for a client that pulls; they are announced at once where it takes no news of them later."""
    connection, client = session.connection, session.client
    if not client.pulls_diagnostics or client.registers_diagnostics:
        return
    wanted = session.section.whole_workspace
    options = types.DiagnosticOptions(False, wanted, _IDENTIFIER)
    connection.on(types.TEXT_DOCUMENT_DIAGNOSTIC, partial(pulled, session), _NOTHING, options)
    if wanted:
        connection.on(types.WORKSPACE_DIAGNOSTIC, partial(workspace_diagnostics.pulled, session), _NOTHING_AT_ALL)


def register(session: Session) -> None:
    """Tell a client that takes such news what to pull, by the settings as they are, and which files to watch."""
    client, workspace = session.client, session.workspace
    wanted = any(section.whole_workspace for section in session.sections.values())
    if not client.registers_diagnostics or workspace.registered == wanted:
        return
    connection = session.connection
    if workspace.registered is None:
        connection.on(types.TEXT_DOCUMENT_DIAGNOSTIC, partial(pulled, session), _NOTHING)
        connection.on(types.WORKSPACE_DIAGNOSTIC, partial(workspace_diagnostics.pulled, session), _NOTHING_AT_ALL)
    else:
        gone = [types.Unregistration(id_, method) for id_, method in _registered(session, workspace.registered)]
        connection.client_unregister_capability(types.UnregistrationParams(gone))
    workspace.registered = wanted
    workspace.watched = wanted and client.registers_watched_files
    options: dict[str, object] = {
        "diagnostics": types.DiagnosticRegistrationOptions(False, wanted, identifier=_IDENTIFIER),
        "files": types.DidChangeWatchedFilesRegistrationOptions(workspace_diagnostics.WATCHERS),
    }
    come = [types.Registration(id_, method, options[id_]) for id_, method in _registered(session, wanted)]
    connection.client_register_capability(types.RegistrationParams(come))


def _registered(session: Session, whole_workspace: bool) -> list[tuple[str, str]]:
    """The ids and methods that are registered with the client."""
    methods = [("diagnostics", types.TEXT_DOCUMENT_DIAGNOSTIC)]
    if whole_workspace and session.client.registers_watched_files:
        methods.append(("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES))
    return methods


def opened(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    document = Document(params.text_document)
    _forget(session, document.uri)
    session.documents[document.uri] = document
    _refresh(session, document)


def changed(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """A document was changed."""
    document = session.documents.get(params.text_document.uri)
    if document is None:
        _log.warning("a change of a document that is not open: %s", params.text_document.uri)
        return
    document.change(params.text_document.version, params.content_changes, session.client.encoding)
    _refresh(session, document)


def closed(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed: its diagnostics go."""
    _forget(session, params.text_document.uri)
    if session.section_of(params.text_document.uri)[0].whole_workspace:
        uri = workspace_diagnostics.own_uri(session, params.text_document.uri)
        session.workspace.closed.add(uri)
        session.workspace.touch([uri])
    if not session.client.pulls_diagnostics:
        session.connection.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(params.text_document.uri, [])
        )


async def pulled(
    session: Session, params: types.DocumentDiagnosticParams
) -> Ready | types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    """The client asks for the diagnostics of one document."""
    await session.settled.wait()
    document = await session.document(params.text_document.uri)
    if document is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    result_id = workspace_diagnostics.result_id(session, document)
    if params.previous_result_id == result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
    return full_report(result_id, _written(session, document))


def refresh_all(session: Session) -> None:
    """Say everything again, after a change of settings."""
    if not session.settled.is_set():
        return
    if session.client.pulls_diagnostics:
        if session.client.refreshes_diagnostics and session.documents:
            session.connection.workspace_diagnostic_refresh(None)
        return
    for document in session.documents.values():
        _refresh(session, document)


def _refresh(session: Session, document: Document) -> None:
    """Publish the diagnostics of a document as soon as they are known; what goes wrong with it is its own affair."""
    if session.client.pulls_diagnostics or not session.settled.is_set():
        return
    document.wait_no_more()
    document.pending = asyncio.get_running_loop().create_task(_publish(session, document))


async def _publish(session: Session, document: Document) -> None:
    try:
        await session.document(document.uri)
        items = _written(session, document)
    except Exception:
        _log.exception("no diagnostics for %s", document.uri)
        items = []
    document.pending = None
    session.connection.publish(document.uri, document.version, items)


def _written(session: Session, document: Document) -> list[str]:
    pieces = session.pieces(document)
    if pieces is None:
        return []
    if any(schema.translation is not None for schema in pieces.base.schemas):
        session.trials.expect()
    return written(document, pieces, session.client)


def _forget(session: Session, uri: str) -> None:
    document = session.documents.pop(uri, None)
    if document is not None:
        document.close()
