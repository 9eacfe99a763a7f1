"""The open documents: their texts as the client sees them, and what was found in each.

URIs are opaque: kept, compared and sent back exactly as received.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable
from itertools import count

from lsprotocol import types

from draftlift.analysis import Analysis, Fix, Settings, analyse, proves
from draftlift.syntax.tree import Language
from draftlift.text import Edit, Encoding, LineIndex

_BY_ID: dict[str, Language] = {"json": "json", "jsonc": "json", "yaml": "yaml"}
_BY_ENDING: dict[str, Language] = {".json": "json", ".jsonc": "json", ".yaml": "yaml", ".yml": "yaml"}
_QUERY = re.compile(r"[?#]")
_LOOKS_LIKE_JSON = re.compile(r"\ufeff?\s*[\[{]")
_serials = count(1)


class Document:
    """One open document.

    ``serial`` numbers the states of text and settings, across all documents. ``cost`` is how many seconds the last
    analysis took, ``pending`` the diagnostics that wait for a pause in typing.
    """

    __slots__ = (
        "_analysed",
        "_language_id",
        "_lines",
        "cost",
        "language",
        "pending",
        "serial",
        "text",
        "uri",
        "version",
    )

    def __init__(self, item: types.TextDocumentItem) -> None:
        self.uri = item.uri
        self.version = item.version
        self.text = item.text
        self.language = language_of(item.language_id, item.uri, item.text)
        self.cost = 0.0
        self.pending: asyncio.TimerHandle | None = None
        self.serial = next(_serials)
        self._language_id = item.language_id
        self._lines: LineIndex | None = None
        self._analysed: _Analysed | None = None

    @property
    def lines(self) -> LineIndex:
        """The line index of the text as it stands."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    def change(self, version: int, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: Encoding) -> None:
        """Apply changes in order, each to the text that the one before it left."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start = self._offset(change.range.start, encoding)
                end = max(start, self._offset(change.range.end, encoding))
                self.text = self.text[:start] + change.text + self.text[end:]
            else:
                self.text = change.text
            self._lines = None
        self.version = version
        self.serial = next(_serials)
        self._analysed = None
        if self.language is None:
            self.language = language_of(self._language_id, self.uri, self.text)

    def _offset(self, position: types.Position, encoding: Encoding) -> int:
        return self.lines.offset(position.line, position.character, encoding)

    def analysis(self, settings: Settings) -> Analysis | None:
        """The analysis of the text as it stands; None where its language is not ours."""
        analysed = self._analyse(settings)
        return analysed.analysis if analysed is not None else None

    def proved(self, settings: Settings, fix: Fix) -> bool:
        """Whether a fix of the analysis does exactly what it says; see ``analysis.proves``."""
        analysed = self._analyse(settings)
        if analysed is None:
            return False
        if id(fix) not in analysed.proofs:
            analysed.proofs[id(fix)] = proves(analysed.analysis.tree, fix)
        return analysed.proofs[id(fix)]

    def fix_all(self, settings: Settings) -> tuple[Edit, ...]:
        """The edits of ``Analysis.fix_all``."""
        analysed = self._analyse(settings)
        if analysed is None:
            return ()
        if analysed.fix_all is None:
            analysed.fix_all = analysed.analysis.fix_all()
        return analysed.fix_all

    def _analyse(self, settings: Settings) -> _Analysed | None:
        if self.language is None:
            return None
        if self._analysed is None or self._analysed.settings != settings:
            if self._analysed is not None:
                self.serial = next(_serials)
            start = time.perf_counter()
            self._analysed = _Analysed(analyse(self.text, self.language, settings), settings)
            self.cost = time.perf_counter() - start
        return self._analysed

    def wait_no_more(self) -> None:
        """Drop the diagnostics that wait for a pause in typing."""
        if self.pending is not None:
            self.pending.cancel()
            self.pending = None


class _Analysed:
    """An analysis with the settings it was made by, and what was worked out from it since."""

    __slots__ = ("analysis", "fix_all", "proofs", "settings")

    def __init__(self, analysis: Analysis, settings: Settings) -> None:
        self.analysis = analysis
        self.settings = settings
        self.proofs: dict[int, bool] = {}
        self.fix_all: tuple[Edit, ...] | None = None


def language_of(language_id: str, uri: str, text: str) -> Language | None:
    """The language of a document: by its language id, else by its name, else by how the text begins."""
    name = _QUERY.split(uri, maxsplit=1)[0].rpartition("/")[2]
    language = _BY_ID.get(language_id) or _BY_ENDING.get(name[name.rfind(".") :].lower())
    if language is not None:
        return language
    if _LOOKS_LIKE_JSON.match(text):
        return "json"
    return "yaml" if "yaml" in language_id.lower() else None
