"""The open documents: their texts as the client sees them, and what was found in each.

URIs are opaque: kept, compared and sent back exactly as received.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable
from itertools import count
from typing import Any

from lsprotocol import types

from draftlift.analysis import Fix, Settings, analyse, proves
from draftlift.pieces import Piece, Pieces
from draftlift.syntax import read
from draftlift.syntax.tree import LANGUAGE_OF_ENDING, Language
from draftlift.text import Edit, Encoding, LineIndex

_BY_ID: dict[str, Language] = {"json": "json", "jsonc": "json", "yaml": "yaml"}
_QUERY = re.compile(r"[?#]")
_LOOKS_LIKE_JSON = re.compile(r"\ufeff?\s*[\[{]")
_serials = count(1)


class Document:
    """One open document.

    ``serial`` numbers the states of text and settings, across all documents. ``cost`` is how many seconds the last look
    at the whole text took, ``pending`` the diagnostics that wait for a pause in typing.
    """

    __slots__ = (
        "_fix_all",
        "_if_broken",
        "_language_id",
        "_lines",
        "_pieces",
        "_proofs",
        "_settings",
        "cost",
        "language",
        "pending",
        "serial",
        "text",
        "uri",
        "version",
        "written",
    )

    def __init__(self, item: types.TextDocumentItem) -> None:
        self.uri = item.uri
        self.version = item.version
        self.text = item.text
        self.language = language_of(item.language_id, item.uri, item.text)
        self.cost = 0.0
        self.pending: asyncio.TimerHandle | None = None
        self.serial = next(_serials)
        self.written: dict[int, Any] = {}
        """What ``wire`` keeps from one publication to the next."""
        self._language_id = item.language_id
        self._lines: LineIndex | None = None
        self._pieces: Pieces | None = None
        self._if_broken: Pieces | None = None
        self._settings: Settings | None = None
        self._proofs: dict[int, tuple[Fix, bool]] = {}
        self._fix_all: tuple[Edit, ...] | None = None

    @property
    def lines(self) -> LineIndex:
        """The line index of the text as it stands."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    @property
    def follows_edits(self) -> bool:
        """Whether the last edits cost only the tools they were in."""
        return self._pieces is not None

    def change(self, version: int, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: Encoding) -> None:
        """Apply changes in order, each to the text that the one before it left."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start = self._offset(change.range.start, encoding)
                end = max(start, self._offset(change.range.end, encoding))
                self._edit(Edit(start, end, change.text))
            else:
                self.text = change.text
                self._lines = self._pieces = self._if_broken = None
        self.version = version
        self.serial = next(_serials)
        self._fix_all = None
        if self.language is None:
            self.language = language_of(self._language_id, self.uri, self.text)

    def _edit(self, edit: Edit) -> None:
        self.text = self.text[: edit.start] + edit.new_text + self.text[edit.end :]
        self._lines = self.lines.edited(edit, self.text)
        before = self._pieces or self._if_broken
        self._if_broken = None
        if before is not None:
            self._pieces = before.edited(*edit)
            if self._pieces is None:
                self._if_broken = before.broken(*edit)

    def _offset(self, position: types.Position, encoding: Encoding) -> int:
        return self.lines.offset(position.line, position.character, encoding)

    def pieces(self, settings: Settings) -> Pieces | None:
        """What is known of the text as it stands; None where its language is not ours."""
        if self.language is None:
            return None
        if self._pieces is None or self._settings != settings:
            if self._settings not in (None, settings):
                self.serial = next(_serials)
            start = time.perf_counter()
            if self._if_broken is not None and self._settings == settings and read(self.text, self.language).problems:
                self._pieces = self._if_broken
            else:
                self._pieces = Pieces.of(analyse(self.text, self.language, settings), settings)
                self.written.clear()
            self._if_broken = None
            self.cost = time.perf_counter() - start
            self._settings = settings
            self._fix_all = None
            self._proofs.clear()
        return self._pieces

    def proved(self, piece: Piece, fix: Fix) -> bool:
        """Whether a fix of a piece does exactly what it says; see ``analysis.proves``."""
        known = self._proofs.get(id(fix))
        if known is None or known[0] is not fix:
            known = self._proofs[id(fix)] = (fix, proves(piece.analysis.tree, fix))
        return known[1]

    def fix_all(self, pieces: Pieces) -> tuple[Edit, ...]:
        """The edits of ``Analysis.fix_all`` for the text as it stands, of which the pieces are."""
        if self._fix_all is None and self.language is not None:
            whole = pieces.base if pieces.is_whole else analyse(self.text, self.language, self._settings)
            self._fix_all = whole.fix_all()
        return self._fix_all or ()

    def wait_no_more(self) -> None:
        """Drop the diagnostics that wait for a pause in typing."""
        if self.pending is not None:
            self.pending.cancel()
            self.pending = None


def language_of(language_id: str, uri: str, text: str) -> Language | None:
    """The language of a document: by its language id, else by its name, else by how the text begins."""
    name = _QUERY.split(uri, maxsplit=1)[0].rpartition("/")[2]
    language = _BY_ID.get(language_id) or LANGUAGE_OF_ENDING.get(name[name.rfind(".") :].lower())
    if language is not None:
        return language
    if _LOOKS_LIKE_JSON.match(text):
        return "json"
    return "yaml" if "yaml" in language_id.lower() else None
