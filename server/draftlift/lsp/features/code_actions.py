"""Code actions: the quick-fixes of findings, and all that is safe at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence

from lsprotocol import types

from draftlift.analysis import Finding, Fix
from draftlift.lsp.convert import sendable, to_diagnostic, to_span, to_workspace_edit
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Session
from draftlift.pieces import Piece, Pieces
from draftlift.text import Edit, Span

_log = logging.getLogger(__name__)

FIX_ALL = "source.fixAll.draftlift"
_FIX_ALL_TITLE = "Fix all draftlift findings that keep every verdict"
_QUICK_FIX = types.CodeActionKind.QuickFix.value
_BUDGET = 1.0
"""Seconds for the proofs of one request: a selection may hold a thousand fixes, but a menu of them helps nobody."""

OPTIONS = types.CodeActionOptions(code_action_kinds=[_QUICK_FIX, FIX_ALL], resolve_provider=True)


def code_actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done about the findings in a range."""
    document = session.documents.get(params.text_document.uri)
    pieces = session.pieces(document) if document is not None else None
    if document is None or pieces is None:
        return []
    only = params.context.only
    actions: list[types.CodeAction] = []
    if _is_wanted(_QUICK_FIX, only):
        actions += _quick_fixes(session, document, pieces, params)
    if _is_wanted(FIX_ALL, only):
        actions += _fix_all(session, document, pieces, asked=bool(only))
    return actions


def resolve(session: Session, action: types.CodeAction) -> types.CodeAction:
    """Fill in the edit of a fix-all action."""
    uri = action.data.get("uri") if isinstance(action.data, dict) else None
    document = session.documents.get(uri) if isinstance(uri, str) else None
    if document is not None and action.kind == FIX_ALL:
        edits = _safe_edits(session, document)
        if edits:
            action.edit = to_workspace_edit(document, edits, session.client)
    return action


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    return not only or any(asked in ("", kind) or kind.startswith(asked + ".") for asked in only)


def _quick_fixes(
    session: Session, document: Document, pieces: Pieces, params: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    found: dict[tuple[str, tuple[Edit, ...]], tuple[Piece, Fix, list[types.Diagnostic]]] = {}
    for piece, finding, diagnostic in _in_question(session, document, pieces, params):
        for fix in finding.fixes:
            found.setdefault((fix.title, piece.edits(fix.edits)), (piece, fix, []))[2].append(diagnostic)
    stop = time.monotonic() + _BUDGET
    for piece, fix, diagnostics in found.values():
        if time.monotonic() > stop:
            return
        if document.proved(piece, fix):
            yield _quick_fix(session, document, piece.fix(fix), diagnostics)
        else:
            # In a broken text what stands elsewhere may not be told for certain, and so the fix not be proved.
            level = logging.DEBUG if piece.analysis.tree.problems else logging.WARNING
            _log.log(level, "a fix is not offered, its edits do not prove: %s (%s)", fix.title, diagnostics[0].code)


def _in_question(
    session: Session, document: Document, pieces: Pieces, params: types.CodeActionParams
) -> Iterator[tuple[Piece, Finding, types.Diagnostic]]:
    """The findings that touch the range or that the client names, each with its diagnostic: the client's own if given."""
    client = session.client
    start, end = to_span(document, params.range, client)
    named: dict[tuple[object, Span], types.Diagnostic] = {}
    for diagnostic in params.context.diagnostics:
        named.setdefault((diagnostic.code, to_span(document, diagnostic.range, client)), diagnostic)
    for piece, findings in pieces.pieces():
        for finding in findings:
            span = piece.span(finding.span)
            given = named.get((finding.rule, span))
            if finding.fixes and (given is not None or (span.start <= end and start <= span.end)):
                yield piece, finding, given or to_diagnostic(document, piece.finding(finding), client)


def _quick_fix(session: Session, document: Document, fix: Fix, diagnostics: list[types.Diagnostic]) -> types.CodeAction:
    client = session.client
    says_so = fix.asks_first and not client.change_annotations
    return types.CodeAction(
        title=sendable(fix.title) + (" (changes what passes)" if says_so else ""),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=diagnostics,
        is_preferred=fix.preferred or None,
        edit=to_workspace_edit(document, fix.edits, client, asks_first=fix.asks_first),
    )


def _fix_all(session: Session, document: Document, pieces: Pieces, *, asked: bool) -> Iterator[types.CodeAction]:
    """The fix-all action. Where it is only one entry of a menu, its edits are worked out when it is chosen."""
    action = types.CodeAction(title=_FIX_ALL_TITLE, kind=FIX_ALL)
    if not asked and session.client.resolves_edits:
        if any(fix.safe for _, found in pieces.pieces() for finding in found for fix in finding.fixes):
            action.data = {"uri": document.uri}
            yield action
        return
    edits = _safe_edits(session, document)
    if edits:
        action.edit = to_workspace_edit(document, edits, session.client)
        yield action


def _safe_edits(session: Session, document: Document) -> tuple[Edit, ...]:
    pieces = session.pieces(document)
    return document.fix_all(pieces) if pieces is not None else ()
