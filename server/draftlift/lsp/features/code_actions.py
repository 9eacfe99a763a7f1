"""Code actions: the quick-fixes of findings, the translation of the schema around the cursor, and all that is safe at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import groupby, islice

from lsprotocol import types

from draftlift.analysis import Finding, Fix
from draftlift.analysis.pieces import Piece, Pieces
from draftlift.lsp.convert import sendable, to_diagnostic, to_offset, to_span, to_workspace_edit
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Session
from draftlift.schema.dialects import LEGACY
from draftlift.text import Edit, Span

FIX_ALL = "source.fixAll.draftlift"
_FIX_ALL_TITLE = "Fix all draftlift findings that keep every verdict"
_QUICK_FIX = types.CodeActionKind.QuickFix.value
TRANSLATE = "refactor.rewrite.draftlift"
_NO_TRANSLATION = "No translation of this schema keeps every verdict. Each place that stands in the way is marked."
_MOST_FINDINGS = 200
"""Of so many findings of a selection fixes are offered, in text order: a menu of more helps nobody."""

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
                action.edit = _edit(session, document, *found) if found is not None else None
    if document.serial != serial:
        action.edit = None
    return action


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    return not only or any(asked in ("", kind) or kind.startswith(asked + ".") for asked in only)


async def _quick_fixes(
    session: Session, document: Document, pieces: Pieces, params: types.CodeActionParams
) -> AsyncIterator[types.CodeAction]:
    offered: dict[tuple[str, tuple[Edit, ...]], tuple[Fix, list[types.Diagnostic]]] = {}
    in_question = islice(_in_question(session, document, pieces, params), _MOST_FINDINGS)
    for _, group in groupby(in_question, key=lambda entry: id(entry[0].analysis)):
        entries = list(group)
        piece = entries[0][0]
        fixes = await document.fixes(piece, [finding for _, finding, _ in entries])
        for (_, _, diagnostic), own in zip(entries, fixes, strict=True):
            for fix in own:
                offered.setdefault((fix.title, fix.edits), (fix, []))[1].append(diagnostic)
    for fix, diagnostics in offered.values():
        yield _quick_fix(session, document, fix, diagnostics)


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
            if finding.proposals and (given is not None or (span.start <= end and start <= span.end)):
                yield piece, finding, given or to_diagnostic(document, piece.finding(finding), client)


def _quick_fix(session: Session, document: Document, fix: Fix, diagnostics: list[types.Diagnostic]) -> types.CodeAction:
    client = session.client
    changes_verdicts = fix.applicability == "changes-verdicts"
    says_so = changes_verdicts and not client.change_annotations
    return types.CodeAction(
        title=sendable(fix.title) + (" (changes what passes)" if says_so else ""),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=diagnostics,
        is_preferred=fix.preferred or None,
        edit=to_workspace_edit(document, fix.edits, client, asks_first=changes_verdicts),
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
    action.edit = _edit(session, document, *found)
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


def _edit(session: Session, document: Document, piece: Piece, fix: Fix | None) -> types.WorkspaceEdit | None:
    if fix is None:
        return None
    return to_workspace_edit(document, piece.edits(fix.edits), session.client)


async def _fix_all(
    session: Session, document: Document, pieces: Pieces, *, asked: bool
) -> AsyncIterator[types.CodeAction]:
    """The fix-all action. Where it is only one entry of a menu, its edits are worked out when it is chosen."""
    action = types.CodeAction(title=_FIX_ALL_TITLE, kind=FIX_ALL)
    if not asked and session.client.resolves_edits:
        if any(
            proposal.applicability == "keeps-verdicts"
            for _, found in pieces.pieces()
            for finding in found
            for proposal in finding.proposals
        ):
            action.data = {"uri": document.uri}
            yield action
        return
    edits = await document.fix_all(pieces)
    if edits:
        action.edit = to_workspace_edit(document, edits, session.client)
        yield action
