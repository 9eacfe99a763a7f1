"""Settings on their way from the client: at the start, when they or the folders change, and when it wants to be asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from lsprotocol import types

from draftlift.config import Section, read_section, section_of
from draftlift.lsp.features import diagnostics
from draftlift.lsp.session import Session

_log = logging.getLogger(__name__)

_PATIENCE = 0.5
"""Seconds to wait for the client's settings before the first diagnostics."""


def initialize(session: Session, params: types.InitializeParams) -> None:
    """Take over the folders, and the settings that come with the first message."""
    folders = [folder.uri for folder in params.workspace_folders or ()]
    if not folders and params.root_uri:
        folders = [params.root_uri]
    session.sections = dict.fromkeys(folders, session.section)
    asyncio.get_running_loop().call_later(_PATIENCE, _settle, session)
    _take(session, [section_of(params.initialization_options, ours=True)], [])


def initialized(session: Session, _: types.InitializedParams) -> None:
    """Ask the client for its settings, where it can be asked."""
    if session.client.registers_configuration:
        options = types.DidChangeConfigurationRegistrationOptions(section="draftlift")
        registration = types.Registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
        session.connection.client_register_capability(types.RegistrationParams([registration]))
    if session.client.configuration:
        _ask(session)
    else:
        _settle(session)


def changed(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """Ask for the new settings; what comes along is not of single folders, and so for clients that cannot be asked."""
    if session.client.configuration:
        _ask(session)
    else:
        _take(session, [section_of(params.settings)], [])


def folders_changed(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders came or went; each may have settings of its own."""
    for folder in params.event.removed:
        session.sections.pop(folder.uri, None)
    for folder in params.event.added:
        session.sections[folder.uri] = session.section
    _changed(session)
    if session.client.configuration:
        _ask(session)


def _take(session: Session, raws: Sequence[dict[str, Any] | None], folders: Sequence[str]) -> None:
    """Make sections of settings the current ones: the first in general, the others of the folders, one each.

    Where a folder has none, the general one is for it. What is wrong with them is said, but nothing twice.
    """
    if not any(raw is not None for raw in raws):
        return
    problems: list[str] = []
    general, *others = (_read(raw, problems) for raw in raws)
    section = general or session.section
    own = dict(zip(folders, others, strict=False))
    sections = {folder: own.get(folder) or section for folder in session.sections}
    new = [problem for problem in dict.fromkeys(problems) if problem not in session.complaints]
    if new:
        session.complaints.update(new)
        _log.warning("settings that were ignored: %s", "; ".join(new))
    if (section, sections) != (session.section, session.sections):
        session.section, session.sections = section, sections
        _changed(session)


def _read(raw: dict[str, Any] | None, problems: list[str]) -> Section | None:
    if raw is None:
        return None
    section, wrong = read_section(raw)
    problems += wrong
    return section


def _changed(session: Session) -> None:
    session.workspace.settings += 1
    session.workspace.touch()
    if session.settled.is_set():
        diagnostics.register(session)
        diagnostics.refresh_all(session)


def _ask(session: Session) -> None:
    folders = list(session.sections)
    items = [types.ConfigurationItem(scope_uri=uri, section="draftlift") for uri in (None, *folders)]

    def answered(answer: Future[Any]) -> None:
        if not answer.cancelled() and answer.exception() is None and isinstance(answer.result(), list | tuple):
            raws = [section_of(raw, ours=True) for raw in answer.result()]
            _take(session, raws, folders)
        _settle(session)

    session.connection.workspace_configuration(types.ConfigurationParams(items)).add_done_callback(answered)


def _settle(session: Session) -> None:
    if not session.settled.is_set():
        session.settled.set()
        diagnostics.register(session)
        if not session.client.pulls_diagnostics:  # who pulls was made to wait
            diagnostics.refresh_all(session)
