"""Why something is left as it is: a refusal as data, so that whoever tells it can point at the culprit."""

from __future__ import annotations

from dataclasses import dataclass

from draftlift.syntax.pointer import Pointer, to_text


@dataclass(frozen=True, slots=True)
class Refusal:
    """One place that stands in the way of a faithful change. ``id`` names an entry of a catalogue of reasons."""

    id: str
    pointer: Pointer
    keyword: str
    message: str

    @property
    def pointer_text(self) -> str:
        """The place as a JSON Pointer from the schema's root."""
        return to_text(self.pointer)
