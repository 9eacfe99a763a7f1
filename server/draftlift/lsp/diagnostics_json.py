"""Diagnostics as the JSON text that is sent: most of them are the same from one keystroke to the next.

A diagnostic lies on one line. What it says is written once, and kept with its width; only where it is, is worked out
anew for each publication.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from draftlift.analysis import Finding
from draftlift.analysis.pieces import Piece, Pieces
from draftlift.lsp.connection import to_json
from draftlift.lsp.convert import choose, to_diagnostic, to_note, to_plain_diagnostic
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Client


class _Written(NamedTuple):
    """A diagnostic in JSON, but for its range; the finding is kept, so that its id stays its own."""

    finding: Finding
    width: int
    rest: str


def written(document: Document, pieces: Pieces, client: Client) -> list[str]:
    """The diagnostics of a document, each as a JSON text: what ``to_diagnostics`` says."""
    pairs = [(piece, finding) for piece, findings in pieces.pieces() for finding in findings]
    shown, left_out = choose([finding for _, finding in pairs])
    before: dict[int, _Written] = document.written
    now: dict[int, _Written] = {}
    out: list[str] = []
    position = document.lines.position
    for index in shown:
        piece, finding = pairs[index]
        entry = before.get(id(finding))
        if entry is None or finding.related:  # what is related may have moved
            entry = _write(document, piece, finding, client)
        now[id(finding)] = entry
        line, column = position(finding.span.start + piece.shift, client.encoding)
        out.append(
            f'{{"range":{{"start":{{"line":{line},"character":{column}}},'
            f'"end":{{"line":{line},"character":{column + entry.width}}}}},{entry.rest}'
        )
    if left_out:
        piece, first = pairs[left_out[0]]
        out.append(to_json(to_note(document, piece.span(first.span), len(left_out), client)))
    document.written = now
    return out


def _write(document: Document, piece: Piece, finding: Finding, client: Client) -> _Written:
    moved = piece.finding(finding) if piece.drop or piece.pointer or finding.related else finding
    if finding.related:
        said = json.loads(to_json(to_diagnostic(document, moved, client)))
        del said["range"]
    else:
        said = to_plain_diagnostic(moved, client)
    start, end = piece.span(finding.span)
    width = document.lines.position(end, client.encoding).character
    width -= document.lines.position(start, client.encoding).character
    return _Written(finding, width, json.dumps(said)[1:])
