"""The composition root: every message that the server answers, and the function that answers it."""

from __future__ import annotations

from functools import partial

from lsprotocol import types

from draftlift.lsp.connection import Connection
from draftlift.lsp.features import code_actions, configuration, diagnostics, hover, status, workspace_diagnostics
from draftlift.lsp.session import Client, Session
from draftlift.text import Encoding

_ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


def build() -> Connection:
    """A server with all its features, ready to run."""
    connection = Connection()
    session = Session(connection)
    on = connection.on

    on(types.INITIALIZE, partial(_initialize, session))
    on(types.INITIALIZED, partial(configuration.initialized, session))
    on(types.WORKSPACE_DID_CHANGE_CONFIGURATION, partial(configuration.changed, session))
    on(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, partial(configuration.folders_changed, session))
    on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, partial(workspace_diagnostics.files_changed, session))

    on(types.TEXT_DOCUMENT_DID_OPEN, partial(diagnostics.opened, session))
    on(types.TEXT_DOCUMENT_DID_CHANGE, partial(diagnostics.changed, session))
    on(types.TEXT_DOCUMENT_DID_CLOSE, partial(diagnostics.closed, session))

    on(types.TEXT_DOCUMENT_HOVER, partial(hover.hover, session))
    on(types.TEXT_DOCUMENT_CODE_ACTION, partial(code_actions.code_actions, session), [], code_actions.OPTIONS)
    on(types.CODE_ACTION_RESOLVE, partial(code_actions.resolve, session))
    on(status.METHOD, partial(status.status, session))
    return connection


def _initialize(session: Session, params: types.InitializeParams) -> None:
    """Learn what the client can. The capabilities that are announced follow from what is wired by the end of this."""
    agreed = session.connection.workspace.position_encoding or "utf-16"
    session.client = Client.of(params.capabilities, _ENCODINGS[types.PositionEncodingKind(agreed).value])
    configuration.initialize(session, params)
    diagnostics.announce(session)
