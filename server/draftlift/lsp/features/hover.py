"""Hover: what a place of a schema means, and what its translation will do."""

from __future__ import annotations

from lsprotocol import types

from draftlift.lsp.convert import to_markup, to_offset, to_range
from draftlift.lsp.session import Session


async def hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    """What there is to say about the place under the pointer."""
    from draftlift import explain

    document = await session.document(params.text_document.uri)
    pieces = session.pieces(document) if document is not None else None
    if document is None or pieces is None:
        return None
    offset = to_offset(document, params.position, session.client)
    piece = pieces.piece_at(offset)
    found = explain.hover(piece.analysis, offset - piece.shift)
    if found is None:
        return None
    span = to_range(document, piece.span(found.span), session.client)
    outcome = await session.trials.outcome(found.trial) if found.trial is not None else None
    return types.Hover(to_markup(found.markdown(outcome), session.client), span)
