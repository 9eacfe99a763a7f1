"""Writes the pages of rules and refusals out of the code that they describe: ``python docs/generate.py [--check]``.

With ``--check`` nothing is written, and the exit status is 1 where a page is missing, stale or left over.
"""

from __future__ import annotations

import sys
from pathlib import Path

from draftlift.explain import page
from draftlift.normalize import REASONS
from draftlift.rules import RULES

HERE = Path(__file__).resolve().parent


def pages() -> dict[Path, str]:
    """Every generated page, by its path."""
    found = {HERE / "rules" / f"{id_}.md": page(id_) or "" for id_ in RULES}
    found |= {HERE / "refusals" / f"{id_}.md": page(id_) or "" for id_ in REASONS}
    rules = "".join(
        f"| [{rule.id}](rules/{rule.id}.md) | {rule.severity} | {rule.title} |\n" for rule in RULES.values()
    )
    reasons = "".join(f"| [{reason.id}](refusals/{reason.id}.md) | {reason.title} |\n" for reason in REASONS.values())
    found[HERE / "README.md"] = (
        "# What draftlift says, and why\n\n"
        "These pages are generated from the rules' own code by `docs/generate.py`; `draftlift explain ID` prints the same.\n\n"
        f"## Rules\n\n| rule | severity | what it finds |\n|---|---|---|\n{rules}\n"
        "An old construct is an information in a schema that declares its old dialect, where it is right. In a 2020-12 "
        "schema, declared or by default, it is an error where it makes the schema invalid and a warning where it is "
        "silently ignored.\n\n"
        f"## Why a schema is left alone\n\n| reason | what stands in the way |\n|---|---|\n{reasons}"
    )
    return found


def main() -> int:
    """Write the pages, or compare them."""
    wanted = pages()
    there = {path for folder in ("rules", "refusals") for path in (HERE / folder).glob("*.md")} | {HERE / "README.md"}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    extra = sorted(there - wanted.keys())
    if "--check" in sys.argv[1:]:
        for path in [*stale, *extra]:
            print(f"{path}: run 'python docs/generate.py'")
        return int(bool(stale or extra))
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted[path], "utf-8", newline="\n")
    for path in extra:
        path.unlink()
    print(f"{len(wanted)} pages, {len(stale)} written, {len(extra)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
