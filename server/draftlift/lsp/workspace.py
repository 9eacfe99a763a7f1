"""What the server knows of the workspace beyond the open documents: that something changed, and which files are clean."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class Workspace:
    """The closed files of a workspace.

    ``serial`` goes up with each change, of files, folders or settings; ``answered`` is the last one whose state the
    client was told. ``settings`` goes up with each change of settings. ``clean`` has the stamps of files without
    findings, so that they are neither read nor told again; ``closed`` are documents that were closed since the last
    answer: what the client still shows of them may be of a text that was never saved. ``registered`` is what the client was told to pull:
    None before it was told, else whether that takes in closed files. ``watched`` says that it tells about changed files.
    """

    serial: int = 0
    answered: int = -1
    settings: int = 0
    registered: bool | None = None
    watched: bool = False
    clean: dict[str, str] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def touch(self) -> None:
        """Something changed."""
        self.serial += 1
        self._changed.set()

    async def change(self, pause: float, patience: float | None) -> int:
        """Wait until the client does not know the present state, and nothing has changed for a pause. Its serial.

        Waits no longer than ``patience``, in seconds, where changes are not told.
        """
        while self.serial == self.answered:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), None if self.watched else patience)
            except asyncio.TimeoutError:
                break
        while self.answered >= 0 and self._changed.is_set():
            self._changed.clear()
            await asyncio.sleep(pause)
        return self.serial
