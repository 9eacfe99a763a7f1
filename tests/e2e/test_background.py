"""Work beside the event loop, in this process: what waits for what, what ends, and that what fails costs itself only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from threading import Event, current_thread

import pytest
from lsprotocol import types

from draftlift.analysis import Analysis, Settings, analyse
from draftlift.analysis.pieces import Pieces
from draftlift.lsp import documents
from draftlift.lsp.background import Lane
from draftlift.lsp.documents import Document
from e2e.test_long_documents import DRAFT_07, long_json

NULL = '[{"name": "s", "inputSchema": null}]'
PLAIN = Settings()


class Work:
    """Work that goes on until it is let go, or nobody needs it."""

    def __init__(self, result: object = None) -> None:
        self.begun, self.go, self.ended = Event(), Event(), Event()
        self.result = result
        self.was_needed = True

    def __call__(self, is_needed: Callable[[], bool]) -> object:
        self.begun.set()
        while not self.go.wait(0.001) and is_needed():
            pass
        self.was_needed = is_needed()
        self.ended.set()
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def test_work_waits_for_no_work_that_is_much_longer() -> None:
    ended: list[object] = []

    async def run() -> None:
        lane = Lane("test")
        works = {size: Work(size) for size in (1000, 250, 900, 251, 60, 1)}
        running = {}
        for size, work in works.items():
            running[size] = lane.begin(work, size)
            running[size].add_done_callback(lambda future: ended.append(future.result()))
            if size in (900, 251):
                assert not work.begun.is_set(), "it is not that much shorter than what is under way"
            else:
                assert work.begun.wait(60)
        for size in (1, 60, 250):
            works[size].go.set()
            await running[size]
        for work in works.values():
            work.go.set()
        assert await asyncio.gather(*running.values()) == list(works)

    asyncio.run(run())
    assert ended == [1, 60, 250, 1000, 251, 900]


def test_one_lane_does_not_wait_for_another() -> None:
    async def run() -> None:
        long, other = Work(), Work("done")
        waiting = Lane("one").begin(long, 1)
        other.go.set()
        assert await Lane("other").begin(other, 10**9) == "done"
        assert not waiting.done()
        long.go.set()
        await waiting

    asyncio.run(run())


def test_what_nobody_needs_stops_or_is_not_begun() -> None:
    async def run() -> None:
        lane = Lane("test")
        works = [Work(), Work(), Work("last")]
        first, second, third = (lane.begin(work, 1) for work in works)
        assert works[0].begun.wait(60)
        second.cancel()
        first.cancel()
        assert works[0].ended.wait(60)
        works[2].go.set()
        assert await third == "last"
        assert not works[0].was_needed
        assert not works[1].begun.is_set()

    asyncio.run(run())


def test_what_fails_is_told_and_the_next_is_done() -> None:
    async def run() -> None:
        lane = Lane("test")
        bad, good = Work(ValueError("no")), Work("good")
        bad.go.set()
        good.go.set()
        failing = lane.begin(bad, 1)
        going = lane.begin(good, 1)
        with pytest.raises(ValueError, match="no"):
            await failing
        assert await going == "good"

    asyncio.run(run())


def test_where_there_are_no_threads_the_loop_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: object) -> None:
        raise RuntimeError("can't start new thread")

    async def run() -> None:
        monkeypatch.setattr("threading.Thread.start", start)
        work = Work("done")
        work.go.set()
        assert await Lane("test").begin(work, 1) == "done"

    asyncio.run(run())


def test_work_that_outlives_the_server_ends_quietly() -> None:
    lane, left, later = Lane("test"), Work(), Work("later")

    async def leave() -> None:
        lane.begin(left, 1)
        assert left.begun.wait(60)

    async def come() -> object:
        return await lane.begin(later, 1)

    asyncio.run(leave())
    left.go.set()
    later.go.set()
    assert asyncio.run(come()) == "later"
    assert left.ended.is_set()


# -- documents ---------------------------------------------------------------------------------------------------------


class Looks:
    """Stands for ``analyse``: looks at a text only once it is let, and fails at those that hold ``FAIL``."""

    def __init__(self) -> None:
        self.held: dict[str, Work] = {}
        self.threads: set[str] = set()

    def __call__(
        self, text: str, language: str, settings: Settings, *, is_needed: Callable[[], bool] = lambda: True
    ) -> Analysis:
        self.threads.add(current_thread().name)
        if "FAIL" in text:
            raise RuntimeError("failed as was wanted")
        for name, work in self.held.items():
            if name in text:
                work(is_needed)
        return analyse(text, "json", settings, is_needed=is_needed)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Looks]:
    looks = Looks()
    monkeypatch.setattr(documents, "analyse", looks)
    yield looks
    for work in looks.held.values():
        work.go.set()


def document(text: str, name: str = "a") -> Document:
    return Document(types.TextDocumentItem(f"untitled:{name}", "json", 1, text))


def change(document: Document, version: int, text: str) -> None:
    document.change(version, [types.TextDocumentContentChangeWholeDocument(text)], "utf-16")


async def rules(document: Document) -> list[str]:
    await document.ready(lambda: PLAIN)
    pieces = document.pieces(PLAIN)
    assert pieces is not None
    return [finding.rule for finding in pieces.findings()]


async def begun(work: Work) -> None:
    while not work.begun.is_set():
        await asyncio.sleep(0.001)


def test_a_document_does_not_wait_for_a_longer_one_nor_a_proof_for_a_look(looks: Looks) -> None:
    looks.held["held"] = Work()
    old = f'[{{"name": "s", "inputSchema": {{"$schema": "{DRAFT_07}", "type": "object"}}}}]'

    async def run() -> None:
        long, short = document(f'["held", {long_json(3)}]', "long"), document(old)
        waiting = asyncio.create_task(long.ready(lambda: PLAIN))
        await begun(looks.held["held"])
        assert await rules(short) == ["legacy-dialect"]
        pieces = short.pieces(PLAIN)
        assert pieces is not None
        assert await short.fix_all(pieces)
        assert not waiting.done()
        long.close()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(run())
    assert looks.held["held"].ended.wait(60)
    assert not looks.held["held"].was_needed
    assert "MainThread" not in looks.threads


def test_a_look_that_fails_costs_the_text_only(looks: Looks, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        failing = document(f'["FAIL", {NULL}]')
        for _ in range(3):
            await failing.ready(lambda: PLAIN)
            assert failing.pieces(PLAIN) is None
        assert await rules(document(NULL, "b")) == ["null-input-schema"]
        change(failing, 2, NULL)
        assert await rules(failing) == ["null-input-schema"]

    with caplog.at_level(logging.ERROR):
        asyncio.run(run())
    assert [record.getMessage() for record in caplog.records] == ["cannot look at untitled:a"]


def test_a_look_at_a_text_that_is_past_may_fail(looks: Looks, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        edited = document(f'["FAIL", {NULL}]')
        waiting = asyncio.create_task(rules(edited))
        await asyncio.sleep(0)
        at = types.Range(types.Position(0, 2), types.Position(0, 6))
        edited.change(2, [types.TextDocumentContentChangePartial(at, "PASS")], "utf-16")
        assert await waiting == ["null-input-schema"]

    with caplog.at_level(logging.ERROR):
        asyncio.run(run())
    assert [record.getMessage() for record in caplog.records] == ["cannot look at untitled:a"]


def test_an_edit_that_cannot_be_followed_for_a_fault_of_ours_costs_a_look(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("failed as was wanted")

    async def run() -> None:
        edited = document('[{"name": "s", "inputSchema": {"type": "object"}}]')
        assert await rules(edited) == []
        monkeypatch.setattr(Pieces, "edited", fail)
        at = types.Range(types.Position(0, 40), types.Position(0, 46))
        edited.change(2, [types.TextDocumentContentChangePartial(at, "string")], "utf-16")
        assert await rules(edited) == ["root-type-not-object"]

    with caplog.at_level(logging.ERROR):
        asyncio.run(run())
    assert [record.getMessage() for record in caplog.records] == ["cannot follow an edit"]


def test_new_settings_give_up_a_look_under_old_ones(looks: Looks) -> None:
    looks.held["held"] = Work()
    present = PLAIN

    async def run() -> None:
        nonlocal present
        text = document(f'["held", {NULL}]')
        waiting = [asyncio.create_task(text.ready(lambda: present)) for _ in range(2)]
        await begun(looks.held["held"])
        looks.held["held"], held = Work(), looks.held["held"]
        looks.held["held"].go.set()
        present = Settings(frozenset({"null-input-schema"}))
        await text.ready(lambda: present)
        await asyncio.gather(*waiting)
        pieces = text.pieces(present)
        assert pieces is not None
        assert pieces.findings() == ()
        assert held.ended.wait(60)
        assert not held.was_needed

    asyncio.run(run())
