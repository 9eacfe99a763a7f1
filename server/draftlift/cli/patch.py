"""The changes of a file as ``patch -p0`` and ``git apply -p0`` take them: lines end at LF and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from draftlift.text import Edit, apply_edits

_CONTEXT = 3
"""Lines shown above and below a change."""

_ESCAPES = {"\t": r"\t", "\n": r"\n", "\r": r"\r", '"': r"\"", "\\": r"\\"}


def patch(name: bytes, text: str, edits: Sequence[Edit]) -> bytes:
    """A patch for a text in UTF-8, from its edits; empty where these change nothing. In time linear in the text."""
    lines = _split(text)
    starts = list(accumulate(map(len, lines), initial=0))
    hunks = _hunks(list(_changes(text, lines, starts, edits)))
    written = []
    shift = 0
    for hunk in hunks:
        first, last = max(hunk[0][0] - _CONTEXT, 0), min(hunk[-1][1] + _CONTEXT, len(lines))
        body: list[str] = []
        size = last - first
        at = first
        for start, end, new in hunk:
            body += (" " + line for line in lines[at:start])
            body += ("-" + line for line in lines[start:end])
            body += ("+" + line for line in new)
            size += len(new) - (end - start)
            at = end
        body += (" " + line for line in lines[at:last])
        written.append(f"@@ -{_range(first, last - first)} +{_range(first + shift, size)} @@\n")
        written += (line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in body)
        shift += size - (last - first)
    if not written:
        return b""
    return b"--- " + name + b"\n+++ " + name + b"\n" + "".join(written).encode("utf-8", "surrogatepass")


def name_of(path: Path | None, name: str) -> bytes:
    """How a patch names a file: from the working folder on, where it is below; quoted where it has to be, as git does it.

    A link is named by what it leads to, since tools refuse to patch a link.
    """
    if path is not None:
        shown = Path(os.path.realpath(path)) if path.is_symlink() else path
        for folder in (Path.cwd(), Path(os.path.realpath(Path.cwd()))):
            if shown.is_absolute() and shown.is_relative_to(folder):
                shown = shown.relative_to(folder)
        name = shown.as_posix()
    if name.startswith(" ") or any(char in _ESCAPES or char < " " for char in name):
        name = (
            '"' + "".join(_ESCAPES.get(char) or (char if char >= " " else f"\\{ord(char):03o}") for char in name) + '"'
        )
    elif " " in name:
        name += "\t"  # the name ends here
    return os.fsencode(name)


_Change = tuple[int, int, list[str]]
"""Lines from the first to before the last, and what comes in their place."""


def _changes(text: str, lines: list[str], starts: list[int], edits: Sequence[Edit]) -> Iterator[_Change]:
    """The lines that change, each run of them once, without any that stay at its ends."""
    for group, first, last in _runs(text, starts, edits):
        old = lines[first:last]
        offset = starts[first]
        inside = [Edit(edit.start - offset, edit.end - offset, edit.new_text) for edit in group]
        new = _split(apply_edits(text[offset : starts[last]], inside))
        same = 0
        while same < min(len(old), len(new)) and old[same] == new[same]:
            same += 1
        end = 0
        while end < min(len(old), len(new)) - same and old[len(old) - 1 - end] == new[len(new) - 1 - end]:
            end += 1
        if same < len(old) - end or same < len(new) - end:
            yield first + same, last - end, new[same : len(new) - end]


def _runs(text: str, starts: list[int], edits: Sequence[Edit]) -> Iterator[tuple[list[Edit], int, int]]:
    """Edits that touch one line or lines side by side, with the first line and the one after the last."""
    group: list[Edit] = []
    first = last = line = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        while line + 1 < len(starts) and starts[line + 1] <= edit.start:
            line += 1
        start = min(line, max(len(starts) - 2, 0))
        end = start + 1
        while end < len(starts) - 1 and starts[end] <= edit.end:
            end += 1
        if group and start > last:
            yield group, first, last
            group = []
        if not group:
            first, last = start, end
        group.append(edit)
        last = max(last, end)
    if group:
        yield group, first, min(last, len(starts) - 1)


def _hunks(changes: list[_Change]) -> list[list[_Change]]:
    hunks: list[list[_Change]] = []
    for change in changes:
        if hunks and change[0] - hunks[-1][-1][1] <= 2 * _CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _range(first: int, size: int) -> str:
    start = first + 1 if size else first  # an empty range stands after a line
    return str(start) if size == 1 else f"{start},{size}"


def _split(text: str) -> list[str]:
    """The lines of a text, each with its LF; the last may have none."""
    lines = text.split("\n")
    ended = [line + "\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended
