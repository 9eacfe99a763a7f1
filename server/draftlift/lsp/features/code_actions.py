"""Code actions: the quick-fixes of findings, the translation of the schema around the cursor, and all that is safe at once."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Iterator, Sequence

from lsprotocol import types

from draftlift.analysis import Finding, Fix
from draftlift.analysis.pieces import Piece, Pieces
from draftlift.lsp.convert import sendable, to_diagnostic, to_offset, to_span, to_workspace_edit
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Session
from draftlift.schema.dialects import LEGACY
from draftlift.text import Edit, Span

_log = logging.getLogger(__name__)

FIX_ALL = "source.fixAll.draftlift"
_FIX_ALL_TITLE = "Fix all draftlift findings that keep every verdict"
_QUICK_FIX = types.CodeActionKind.QuickFix.value
TRANSLATE = "refactor.rewrite.draftlift"
_NO_TRANSLATION = "No translation of this schema keeps every verdict. Each place that stands in the way is marked."
_BUDGET = 1.0
"""Seconds for the proofs of one request: a selection may hold a thousand fixes, but a menu of them helps nobody."""

OPTIONS = types.CodeActionOptions(code_action_kinds=[_QUICK_FIX, TRANSLATE, FIX_ALL], resolve_provider=True)


async def code_actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done about the findings in a range."""
    document = await session.document(params.text_document.uri)
    pieces = session.pieces(document) if document is not None else None
    if document is None or pieces is None:
        return []
    only = params.context.only
    serial = document.serial
    actions: list[types.CodeAction] = []
    if _is_wanted(_QUICK_FIX, only):
        actions += [action async for action in _quick_fixes(session, document, pieces, params)]
    if _is_wanted(TRANSLATE, only) and not actions:
        actions += [action async for action in _translation_here(session, document, pieces, params, asked=bool(only))]
    if _is_wanted(FIX_ALL, only):
        actions += [action async for action in _fix_all(session, document, pieces, asked=bool(only))]
    return actions if document.serial == serial else []  # edits of a text that is past would destroy the present one


async def resolve(session: Session, action: types.CodeAction) -> types.CodeAction:
    """Fill in the edit of an action that had none in the menu."""
    data = action.data if isinstance(action.data, dict) else {}
    document = await session.document(str(data.get("uri")))
    pieces = session.pieces(document) if document is not None else None
    if document is None or pieces is None:
        return action
    serial = document.serial
    if action.kind == FIX_ALL:
        edits = await document.fix_all(pieces)
        action.edit = to_workspace_edit(document, edits, session.client) if edits else None
    elif action.kind == TRANSLATE and data.get("version") == document.version:
        match data.get("at"):
            case [int(line), int(character)] if 0 <= min(line, character) <= max(line, character) < 2**31:
                found = _schema_at(session, document, pieces, types.Position(line, character))
                action.edit = await _proved_edit(session, document, *found) if found is not None else None
    if document.serial != serial:
        action.edit = None
    return action


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    return not only or any(asked in ("", kind) or kind.startswith(asked + ".") for asked in only)


async def _quick_fixes(
    session: Session, document: Document, pieces: Pieces, params: types.CodeActionParams
) -> AsyncIterator[types.CodeAction]:
    found: dict[tuple[str, tuple[Edit, ...]], tuple[Piece, Fix, list[types.Diagnostic]]] = {}
    for piece, finding, diagnostic in _in_question(session, document, pieces, params):
        for fix in finding.fixes:
            found.setdefault((fix.title, piece.edits(fix.edits)), (piece, fix, []))[2].append(diagnostic)
    stop = time.monotonic() + _BUDGET
    for piece, fix, diagnostics in found.values():
        if time.monotonic() > stop:
            return
        if await document.proved(piece, fix):
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


async def _translation_here(
    session: Session, document: Document, pieces: Pieces, params: types.CodeActionParams, *, asked: bool
) -> AsyncIterator[types.CodeAction]:
    """The translation of the schema that the range begins in; where there is none, why, if that is what was asked for.

    As an entry of a menu, which is made at each move of the cursor, it is proved when it is chosen.
    """
    action = types.CodeAction("Translate this schema to 2020-12", kind=TRANSLATE)
    found = _schema_at(session, document, pieces, params.range.start)
    if found is None:
        return
    if not asked and session.client.resolves_edits:
        if found[1] is not None:
            at = params.range.start
            action.data = {"uri": document.uri, "version": document.version, "at": [at.line, at.character]}
            yield action
        return
    action.edit = await _proved_edit(session, document, *found)
    if action.edit is None and session.client.disabled_actions:
        action.disabled = types.CodeActionDisabled(_NO_TRANSLATION)
    if action.edit is not None or (asked and action.disabled is not None):
        yield action


def _schema_at(
    session: Session, document: Document, pieces: Pieces, position: types.Position
) -> tuple[Piece, Fix | None] | None:
    """The translation, if there is one, of the old schema at a position, with the piece that it is of."""
    offset = to_offset(document, position, session.client)
    piece = pieces.piece_at(offset)
    schema = piece.analysis.schema_at(offset - piece.shift)
    return (piece, schema.translation) if schema is not None and schema.dialect in LEGACY else None


async def _proved_edit(
    session: Session, document: Document, piece: Piece, fix: Fix | None
) -> types.WorkspaceEdit | None:
    if fix is None or not await document.proved(piece, fix):
        return None
    return to_workspace_edit(document, piece.edits(fix.edits), session.client)


async def _fix_all(
    session: Session, document: Document, pieces: Pieces, *, asked: bool
) -> AsyncIterator[types.CodeAction]:
    """The fix-all action. Where it is only one entry of a menu, its edits are worked out when it is chosen."""
    action = types.CodeAction(title=_FIX_ALL_TITLE, kind=FIX_ALL)
    if not asked and session.client.resolves_edits:
        if any(fix.safe for _, found in pieces.pieces() for finding in found for fix in finding.fixes):
            action.data = {"uri": document.uri}
            yield action
        return
    edits = await document.fix_all(pieces)
    if edits:
        action.edit = to_workspace_edit(document, edits, session.client)
        yield action
