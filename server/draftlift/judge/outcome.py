"""A trial of a translation, and what comes of it: sample values judged by the old dialect and by the new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from draftlift.schema.dialects import Dialect


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A schema of an old dialect, and what it was translated to."""

    schema: dict[str, Any]
    translated: Any
    dialect: Dialect


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many sample values got the same verdict: ``passed`` pass in both dialects, ``failed`` fail in both.

    ``differing`` counts those that do not get the same verdict; there should be none.
    """

    passed: int = 0
    failed: int = 0
    differing: int = 0

    @property
    def judged(self) -> int:
        """How many values were judged in all."""
        return self.passed + self.failed + self.differing

    @property
    def sentence(self) -> str:
        """The outcome for the author: the end of a sentence, without its full stop."""
        if self.differing:
            which = "sample value does" if self.differing == 1 else "sample values do"
            return f"{self.differing} {which} not get the same verdict; please report this schema"
        number = self.passed + self.failed
        which = "sample value" if number == 1 else "sample values"
        return f"same verdict on {number} {which} ({self.passed} pass, {self.failed} fail, before and after)"


Cause = Literal["slow", "busy", "starting"]


@dataclass(frozen=True, slots=True)
class Cut:
    """A trial that did not come to its end within its limit, and what was known by then.

    ``cause``: the validator is slow with this schema, was busy with another one, or was not ready yet.
    """

    limit_s: float
    cause: Cause
    by_then: Agreement = Agreement()

    @property
    def sentence(self) -> str:
        """The outcome for the author: the end of a sentence, without its full stop."""
        if self.by_then.differing:
            return self.by_then.sentence
        after = f"cut short after {self.limit_s:.1g} s"
        if self.cause == "busy":
            return f"{after}, since the validator was busy with another schema"
        if self.cause == "starting":
            return f"{after}, since the validator is still starting; ask again in a moment"
        if self.by_then.judged:
            return f"{after}, since a pattern or the size of this schema is slow to judge; until then {self.by_then.sentence}"
        return f"{after}, since a pattern or the size of this schema is slow to judge"
