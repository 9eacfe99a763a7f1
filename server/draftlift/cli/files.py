"""Files for the command line: which ones, their text, and how a changed one is written back."""

from __future__ import annotations

import codecs
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from draftlift.detect import may_hold_sites
from draftlift.syntax.tree import LANGUAGE_OF_ENDING, Language

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Longest first: the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class CannotRunError(Exception):
    """The command cannot do its work; the message is one line for the user, who gets exit status 2."""


@dataclass(frozen=True, slots=True)
class Source:
    """One text to work on. ``path`` is None for standard input; a byte order mark is part of ``text``."""

    name: str
    path: Path | None
    text: str
    encoding: str
    language: Language


def sources(arguments: Sequence[str], stdin_filename: str | None) -> Iterator[Source]:
    """The texts that the arguments of a command line name, one after the other.

    Raises CannotRunError for one that does not exist or cannot be read; see ``read_source``.
    """
    for argument in arguments:
        for path in paths_of(argument):
            source = read_source(path, stdin_filename)
            if source is not None:
                yield source


def paths_of(argument: str) -> Iterator[Path | None]:
    """The files that one argument names; None is standard input."""
    if argument == "-":
        yield None
    else:
        yield from _files(Path(argument))


def read_source(path: Path | None, stdin_filename: str | None) -> Source | None:
    """The text of one file, or of standard input where the path is None.

    None where it is not Unicode and of no interest. Raises CannotRunError where it cannot be read, or is not Unicode but
    may hold tools.
    """
    name = str(path) if path is not None else stdin_filename or "<stdin>"
    decoded = decode(name, read_bytes(path) if path is not None else sys.stdin.buffer.read())
    if decoded is None:
        return None
    text, encoding = decoded
    return Source(name, path, text, encoding, language_of(name, text))


def read_bytes(path: Path) -> bytes:
    """The content of a file. Raises CannotRunError where there is none to read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise CannotRunError(f"{path}: no such file or folder") from None
    except OSError as problem:
        raise CannotRunError(f"{path}: cannot be read: {problem.strerror or problem}") from None


def decode(name: str, data: bytes) -> tuple[str, str] | None:
    """The text of a file and its encoding; None where it is not Unicode but of no interest."""
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError as problem:
        if not may_hold_sites(data.decode("latin-1")):
            return None
        raise CannotRunError(
            f"{name}: is not valid {encoding.upper()} (byte {problem.start}); save the file as UTF-8"
        ) from None


def language_of(name: str, text: str) -> Language:
    """The language by the name's end; else by the first character: a brace or bracket begins JSON."""
    known = LANGUAGE_OF_ENDING.get(Path(name).suffix.lower())
    if known is not None:
        return known
    return "json" if text.lstrip("\ufeff \t\r\n").startswith(("{", "[", "//", "/*")) else "yaml"


def write(source: Source, text: str) -> None:
    """Replace a file by a changed text, in one step: there is never half a file. Encoding and permissions stay.

    Raises CannotRunError where it cannot be written; the file is then as it was.
    """
    assert source.path is not None
    path = Path(os.path.realpath(source.path))
    temporary: str | None = None
    try:
        mode = path.stat().st_mode
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode(source.encoding, "surrogatepass"))
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except OSError as problem:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise CannotRunError(f"{source.name}: cannot be written: {problem.strerror or problem}") from None


def _files(path: Path) -> Iterator[Path]:
    """The path itself, or every JSON and YAML file below a folder that git does not ignore, in order of names."""
    try:
        is_folder = path.is_dir()
    except OSError as problem:
        raise CannotRunError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    if not is_folder:
        yield path
        return
    yield from _walk(path, _ignores_above(path.absolute()))


def _walk(folder: Path, ignores: list[tuple[Path, GitIgnoreSpec]]) -> Iterator[Path]:
    stack = [(folder, ignores)]
    while stack:
        folder, ignores = stack.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as problem:
            raise CannotRunError(f"{folder}: cannot be read: {problem.strerror or problem}") from None
        own = _ignore_file(folder.absolute())
        ignores = [*ignores, own] if own is not None else ignores
        folders = []
        for entry in entries:
            path = folder / entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name != ".git" and not _is_ignored(path.absolute(), ignores, folder=True):
                    folders.append((path, ignores))
            elif (
                path.suffix.lower() in LANGUAGE_OF_ENDING
                and entry.is_file()
                and not _is_ignored(path.absolute(), ignores)
            ):
                yield path
        stack += reversed(folders)


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
        lines = (folder / name).read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    from pathspec import GitIgnoreSpec

    return folder, GitIgnoreSpec.from_lines(lines)
