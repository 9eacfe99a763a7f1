"""The ``draftlift`` command: arguments in, an exit status out.

Exit status: 0 nothing at warning or above, 1 something, 2 could not run. Nothing here imports pygls or lsprotocol; only
``serve`` loads the server.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TextIO, get_args

from draftlift import __version__
from draftlift.cli.files import CannotRunError
from draftlift.cli.formats import FORMATS
from draftlift.files import UnreadableError
from draftlift.rules.base import LATEST, Revision


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, as every other failure."""
        raise CannotRunError(f"{message} (see '{self.prog} --help')")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit status."""
    _open_streams()
    try:
        options = _parser().parse_args(arguments)
        from draftlift.cli import commands

        status: int = getattr(commands, options.command)(options)
        sys.stdout.flush()
        return status
    except (CannotRunError, UnreadableError) as problem:
        return _fail(str(problem))
    except BrokenPipeError:
        # Whoever read our output has had enough.
        _drop(sys.stdout)
        _drop(sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception as problem:
        from draftlift.cli.trouble import internal_error, shows_traces

        trouble = internal_error(problem)
        if shows_traces():
            print(trouble.trace, file=sys.stderr)
        if isinstance(problem, OSError):  # files have guards of their own: it is the output, on a full disk say
            _drop(sys.stdout)
            return _fail(f"cannot go on: {problem.strerror or problem}")
        return _fail(trouble.message)


def _fail(message: str) -> int:
    print(f"draftlift: {message}", file=sys.stderr)
    return 2


def _open_streams() -> None:
    """Where a stream was closed by who called us, what goes there is lost; and that is no reason to fail."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def _drop(stream: TextIO) -> None:
    """Keep the interpreter from trying to write what is left once more at its exit, and complaining."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="draftlift",
        description="Lift the JSON Schemas of MCP tools to 2020-12 without changing a verdict.",
        epilog="Exit status: 0 nothing at warning or above, 1 something, 2 could not run.",
    )
    parser.add_argument("--version", action="version", version=f"draftlift {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    check = commands.add_parser("check", help="report what is wrong in files, folders or standard input")
    _add_paths(check)
    check.add_argument("--format", choices=FORMATS, default="text", help="how to report (default: text)")
    check.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is found")

    fix = commands.add_parser(
        "fix",
        help="apply every translation that keeps all verdicts",
        epilog="Exit status: 0 nothing at warning or above is left, 1 something is, or with --diff would change, "
        "2 a file could not be looked at or written; the others were.",
    )
    _add_paths(fix)
    fix.add_argument("--diff", action="store_true", help="show the changes, write nothing")
    _add_inert(fix)

    normalize = commands.add_parser("normalize", help="translate one schema, or one schema a line")
    normalize.add_argument("path", metavar="FILE", nargs="?", default="-", help="a schema, or - for standard input")
    normalize.add_argument("--lines", action="store_true", help="one JSON schema a line in, one JSON answer a line out")
    _add_inert(normalize)

    explain = commands.add_parser("explain", help="explain a rule, or a reason why a schema is left alone")
    explain.add_argument("id", metavar="RULE-OR-REFUSAL")

    rules = commands.add_parser("rules", help="list the rules")
    rules.add_argument("--format", choices=("text", "json"), default="text")

    serve = commands.add_parser("serve", help="run the language server on standard input and output")
    serve.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)  # what many clients say unasked
    return parser


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*", help="files, folders, or - for standard input")
    parser.add_argument("--stdin-filename", metavar="NAME", help="the name standard input would have as a file")
    parser.add_argument(
        "--include",
        metavar="PATTERN,…",
        action="append",
        default=[],
        help="of folders, look only at files that these patterns match, written as in a .gitignore",
    )
    parser.add_argument(
        "--exclude",
        metavar="PATTERN,…",
        action="append",
        default=[],
        help="of folders, leave out files that these patterns match",
    )

    parser.add_argument("--select", metavar="RULE,…", action="append", default=[], help="hold to these rules only")
    parser.add_argument("--ignore", metavar="RULE,…", action="append", default=[], help="leave these rules out")
    parser.add_argument(
        "--target-revision",
        choices=("latest", *get_args(Revision)),
        default="latest",
        help=f"the revision of MCP that the tools are for (default: latest, which is {LATEST})",
    )
    parser.add_argument("--verbose", action="store_true", help="where something goes wrong, show the traceback")


def _add_inert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--inert",
        choices=("refuse", "remove"),
        default="refuse",
        help="keywords the old draft ignores and 2020-12 enforces: leave the schema alone, or remove them",
    )
