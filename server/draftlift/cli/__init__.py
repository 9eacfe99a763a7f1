"""The ``draftlift`` command: arguments in, an exit status out.

Exit status: 0 nothing at warning or above, 1 something, 2 could not run. Nothing here imports pygls or lsprotocol; only
``serve`` loads the server.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, get_args

from draftlift import __version__
from draftlift.cli.files import CannotRunError
from draftlift.files import UnreadableError
from draftlift.rules.base import LATEST, Revision


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, as every other failure."""
        raise CannotRunError(f"{message} (see '{self.prog} --help')")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit status."""
    try:
        options = _parser().parse_args(arguments)
        from draftlift.cli import commands

        status: int = getattr(commands, options.command)(options)
        sys.stdout.flush()
        return status
    except (CannotRunError, UnreadableError) as problem:
        print(f"draftlift: {problem}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has had enough; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        return 130


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
    check.add_argument("--format", choices=("text", "json"), default="text", help="how to report (default: text)")
    check.add_argument("--select", metavar="RULE,…", help="run these rules only")
    check.add_argument("--ignore", metavar="RULE,…", help="leave these rules out")
    check.add_argument(
        "--target-revision",
        choices=get_args(Revision),
        default=LATEST,
        help=f"the revision of MCP that the tools are for (default: {LATEST})",
    )
    check.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is found")

    fix = commands.add_parser("fix", help="apply every translation that keeps all verdicts")
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

    commands.add_parser("serve", help="run the language server on standard input and output")
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


def _add_inert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--inert",
        choices=("refuse", "remove"),
        default="refuse",
        help="keywords the old draft ignores and 2020-12 enforces: leave the schema alone, or remove them",
    )
