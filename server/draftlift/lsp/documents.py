"""The open documents: their texts as the client sees them, and what was found in each.

URIs are opaque: kept, compared and sent back exactly as received.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, TypeVar

from lsprotocol import types

from draftlift import gc_pause
from draftlift.analysis import Finding, Fix, Settings, StoppedError, analyse
from draftlift.analysis.pieces import Piece, Pieces
from draftlift.lsp.background import Lane
from draftlift.syntax import read
from draftlift.syntax.languages import language_of_name, language_of_text
from draftlift.syntax.tree import Language
from draftlift.text import Edit, Encoding, LineIndex

_BY_ID: dict[str, Language] = {"json": "json", "jsonc": "json", "yaml": "yaml"}
_QUERY = re.compile(r"[?#]")
_log = logging.getLogger(__name__)

_LONG = 100_000
"""Code points from which on a text is not looked at as a whole after each change, but once it is left alone."""

_PAUSE = 0.075
"""Seconds without a change before a long text is looked at again as a whole."""

_HUGE = 2_000_000
"""Code points from which on what is known of a text is kept from the garbage collector."""

_LONGEST_EDITED = 100_000
"""What the work of following an edit is taken for at most, in code points: it is the text of one tool."""

_serials = count(1)
_Result = TypeVar("_Result")

_looks, _steps, _proofs = Lane("looks"), Lane("steps"), Lane("proofs")
"""Looks at whole texts; edits that are followed; and proofs of fixes. The sizes are code points."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a text under some settings: its pieces; or, if it should turn out to be broken, those to go by."""

    settings: Settings
    pieces: Pieces | None = None
    if_broken: Pieces | None = None

    def after(self, edit: Edit) -> _Known:
        """What is known after an edit. Where draftlift fails at it, nothing."""
        before = self.pieces or self.if_broken
        try:
            after = before.edited(*edit) if before is not None else None
            if before is not None and after is None:
                return _Known(self.settings, None, before.broken(*edit))
        except Exception:
            _log.exception("cannot follow an edit")
            return _Known(self.settings)
        if after is not None and (self.pieces is not None or not after.has_broken_item):
            return _Known(self.settings, after)
        return _Known(self.settings, None, after)


@dataclass(slots=True, eq=False)
class _Work:
    """Work under way, for the text as it was when so many edits had been made that are not in what is known."""

    settings: Settings
    edits: int
    running: asyncio.Future[_Known]


class Document:
    """One open document.

    All that takes long is done beside the event loop: first ``ready`` is awaited, then ``pieces`` answers at once.
    ``serial`` numbers the states of text and settings, across all documents. ``pending`` publishes its diagnostics as
    soon as they are known.
    """

    __slots__ = (
        "_changed_at",
        "_edits",
        "_failed",
        "_fix_all",
        "_is_new",
        "_known",
        "_language_id",
        "_lines",
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
        """What ``diagnostics_json`` keeps from one publication to the next."""
        self._language_id = item.language_id
        self._lines: LineIndex | None = None
        self._known: _Known | None = None
        self._edits: list[Edit] = []
        """What was edited since the text that ``_known`` is of."""
        self._failed: Settings | None = None
        """The settings under which draftlift failed at the text as it stands."""
        self._fix_all: tuple[Edit, ...] | None = None
        self._work: _Work | None = None
        self._is_new = True
        """Whether nothing is known yet, of this text or an earlier one."""
        self._changed_at = 0.0

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
                self._lines = self._known = None
                self._edits = []
                self._stop()
        self.version = version
        self.serial = next(_serials)
        self._changed_at = time.monotonic()
        self._fix_all = self._failed = None
        if self.language is None:
            self.language = language_of(self._language_id, self.uri, self.text)

    def _edit(self, edit: Edit) -> None:
        self.text = self.text[: edit.start] + edit.new_text + self.text[edit.end :]
        self._lines = self.lines.edited(edit, self.text)
        self._edits.append(edit)

    def _offset(self, position: types.Position, encoding: Encoding) -> int:
        return self.lines.offset(position.line, position.character, encoding)

    def pieces(self, settings: Settings) -> Pieces | None:
        """What is known of the text as it stands; None where its language is not ours, or draftlift failed at it.

        Where ``is_ready`` says no, the text is looked at before this returns.
        """
        if self.language is None or self._failed == settings:
            return None
        if not self._knows(settings):
            self._stop()
            edits = len(self._edits)
            self._take(_caught_up(self._base(settings), self._edits, self.text, self.language, settings), edits)
        return self._known.pieces if self._known is not None else None

    def is_ready(self, settings: Settings) -> bool:
        """Whether ``pieces`` answers at once."""
        return self.language is None or self._failed == settings or self._knows(settings)

    async def ready(self, present: Callable[[], Settings]) -> None:
        """Wait until ``is_ready`` with the present settings.

        A long text is looked at once nothing has changed for a pause. The look is of use although there were edits
        meanwhile, where it can follow them.
        """
        while not self.is_ready(settings := present()):
            if self._work is not None and self._work.settings != settings:
                self._stop()
            if self._work is None:
                quiet = self._changed_at + _PAUSE - time.monotonic()
                if quiet > 0 and len(self.text) >= _LONG and not self._may_follow(settings):
                    await asyncio.sleep(quiet)
                    continue
                self._work = self._begin(settings)
            await asyncio.wait((self._work.running,))

    def _knows(self, settings: Settings) -> bool:
        known = self._base(settings)
        return known is not None and known.pieces is not None and not self._edits

    def _may_follow(self, settings: Settings) -> bool:
        known = self._base(settings)
        return known is not None and bool(known.pieces or known.if_broken) and bool(self._edits)

    def _base(self, settings: Settings) -> _Known | None:
        """What is known under these settings, before the edits."""
        return self._known if self._known is not None and self._known.settings == settings else None

    def _take(self, known: _Known, edits: int) -> None:
        """Take over what is known now that so many of the edits are followed."""
        if self._known is not None and self._known.settings != known.settings:
            self.serial = next(_serials)
        self._known, self._fix_all, self._is_new = known, None, False
        del self._edits[:edits]

    def _begin(self, settings: Settings) -> _Work:
        """Begin to follow the edits, or to look at the text; both at once where it is short."""
        text, language, known, edits = self.text, self.language, self._base(settings), tuple(self._edits)
        assert language is not None
        is_long = len(text) >= _LONG
        looks = not (is_long and self._may_follow(settings))
        # To walk all that is new takes the collector as long as a tenth of the look. But what else is alive then is never
        # collected either, so this is for the first look, and for those after which the server would stand still.
        sets_apart = looks and is_long and (self._is_new or len(text) > _HUGE)

        def catch_up(is_needed: Callable[[], bool]) -> _Known:
            found = _caught_up(known, edits, text, language, settings, is_needed, looks=looks)
            if sets_apart:
                gc_pause.set_apart()
            return found

        running = _looks.begin(catch_up, len(text)) if looks else _steps.begin(catch_up, _LONGEST_EDITED)
        work = _Work(settings, len(edits), running)
        running.add_done_callback(lambda _: self._end(work))
        return work

    def _end(self, work: _Work) -> None:
        if self._work is not work:
            return
        self._work = None
        error = work.running.exception()
        if error is None:
            self._take(work.running.result(), work.edits)
        else:
            _log.error("cannot look at %s", self.uri, exc_info=error)
            if work.edits == len(self._edits):
                self._failed = work.settings

    def _stop(self) -> None:
        """Give up the work that is under way."""
        if self._work is not None:
            work, self._work = self._work, None
            work.running.cancel()

    async def fixes(self, piece: Piece, findings: list[Finding]) -> list[tuple[Fix, ...]]:
        """The fixes of findings of a piece; see ``Piece.fixes``."""
        return await _proved(piece.analysis.tree.text, partial(piece.fixes, findings))

    async def fix_all(self, pieces: Pieces) -> tuple[Edit, ...]:
        """The edits of ``Analysis.fix_all`` for the text as it stands, of which the pieces are."""
        text, language, known, serial = self.text, self.language, self._known, self.serial
        if self._fix_all is not None or language is None or known is None:
            return self._fix_all or ()

        def work() -> tuple[Edit, ...]:
            return (pieces.base if pieces.is_whole else analyse(text, language, known.settings)).fix_all()

        edits = await _proved(text, work)
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


async def _proved(text: str, work: Callable[[], _Result]) -> _Result:
    """What comes of proofs on a text. Of one text they go one after another."""
    return await _proofs.begin(lambda _: work(), len(text))


def _caught_up(
    known: _Known | None,
    edits: Iterable[Edit],
    text: str,
    language: Language,
    settings: Settings,
    is_needed: Callable[[], bool] = lambda: True,
    *,
    looks: bool = True,
) -> _Known:
    """What is known of a text, from what was known before some edits; if need be by a look at the whole, if it ``looks``."""
    known = known or _Known(settings)
    for edit in edits:
        if not is_needed():
            raise StoppedError
        known = known.after(edit)
    if known.pieces is not None or not looks:
        return known
    if known.if_broken is not None and read(text, language).problems:
        return _Known(settings, known.if_broken)
    return _Known(settings, Pieces.of(analyse(text, language, settings, is_needed=is_needed), settings))


def language_of(language_id: str, uri: str, text: str) -> Language | None:
    """The language of a document: by its language id, else by its name, else by how the text begins."""
    name = _QUERY.split(uri, maxsplit=1)[0].rpartition("/")[2]
    known = _BY_ID.get(language_id) or language_of_name(name) or language_of_text(text)
    return known or ("yaml" if "yaml" in language_id.lower() else None)
