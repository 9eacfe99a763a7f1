"""The commands: each takes the parsed options, prints, and gives the exit status."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from draftlift.analysis import Analysis, Settings, analyse
from draftlift.cli.files import CannotRunError, Source, language_of, sources, write
from draftlift.files import Choice, UnreadableError, decode, is_pattern, read_bytes
from draftlift.text import Edit, apply_edits


def check(options: argparse.Namespace) -> int:
    """Report what is wrong."""
    from draftlift.cli import report
    from draftlift.cli.checking import check_all

    as_json = options.format == "json"
    settings = Settings(ignore=_ignored(options), target=options.target_revision)
    found: list[report.FileReport] = []
    failed = False
    for file in check_all(_given(options), _choice(options), options.stdin_filename, settings, as_json=as_json):
        if isinstance(file, UnreadableError):
            failed = True
            print_err(f"draftlift: {file}")
        else:
            found.append(file)
            if not as_json:
                print_out(file.text)
    if as_json and (found or not failed):
        print_out('{"files": [' + ",\n".join(file.text for file in found) + "]}\n")
    elif not as_json:
        print_out(report.summary(found))
    if failed:
        return 2
    return 0 if options.exit_zero else max((file.status for file in found), default=0)


def _given(options: argparse.Namespace) -> list[str]:
    if not options.paths:
        raise CannotRunError("name a file, a folder, or - for standard input")
    paths: list[str] = options.paths
    return paths


def _choice(options: argparse.Namespace) -> Choice:
    include, exclude = (
        tuple(pattern for listed in lists for pattern in listed.split(",") if pattern.strip())
        for lists in (options.include, options.exclude)
    )
    for pattern in (*include, *exclude):
        if not is_pattern(pattern):
            raise CannotRunError(f"'{pattern}' is no pattern; write it as in a .gitignore")
    return Choice(include, exclude)


def fix(options: argparse.Namespace) -> int:
    """Apply the translations that keep every verdict; show them only, with ``--diff``."""
    from draftlift.cli.trials import Trials

    status = 0
    trials = Trials()
    for source in sources(_given(options), options.stdin_filename, _choice(options)):
        analysis = analyse(source.text, source.language)
        if analysis.tools and analysis.tree.problems:
            print_err(f"{source.name}: left alone, since its syntax is broken; run 'draftlift check' to see where")
            edits: tuple[Edit, ...] = ()
        else:
            edits = analysis.fix_all(options.inert)
        text = apply_edits(source.text, edits)
        if options.diff:
            print_out(_diff(source, text))
            if edits:
                for line in trials.lines(source.name, analysis, analyse(text, source.language)):
                    print_err(line)
        elif source.path is None:
            sys.stdout.buffer.write(text.encode(source.encoding, "surrogatepass"))
        elif edits:
            write(source, text)
        if edits and not options.diff:
            after = analyse(text, source.language)
            print_err(_told(source, analysis, after))
            analysis = after
        status = max(status, _status(analysis))
    trials.close()
    return status


def normalize(options: argparse.Namespace) -> int:
    """Translate one schema, or one a line."""
    from draftlift.cli import normalizing

    if options.lines:
        data = sys.stdin.buffer if options.path == "-" else None
        return normalizing.lines(data or read_bytes(Path(options.path)).splitlines(), options.inert)
    raw = sys.stdin.buffer.read() if options.path == "-" else read_bytes(Path(options.path))
    decoded = decode(options.path, raw)
    if decoded is None:
        raise CannotRunError(f"{options.path}: is not valid UTF-8; save the file as UTF-8")
    text, encoding = decoded
    result, complaints = normalizing.one(text, language_of(options.path, text), options.inert)
    sys.stdout.buffer.write(result.encode(encoding, "surrogatepass"))
    for complaint in complaints:
        print_err(complaint)
    return 1 if complaints else 0


def explain(options: argparse.Namespace) -> int:
    """Print the page of a rule or of a reason."""
    from draftlift.explain import page
    from draftlift.normalize import REASONS
    from draftlift.rules import RULES

    text = page(options.id)
    if text is None:
        near = difflib.get_close_matches(options.id, [*RULES, *REASONS], 1)
        hint = f"; did you mean '{near[0]}'?" if near else "; 'draftlift rules' lists the rules"
        raise CannotRunError(f"no rule or reason is called '{options.id}'{hint}")
    print_out(text)
    return 0


def rules(options: argparse.Namespace) -> int:
    """List the rules."""
    from draftlift.rules import RULES

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


def _status(analysis: Analysis) -> int:
    return int(any(finding.severity in ("error", "warning") for finding in analysis.findings))


def _ignored(options: argparse.Namespace) -> frozenset[str]:
    from draftlift.rules import RULES

    selected = _ids(options.select, RULES) if options.select is not None else frozenset(RULES)
    return (frozenset(RULES) - selected) | _ids(options.ignore or "", RULES)


def _ids(listed: str, known: Iterable[str]) -> frozenset[str]:
    ids = frozenset(part.strip() for part in listed.split(",") if part.strip())
    for unknown in sorted(ids - frozenset(known)):
        raise CannotRunError(f"no rule is called '{unknown}'; 'draftlift rules' lists them")
    return ids


def _diff(source: Source, text: str) -> str:
    old, new = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
    lines = difflib.unified_diff(old, new, source.name, source.name)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _told(source: Source, before: Analysis, after: Analysis) -> str:
    def old(analysis: Analysis) -> int:
        return sum(schema.result is not None and schema.result.status != "unchanged" for schema in analysis.schemas)

    left = old(after)
    done = old(before) - left
    rest = f", {left} left alone (run 'draftlift check' to see why)" if left else ""
    return f"{source.name}: {done} {'schema' if done == 1 else 'schemas'} translated to 2020-12{rest}"
