"""What an editor's status entry tells of a document: ``draftlift/status``, a request of our own."""

from __future__ import annotations

from typing import Any

from draftlift.lsp.session import Session

METHOD = "draftlift/status"


async def status(session: Session, params: Any) -> dict[str, object]:
    """How many tools are in ``params.textDocument``, and whether the settings leave the file out."""
    uri = getattr(getattr(params, "textDocument", None), "uri", None)  # nobody has checked these
    document = await session.document(uri) if isinstance(uri, str) else None
    if document is None or document.language is None:
        return {"tools": 0, "leftOut": False}
    pieces = session.pieces(document)
    return {"tools": pieces.base.tools if pieces is not None else 0, "leftOut": session.leaves_out(document)}
