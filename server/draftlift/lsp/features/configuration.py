"""Settings on their way from the client: at the start, when they change, and when the client wants to be asked."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from typing import Any

from lsprotocol import types

from draftlift.lsp.features import diagnostics
from draftlift.lsp.session import Session
from draftlift.lsp.settings import read_settings, section_of

_log = logging.getLogger(__name__)

_PATIENCE = 0.5
"""Seconds to wait for the client's settings before the first diagnostics."""


def initialize(session: Session, params: types.InitializeParams) -> None:
    """Take over the settings that come with the first message."""
    asyncio.get_running_loop().call_later(_PATIENCE, _settle, session)
    _take(session, section_of(params.initialization_options, ours=True))


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
    """Take over new settings, or ask for them where none come along."""
    section = section_of(params.settings)
    if section is None and session.client.configuration:
        _ask(session)
    else:
        _take(session, section)


def _take(session: Session, section: dict[str, Any] | None) -> None:
    """Make a section of settings the current one, and say what is wrong with it, but nothing twice."""
    if section is None:
        return
    settings, problems = read_settings(section)
    new = [problem for problem in dict.fromkeys(problems) if problem not in session.complaints]
    if new:
        session.complaints.update(new)
        _log.warning("settings that were ignored: %s", "; ".join(new))
    if settings != session.settings:
        session.settings = settings
        diagnostics.refresh_all(session)


def _ask(session: Session) -> None:
    item = types.ConfigurationItem(section="draftlift")

    def answered(answer: Future[Any]) -> None:
        if not answer.cancelled() and answer.exception() is None:
            _take_answer(session, answer.result())
        _settle(session)

    session.connection.workspace_configuration(types.ConfigurationParams([item])).add_done_callback(answered)


def _take_answer(session: Session, answer: Any) -> None:
    if isinstance(answer, list | tuple) and answer:
        _take(session, section_of(answer[0], ours=True))


def _settle(session: Session) -> None:
    if not session.settled.is_set():
        session.settled.set()
        diagnostics.refresh_all(session)
