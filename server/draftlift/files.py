"""Files on the disk, for the command line and for the server: which ones of a folder, and the text of each."""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from draftlift.syntax.languages import language_of_name
from draftlift.tools.find import may_hold_sites

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Longest first: the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class UnreadableError(Exception):
    """A file or folder cannot be read; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class FilePatterns:
    """Which files are looked at, by patterns as in a ``.gitignore``: of ``include``, where there are any, but of ``exclude``."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def takes(self, name: str) -> bool:
        """Whether a file is looked at. ``name`` is relative to the folder that the patterns are for, with slashes."""
        if self.include and not _spec(self.include).match_file(name):
            return False
        return not self.skips(name)

    def skips(self, name: str) -> bool:
        """Whether a file, or all of a folder whose name ends with a slash, is left out."""
        return bool(self.exclude) and _spec(self.exclude).match_file(name)


def of_folder(
    folder: Path, patterns: FilePatterns = FilePatterns(), *, unreadable: Callable[[UnreadableError], None]
) -> Iterator[Path]:
    """Every JSON and YAML file below a folder that git does not ignore and the patterns take, in order of names.

    The folder is a border: a link that leads out of it is not followed, nor is any link to a folder. A folder that cannot
    be listed costs itself only: ``unreadable`` is told why.
    """
    root = folder.absolute()
    stack = [(folder, _ignores_above(root))]
    while stack:
        folder, ignores = stack.pop()
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as problem:
            unreadable(UnreadableError(f"{folder}: cannot be read: {problem.strerror or problem}"))
            continue
        ignores = _with_own(ignores, folder.absolute())
        folders = []
        for entry in entries:
            path = folder / entry.name
            if _is_folder(entry):
                if _enters(path.absolute(), root, ignores, patterns):
                    folders.append((path, ignores))
            elif _takes(path.absolute(), root, ignores, patterns) and _is_file_inside(path, root):
                yield path
        stack += reversed(folders)


def is_of_folder(path: Path, folder: Path, patterns: FilePatterns = FilePatterns()) -> bool:
    """Whether a path below a folder is one that ``of_folder`` gives. Both are absolute."""
    at, ignores = folder, _with_own(_ignores_above(folder), folder)
    for name in path.relative_to(folder).parts[:-1]:
        at = at / name
        if at.is_symlink() or not _enters(at, folder, ignores, patterns):
            return False
        ignores = _with_own(ignores, at)
    return _takes(path, folder, ignores, patterns) and _is_file_inside(path, folder)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder itself, and not a link to one or, on Windows, a junction."""
    try:
        return entry.is_dir(follow_symlinks=False) and (
            sys.platform != "win32"
            or entry.stat(follow_symlinks=False).st_reparse_tag != stat.IO_REPARSE_TAG_MOUNT_POINT
        )
    except OSError:  # it went while we looked
        return False


def _is_file_inside(path: Path, root: Path) -> bool:
    """Whether there is a regular file, and one of the root: a link may lead out of it, to nothing, or to itself."""
    try:
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode):
            return stat.S_ISREG(mode)
        real = Path(os.path.realpath(path))
        return real.is_file() and real.is_relative_to(os.path.realpath(root))
    except OSError:
        return False


def _enters(folder: Path, root: Path, ignores: list[tuple[Path, GitIgnoreSpec]], patterns: FilePatterns) -> bool:
    name = folder.relative_to(root).as_posix() + "/"
    return folder.name != ".git" and not patterns.skips(name) and not _is_ignored(folder, ignores, folder=True)


def _takes(path: Path, root: Path, ignores: list[tuple[Path, GitIgnoreSpec]], patterns: FilePatterns) -> bool:
    return (
        language_of_name(path.name) is not None
        and patterns.takes(path.relative_to(root).as_posix())
        and not _is_ignored(path, ignores)
    )


def _with_own(ignores: list[tuple[Path, GitIgnoreSpec]], folder: Path) -> list[tuple[Path, GitIgnoreSpec]]:
    own = _ignore_file(folder)
    return [*ignores, own] if own is not None else ignores


def read_bytes(path: Path) -> bytes:
    """The content of a file. Raises UnreadableError where there is none to read.

    A pipe or a device is none: to read it could wait for ever.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
            raise UnreadableError(
                f"{path}: is a pipe or a device, not a file; send what it holds to standard input, and name -"
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise UnreadableError(f"{path}: no such file or folder") from None
    except OSError as problem:
        raise UnreadableError(f"{path}: cannot be read: {problem.strerror or problem}") from None


def decode(name: str, data: bytes) -> tuple[str, str] | None:
    """The text of a file, a byte order mark included, and its encoding; None where it is not Unicode but of no interest.

    Raises UnreadableError where it is not Unicode but may hold tools.
    """
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError as problem:
        if not may_hold_sites(data.decode("latin-1")):
            return None
        raise UnreadableError(
            f"{name}: is not valid {encoding.upper()} (byte {problem.start}); save the file as UTF-8"
        ) from None


def is_pattern(line: str) -> bool:
    """Whether a line is one that a ``.gitignore`` can have; git passes over all others."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True


@lru_cache(64)
def _spec(lines: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(filter(is_pattern, lines))


def _is_ignored(path: Path, ignores: list[tuple[Path, GitIgnoreSpec]], *, folder: bool = False) -> bool:
    for root, spec in reversed(ignores):  # the nearest file that says anything about it decides
        name = path.relative_to(root).as_posix() + ("/" if folder else "")
        verdict = spec.check_file(name).include
        if verdict is not None:
            return verdict
    return False


def _ignores_above(folder: Path) -> list[tuple[Path, GitIgnoreSpec]]:
    """The ignore files of the folders above, as far as the repository goes."""
    above: list[Path] = []
    for parent in (folder, *folder.parents):
        if (parent / ".git").exists():
            found = [_ignore_file(parent, ".git/info/exclude")]
            found += [_ignore_file(path) for path in reversed(above)]
            return [entry for entry in found if entry is not None]
        if parent.parent != parent:
            above.append(parent.parent)
    return []


def _ignore_file(folder: Path, name: str = ".gitignore") -> tuple[Path, GitIgnoreSpec] | None:
    try:
        lines = read_bytes(folder / name).decode("utf-8-sig", "replace").split("\n")  # as git reads it
    except UnreadableError:
        return None
    return folder, _spec(tuple(line.removesuffix("\r") for line in lines))
