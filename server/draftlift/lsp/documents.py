"""The open documents: their texts as the client sees them, and what was found in each.

URIs are opaque: kept, compared and sent back exactly as received.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, TypeVar

from lsprotocol import types

from draftlift import gc_pause
from draftlift.analysis import Finding, Fix, Settings, analyse
from draftlift.analysis.pieces import Piece, Pieces
from draftlift.lsp import background
from draftlift.syntax import read
from draftlift.syntax.languages import language_of_name, language_of_text
from draftlift.syntax.tree import Language
from draftlift.text import Edit, Encoding, LineIndex

_BY_ID: dict[str, Language] = {"json": "json", "jsonc": "json", "yaml": "yaml"}
_QUERY = re.compile(r"[?#]")
_log = logging.getLogger(__name__)

_LONG = 100_000
"""Code points from which on a text is analysed beside the event loop, so that others get their answers meanwhile."""

_HUGE = 2_000_000
"""Code points from which on what is known of a text is kept from the garbage gc_pause."""

_PAUSE = 0.075
"""Seconds without a change before a long text is analysed again as a whole."""

_serials = count(1)
_Result = TypeVar("_Result")


@dataclass(slots=True, eq=False)
class _Work:
    """An analysis under way, of the text as it was; ``edits`` are those since. ``done`` has no result."""

    settings: Settings
    done: asyncio.Future[None]
    edits: list[Edit] = field(default_factory=list)
    stopped: bool = False


class Document:
    """One open document.

    ``serial`` numbers the states of text and settings, across all documents. ``pending`` publishes its diagnostics as
    soon as they are known.
    """

    __slots__ = (
        "_changed_at",
        "_failed_at",
        "_fix_all",
        "_if_broken",
        "_language_id",
        "_lines",
        "_pieces",
        "_settings",
        "_work",
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
        self.pending: asyncio.Task[None] | None = None
        self.serial = next(_serials)
        self.written: dict[int, Any] = {}
        """What ``wire`` keeps from one publication to the next."""
        self._language_id = item.language_id
        self._lines: LineIndex | None = None
        self._pieces: Pieces | None = None
        self._if_broken: Pieces | None = None
        self._settings: Settings | None = None
        self._fix_all: tuple[Edit, ...] | None = None
        self._work: _Work | None = None
        self._changed_at = 0.0
        self._failed_at = 0

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
                self._edit(Edit(start, end, change.text))
            else:
                self.text = change.text
                self._lines = self._pieces = self._if_broken = None
                self._stop()
        self.version = version
        self.serial = next(_serials)
        self._changed_at = time.monotonic()
        self._fix_all = None
        if self.language is None:
            self.language = language_of(self._language_id, self.uri, self.text)

    def _edit(self, edit: Edit) -> None:
        self.text = self.text[: edit.start] + edit.new_text + self.text[edit.end :]
        self._lines = self.lines.edited(edit, self.text)
        self._follow(edit)
        if self._pieces is not None:
            self._stop()
        elif self._work is not None:
            self._work.edits.append(edit)

    def _follow(self, edit: Edit) -> None:
        """Have what is known follow an edit, as far as that goes."""
        before = self._pieces or self._if_broken
        is_sure = self._pieces is not None
        self._pieces = self._if_broken = None
        after = before.edited(*edit) if before is not None else None
        if before is not None and after is None:
            self._if_broken = before.broken(*edit)
        elif after is not None and (is_sure or not after.has_broken_item):
            self._pieces = after
        else:
            self._if_broken = after

    def _offset(self, position: types.Position, encoding: Encoding) -> int:
        return self.lines.offset(position.line, position.character, encoding)

    def pieces(self, settings: Settings) -> Pieces | None:
        """What is known of the text as it stands; None where its language is not ours. See ``is_ready``."""
        if self.language is None:
            return None
        if not self._knows(settings):
            self._stop()
            if_broken = self._if_broken if self._settings == settings else None
            self._take(_look(self.text, self.language, settings, if_broken), settings)
        return self._pieces

    def is_ready(self, settings: Settings) -> bool:
        """Whether ``pieces`` answers without a long look at the text."""
        return (
            self.language is None or len(self.text) < _LONG or self._knows(settings) or self._failed_at == self.serial
        )

    async def ready(self, present: Callable[[], Settings]) -> None:
        """Wait until ``is_ready`` with the present settings.

        A long text is looked at beside the event loop, once nothing has changed for a pause. The look is of use although
        there were edits meanwhile, where it can follow them.
        """
        while not self.is_ready(settings := present()):
            if self._work is not None and self._work.settings != settings:
                self._stop()
            quiet = self._changed_at + _PAUSE - time.monotonic()
            if self._work is not None:
                await asyncio.shield(self._work.done)
            elif quiet > 0:
                await asyncio.sleep(quiet)
            else:
                self._begin(settings)

    def _knows(self, settings: Settings) -> bool:
        return self._pieces is not None and self._settings == settings

    def _take(self, pieces: Pieces, settings: Settings) -> None:
        if self._settings not in (None, settings):
            self.serial = next(_serials)
        self._pieces, self._settings, self._if_broken, self._fix_all = pieces, settings, None, None

    def _begin(self, settings: Settings) -> None:
        """Begin a look at the text beside the event loop."""
        work = self._work = _Work(settings, asyncio.get_running_loop().create_future())
        text, language = self.text, self.language
        if_broken = self._if_broken if self._settings == settings else None
        assert language is not None
        # To walk all that is new takes the collector as long as a tenth of the look. But what else is alive then is never
        # collected either, so this is for the first look, and for those after which the server would stand still.
        sets_apart = self._settings is None or len(text) > _HUGE

        def look() -> Pieces:
            pieces = _look(text, language, settings, if_broken, lambda: not work.stopped)
            if sets_apart:
                gc_pause.set_apart()
            return pieces

        background.begin(look).add_done_callback(partial(self._end, work))

    def _end(self, work: _Work, looked: asyncio.Future[Pieces]) -> None:
        error = looked.exception()
        if self._work is work:
            self._work = None
            if error is not None:
                _log.error("cannot look at %s", self.uri, exc_info=error)
                self._failed_at = self.serial
            else:
                self._take(looked.result(), work.settings)
                for edit in work.edits:
                    self._follow(edit)
        if not work.done.done():
            work.done.set_result(None)

    def _stop(self) -> None:
        """Give up the look that is under way."""
        if self._work is not None:
            self._work.stopped = True
            if not self._work.done.done():
                self._work.done.set_result(None)
            self._work = None

    async def fixes(self, piece: Piece, findings: list[Finding]) -> list[tuple[Fix, ...]]:
        """The fixes of findings of a piece; see ``Piece.fixes``."""
        return await _beside_if_long(piece.analysis.tree.text, partial(piece.fixes, findings))

    async def fix_all(self, pieces: Pieces) -> tuple[Edit, ...]:
        """The edits of ``Analysis.fix_all`` for the text as it stands, of which the pieces are."""
        text, language, settings, serial = self.text, self.language, self._settings, self.serial
        if self._fix_all is not None or language is None:
            return self._fix_all or ()

        def work() -> tuple[Edit, ...]:
            return (pieces.base if pieces.is_whole else analyse(text, language, settings)).fix_all()

        edits = await _beside_if_long(text, work)
        if self.serial == serial:
            self._fix_all = edits
        return edits

    def wait_no_more(self) -> None:
        """Publish nothing of a state that is past."""
        if self.pending is not None:
            self.pending.cancel()
            self.pending = None

    def close(self) -> None:
        """Give up what is under way for this document."""
        self.wait_no_more()
        self._stop()


async def _beside_if_long(text: str, work: Callable[[], _Result]) -> _Result:
    return work() if len(text) < _LONG else await background.begin(work)


def _look(
    text: str,
    language: Language,
    settings: Settings,
    if_broken: Pieces | None,
    is_needed: Callable[[], bool] = lambda: True,
) -> Pieces:
    """What a look at the whole text tells; ``if_broken`` is what to go by where the text turns out to be broken."""
    if if_broken is not None and read(text, language).problems:
        return if_broken
    return Pieces.of(analyse(text, language, settings, is_needed=is_needed), settings)


def language_of(language_id: str, uri: str, text: str) -> Language | None:
    """The language of a document: by its language id, else by its name, else by how the text begins."""
    name = _QUERY.split(uri, maxsplit=1)[0].rpartition("/")[2]
    known = _BY_ID.get(language_id) or language_of_name(name) or language_of_text(text)
    return known or ("yaml" if "yaml" in language_id.lower() else None)
