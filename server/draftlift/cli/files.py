"""The texts that a command line names, and how a changed one is written back."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from draftlift.files import Choice, UnreadableError, decode, of_folder, read_bytes
from draftlift.syntax.languages import language_of_name, language_of_text
from draftlift.syntax.tree import Language


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


def sources(arguments: Sequence[str], stdin_filename: str | None, choice: Choice) -> Iterator[Source]:
    """The texts that the arguments of a command line name, one after the other.

    Raises UnreadableError for one that does not exist or cannot be read; see ``read_source``.
    """
    for argument in arguments:
        for path in paths_of(argument, choice):
            source = read_source(path, stdin_filename)
            if source is not None:
                yield source


def paths_of(argument: str, choice: Choice) -> Iterator[Path | None]:
    """The files that one argument names: itself, or those of a folder that the choice takes. None is standard input."""
    path = Path(argument)
    try:
        is_folder = argument != "-" and path.is_dir()
    except OSError as problem:
        raise UnreadableError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    if is_folder:
        yield from of_folder(path, choice)
    else:
        yield path if argument != "-" else None


def read_source(path: Path | None, stdin_filename: str | None) -> Source | None:
    """The text of one file, or of standard input where the path is None.

    None where it is not Unicode and of no interest. Raises UnreadableError where it cannot be read, or is not Unicode but
    may hold tools.
    """
    name = str(path) if path is not None else stdin_filename or "<stdin>"
    decoded = decode(name, read_bytes(path) if path is not None else sys.stdin.buffer.read())
    if decoded is None:
        return None
    text, encoding = decoded
    return Source(name, path, text, encoding, language_of(name, text))


def language_of(name: str, text: str) -> Language:
    """The language by the name's end; else by how the text begins; YAML where that does not tell."""
    return language_of_name(name) or language_of_text(text) or "yaml"


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
