"""What the server knows of the workspace beyond the open documents: what changed, and which files are there and clean."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Workspace:
    """The closed files of a workspace.

    ``serial`` goes up with each change, of files, folders or settings; ``answered`` is the last one whose state the
    client was told. ``changed`` are the URIs of files that may have changed since, None where any may have. ``settings``
    goes up with each change of settings. ``clean`` has the stamps of files without findings, so that they are neither
    read nor told again; ``seen`` are the URIs of all files, sorted. ``closed`` are documents that were closed since the
    last answer: what the client still shows of them may be of a text that was never saved. ``registered`` is what the
    client was told to pull: None before it was told, else whether that takes in closed files. ``watched`` says that it
    tells about changed files.
    """

    serial: int = 0
    answered: int = -1
    changed: set[str] | None = None
    settings: int = 0
    registered: bool | None = None
    watched: bool = False
    clean: dict[str, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def touch(self, uris: Iterable[str] | None = None) -> None:
        """These files changed, or anything."""
        if uris is None:
            self.changed = None
        elif self.changed is not None:
            self.changed.update(uris)
        self.serial += 1
        self._news.set()

    def see(self, uri: str) -> None:
        """Note that there is this file."""
        index = bisect_left(self.seen, uri)
        if self.seen[index : index + 1] != [uri]:
            self.seen.insert(index, uri)

    def has_below(self, uri: str) -> bool:
        """Whether a file was seen below a folder."""
        prefix = uri.rstrip("/") + "/"
        index = bisect_left(self.seen, prefix)
        return index < len(self.seen) and self.seen[index].startswith(prefix)

    async def change(self, pause: float, patience: float | None) -> int:
        """Wait until the client does not know the present state, and nothing has changed for a pause. Its serial.

        Waits no longer than ``patience``, in seconds, where changes are not told; after that anything may have changed.
        """
        while self.serial == self.answered:
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), None if self.watched else patience)
            except asyncio.TimeoutError:
                self.changed = None
                break
        while self.answered >= 0 and self._news.is_set():
            self._news.clear()
            await asyncio.sleep(pause)
        return self.serial
