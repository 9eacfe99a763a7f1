"""The texts that a command line names, and how a changed one is written back."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from draftlift.files import FilePatterns, UnreadableError, decode, of_folder, read_bytes
from draftlift.syntax.languages import language_of_name, language_of_text
from draftlift.syntax.tree import Language


class CannotRunError(Exception):
    """The command cannot do its work; the message is one line for the user, who gets exit status 2."""


class UnwritableError(Exception):
    """A file is not written; it is as it was, and the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Input:
    """Where a text is: a file, or standard input where ``path`` is None.

    What standard input says is in ``data``: it can be read once, and by this process alone. ``found`` says that the file
    was found in a folder, not named.
    """

    name: str
    path: Path | None
    data: bytes = b""
    found: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """One text to work on. ``path`` is None for standard input; a byte order mark is part of ``text``."""

    name: str
    path: Path | None
    text: str
    encoding: str
    language: Language


def inputs(
    arguments: Sequence[str],
    stdin_filename: str | None,
    patterns: FilePatterns,
    unreadable: Callable[[UnreadableError], None],
) -> Iterator[Input]:
    """What the arguments of a command line name, in their order, and each file once: files, those of folders, standard input.

    A folder that cannot be listed costs itself only: ``unreadable`` is told why.
    """
    seen: set[str] = set()
    folders: dict[Path, str] = {}
    for argument in arguments:
        for entry in _inputs_of(argument, stdin_filename, patterns, unreadable):
            known_as = "-" if entry.path is None else _real(entry.path, folders)
            if known_as not in seen:
                seen.add(known_as)
                yield entry


def _inputs_of(
    argument: str,
    stdin_filename: str | None,
    patterns: FilePatterns,
    unreadable: Callable[[UnreadableError], None],
) -> Iterator[Input]:
    path = Path(argument)
    try:
        if argument == "-":
            yield Input(stdin_filename or "<stdin>", None, stdin().read())
        elif path.is_dir():
            yield from (
                Input(str(found), found, found=True) for found in of_folder(path, patterns, unreadable=unreadable)
            )
        else:
            yield Input(str(path), path)
    except OSError as problem:
        unreadable(UnreadableError(f"{path}: cannot be read: {problem.strerror or problem}"))
    except UnreadableError as problem:
        unreadable(problem)


def _real(path: Path, folders: dict[Path, str]) -> str:
    """One and the same for all names of a file but hard links. ``folders`` are those that were asked for before."""
    if path.is_symlink():
        return os.path.normcase(os.path.realpath(path))
    folder = folders.get(path.parent)
    if folder is None:
        folder = folders[path.parent] = os.path.realpath(path.parent)
    return os.path.normcase(Path(folder, path.name))


def stdin() -> BinaryIO:
    """Standard input. Raises UnreadableError where there is none."""
    if sys.stdin is None:
        raise UnreadableError("standard input cannot be read: it is closed")
    return sys.stdin.buffer


def read_source(entry: Input) -> Source | None:
    """The text of a file, or of standard input.

    None where it is not Unicode and of no interest, or was found in a folder and is gone. Raises UnreadableError where it
    cannot be read, or is not Unicode but may hold tools.
    """
    if entry.path is None:
        data = entry.data
    else:
        try:
            data = read_bytes(entry.path)
        except UnreadableError:
            if entry.found and not os.path.lexists(entry.path):
                return None
            raise
    decoded = decode(entry.name, data)
    if decoded is None:
        return None
    text, encoding = decoded
    return Source(entry.name, entry.path, text, encoding, language_of(entry.name, text))


def language_of(name: str, text: str) -> Language:
    """The language by the name's end; else by how the text begins; YAML where that does not tell."""
    return language_of_name(name) or language_of_text(text) or "yaml"


def write(source: Source, text: str) -> None:
    """Replace the content of a file, if it still is what was read.

    In one step, so that there is never half a file; encoding, permissions, owner and, where Python can carry them over,
    extended attributes stay. In place where a step would cut the file from its other names (hard links), from its owner or
    its mount, or where its folder takes no new file. A link stays a link. Raises UnwritableError.
    """
    assert source.path is not None
    path = Path(os.path.realpath(source.path))
    old, new = (content.encode(source.encoding, "surrogatepass") for content in (source.text, text))
    try:
        status = path.stat()
        if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
            raise UnwritableError(
                f"{source.name}: is read-only and was left alone; make it writable if it is yours to edit"
            )
        if status.st_nlink > 1 or not _replace(path, status, old, new, source.name):
            _overwrite(path, old, new, source.name)
    except OSError as problem:
        raise UnwritableError(f"{source.name}: cannot be written: {problem.strerror or problem}") from None


def _replace(path: Path, status: os.stat_result, old: bytes, new: bytes, name: str) -> bool:
    """Put a new file in the place of the old; False where that would lose something of it, or cannot be."""
    temporary: Path | None = None
    try:
        handle, written = tempfile.mkstemp(dir=path.parent, prefix=".draftlift-")
        temporary = Path(written)
        with os.fdopen(handle, "wb") as file:
            file.write(new)
        made = temporary.stat()
        if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid) and sys.platform != "win32":
            os.chown(temporary, status.st_uid, status.st_gid)
        shutil.copystat(path, temporary)
        os.utime(temporary)
        check_unchanged(path, old, name)
        temporary.replace(path)
        temporary = None
    except OSError as problem:
        if problem.errno in (errno.EPERM, errno.EACCES, errno.EROFS, errno.EBUSY, errno.EXDEV):
            return False
        raise
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
    return True


def _overwrite(path: Path, old: bytes, new: bytes, name: str) -> None:
    with path.open("r+b", buffering=0) as file:
        check_unchanged(path, old, name)
        try:
            _fill(file, new)
        except OSError:  # the disk is full: what stood there had room
            _fill(file, old)
            raise


def _fill(file: FileIO, content: bytes) -> None:
    file.seek(0)
    left = memoryview(content)
    while left:
        left = left[file.write(left) :]
    file.truncate()


def check_unchanged(path: Path, old: bytes, name: str) -> None:
    """Raises UnwritableError where a file does not hold what was read: somebody saved it, and their work is not lost."""
    try:
        unchanged = read_bytes(path) == old
    except UnreadableError:
        unchanged = False
    if not unchanged:
        raise UnwritableError(f"{name}: changed meanwhile and was left alone; run again")
