"""The commands: each takes the parsed options, prints, and gives the exit status."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from draftlift.analysis import analyse
from draftlift.cli.files import (
    CannotRunError,
    Input,
    Source,
    UnwritableError,
    inputs,
    language_of,
    read_source,
    stdin,
    write,
)
from draftlift.cli.fixing import Fixed, outcome, remainder
from draftlift.cli.fixing import fix as translate
from draftlift.cli.patch import name_of, patch
from draftlift.cli.trouble import Trouble, guard, shows_traces
from draftlift.config import Section, known_rules, read_section
from draftlift.files import UnreadableError, decode, read_bytes
from draftlift.rules import RULES
from draftlift.syntax.tree import at

if TYPE_CHECKING:
    from draftlift.cli.trials import Trials


def check(options: argparse.Namespace) -> int:
    """Report what is wrong."""
    from draftlift.cli.checking import check_all
    from draftlift.cli.formats import FileReport, format_of

    section = _section(options)
    troubles: list[Trouble] = []
    entries = list(_inputs(options, section, troubles))
    status = 0

    def reports() -> Generator[FileReport, None, None]:
        nonlocal status
        with closing(check_all(entries, section.rules, options.format)) as found:
            for told in found:
                if isinstance(told, Trouble):
                    troubles.append(told)
                    _complain(told, options)
                else:
                    status = max(status, told.status)
                    yield told

    for trouble in troubles:
        _complain(trouble, options)
    with closing(reports()) as files:
        for piece in format_of(options.format).run(files):
            print_out(piece)
            sys.stdout.flush()  # so that it is seen now; or that nobody reads it
    if troubles:
        return 2
    return 0 if options.exit_zero else status


def fix(options: argparse.Namespace) -> int:
    """Apply the translations that keep every verdict; show them only, with ``--diff``."""
    from draftlift.cli.trials import Trials

    section = _section(options)
    with closing(Trials()) as trials:
        return _fix_all(section, trials, options)


def _fix_all(section: Section, trials: Trials, options: argparse.Namespace) -> int:
    troubles: list[Trouble] = []
    status = files = done = left = others = complained = 0
    for entry in _inputs(options, section, troubles):
        found: list[tuple[Fixed, bytes, list[str]]] = []
        with guard(entry.name, troubles):
            source = read_source(entry)
            if source is not None:
                found.append(_fix_one(source, section, trials, options))
        for fixed, out, lines in found:
            sys.stdout.buffer.write(out)
            sys.stdout.buffer.flush()
            for line in lines:
                print_err(line)
            status = max(status, fixed.status, int(options.diff and bool(fixed.edits)))
            files += bool(fixed.done or fixed.left or fixed.others)
            done, left, others = done + fixed.done, left + fixed.left, others + len(fixed.others)
        for trouble in troubles[complained:]:
            _complain(trouble, options)
        complained = len(troubles)
    for trouble in troubles[complained:]:
        _complain(trouble, options)
    if files > 1:
        print_err(f"In {files:,} files: {outcome(done, left, others, shown_only=options.diff)}.")
    return 2 if troubles else status


def _fix_one(
    source: Source, section: Section, trials: Trials, options: argparse.Namespace
) -> tuple[Fixed, bytes, list[str]]:
    """Fix one text: what became of it, what goes to standard output, and what is told. Raises UnwritableError."""
    fixed = translate(source, section.rules, options.inert)
    out = b""
    lines: list[str] = []
    if options.diff:
        out = _patch(fixed)
        if fixed.edits:
            lines += trials.lines(source.name, fixed.before, fixed.after)
    elif source.path is None:
        out = fixed.text.encode(source.encoding, "surrogatepass")
    elif fixed.edits:
        write(source, fixed.text)
    lines += remainder(fixed)
    if fixed.done or fixed.left:
        lines.append(f"{source.name}: {outcome(fixed.done, fixed.left, 0, shown_only=options.diff)}")
    return fixed, out, lines


def normalize(options: argparse.Namespace) -> int:
    """Translate one schema, or one a line."""
    from draftlift.cli import normalizing

    if options.lines:
        if options.path == "-":
            return normalizing.lines(stdin(), options.inert)
        return normalizing.lines(read_bytes(Path(options.path)).split(b"\n"), options.inert)
    raw = stdin().read() if options.path == "-" else read_bytes(Path(options.path))
    decoded = decode(options.path, raw)
    if decoded is None:
        raise CannotRunError(f"{options.path}: is not valid UTF-8; save the file as UTF-8")
    text, encoding = decoded
    result, complaints = normalizing.one(text, language_of(options.path, text), options.inert)
    sys.stdout.buffer.write(result.encode(encoding, "surrogatepass"))
    for complaint in complaints:
        print_err(complaint)
    return 1 if complaints or (result == text and _is_left_to_fix(options.path, text)) else 0


def _is_left_to_fix(name: str, text: str) -> bool:
    """Whether a text that declares nothing itself holds tools with old schemas; tells what to use where it holds tools."""
    analysis = analyse(text, language_of(name, text))
    roots = [root for root in analysis.tree.documents if root is not None]
    if not analysis.tools or any(at(root, ("$schema",)) is not None for root in roots):
        return False
    print_err(f"{name}: this is no schema but holds tools; 'draftlift fix' translates their schemas")
    return any(schema.result is not None and schema.result.status != "unchanged" for schema in analysis.schemas)


def explain(options: argparse.Namespace) -> int:
    """Print the page of a rule or of a reason."""
    from draftlift.explain import page
    from draftlift.normalize import REASONS

    text = page(options.id)
    if text is None:
        near = difflib.get_close_matches(options.id, [*RULES, *REASONS], 1)
        hint = f"; did you mean '{near[0]}'?" if near else "; 'draftlift rules' lists the rules"
        raise CannotRunError(f"no rule or reason is called '{options.id}'{hint}")
    print_out(text)
    return 0


def rules(options: argparse.Namespace) -> int:
    """List the rules."""
    if options.format == "json":
        listed = [{"id": rule.id, "severity": rule.severity, "title": rule.title} for rule in RULES.values()]
        print_out(json.dumps(listed, indent=2) + "\n")
    else:
        width = max(map(len, RULES))
        print_out("".join(f"{rule.id:{width}}  {rule.severity:11}  {rule.title}\n" for rule in RULES.values()))
    return 0


def serve(_: argparse.Namespace) -> int:
    """Run the language server."""
    from draftlift.lsp import serve as run

    run()
    return 0


def print_out(text: str) -> None:
    """Print to standard output, whatever characters it can take."""
    _print(sys.stdout, text)


def print_err(line: str) -> None:
    """Print one line to standard error."""
    _print(sys.stderr, line + "\n")


def _print(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _section(options: argparse.Namespace) -> Section:
    """The settings that the options of ``check`` and ``fix`` say, read as an editor's are.

    Raises CannotRunError where something is wrong with them.
    """
    files = {"include": _listed(options.include), "exclude": _listed(options.exclude)}
    rules = {"ignore": _listed(options.ignore)}
    section, problems = read_section({"rules": rules, "files": files, "targetRevision": options.target_revision})
    if options.select:
        left_out = RULES.keys() - known_rules(_listed(options.select), problems)
        section = replace(section, rules=replace(section.rules, ignore=section.rules.ignore | left_out))
    if problems:
        raise CannotRunError(problems[0])
    return section


def _listed(values: Sequence[str]) -> list[str]:
    """What an option lists, with commas or said again and again."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def _inputs(options: argparse.Namespace, section: Section, troubles: list[Trouble]) -> Iterator[Input]:
    """What the arguments name; what cannot be listed becomes a trouble."""
    if not options.paths:
        raise CannotRunError("name a file, a folder, or - for standard input")

    def unreadable(problem: UnreadableError) -> None:
        troubles.append(Trouble(str(problem)))

    return inputs(options.paths, options.stdin_filename, section.files, unreadable)


def _complain(trouble: Trouble, options: argparse.Namespace) -> None:
    print_err(f"draftlift: {trouble.message}")
    if trouble.trace and shows_traces(verbose=options.verbose):
        print_err(trouble.trace.rstrip())


def _patch(fixed: Fixed) -> bytes:
    """Raises UnwritableError where the changes cannot be said in a patch."""
    source = fixed.source
    if fixed.edits and source.encoding != "utf-8":
        encoding = source.encoding.upper()
        raise UnwritableError(
            f"{source.name}: is {encoding}, which no patch can carry; run 'draftlift fix' without --diff"
        )
    return patch(name_of(source.path, source.name), source.text, fixed.edits)
