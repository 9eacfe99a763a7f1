"""A preferred fix may be taken without reading it: it loses nothing that was written, and mends what it silences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from casefile import Case, read_cases
from draftlift.analysis import Analysis, Fix, analyse
from draftlift.change.operations import InsertMember, MoveMembers, RenameKey
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Node, Tree, at, resolve
from draftlift.text import LineIndex, apply_edits

TESTS = Path(__file__).parent.parent
CASES = [
    case for folder in ("rules", "reported") for path in (TESTS / folder).glob("*.md") for case in read_cases(path)
]

PREFERRED = {
    "Translate this schema to 2020-12": "the same values pass, and what goes has no effect in the draft declared",
    "Translate the _ schemas that share _ to 2020-12": "the same",
    "Add an `inputSchema` that takes no arguments": "only adds",
    "Take no arguments: an empty object schema": "stands in the place of null",
    "Take any arguments: _ alone": "stands in the place of true, and says the same",
    "Add _": "only adds, to a root where nothing looks like a property out of its place",
    "Put these members under _, with _": "moves whole members",
    "Set the root _ to _": "the type alone goes: it lists `object`, or there are `properties`",
    "Use the canonical spelling": "the same dialect",
    "Remove the repeated _": "the same dialect is declared around it",
    "Write _ as _": "the same schema as an object",
    "Write the choices as _ of _ and _": "each name and each choice goes along",
    "Declare 2020-12": "stands in the place of null",
    "Remove _, which is null": "it asserts nothing, and is null",
    "Remove the empty _": "it demands nothing",
    "Write the type _ as a string": "the null value becomes the type's name",
}
"""Why nothing is lost, by the title with what is in code or a number left out."""

TOLD_LATER = {"additional-items", "draft04-id", "recursive-ref"}
"""What a translated schema may be told of first: words that the older draft ignored as 2020-12 does."""


def preferred(analysis: Analysis) -> Iterator[tuple[int, Fix]]:
    for index, fixes in enumerate(analysis.fixes(analysis.findings)):
        yield from ((index, fix) for fix in fixes if fix.preferred)


def general(title: str) -> str:
    return title if title in PREFERRED else re.sub(r"`[^`]*`|\b\d+\b(?= schemas)", "_", title)


def test_the_list_of_preferred_fixes_is_whole() -> None:
    assert {general(fix.title) for case in CASES for _, fix in preferred(case.analyse())} == set(PREFERRED)


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_a_preferred_fix_keeps_what_was_written_and_mends_what_it_silences(case: Case) -> None:
    before = case.analyse()
    for index, fix in preferred(before):
        text = apply_edits(case.text, fix.edits)
        after = analyse(text, case.language, case.settings)
        lost = written(before.tree, touched(fix)) - written(after.tree, {})
        assert not lost, f"{case.place}: {fix.title!r} loses {lost}"
        finding = before.findings[index]
        keeps_verdicts = fix.applicability == "keeps-verdicts"
        left = {(f.rule, f.tool, f.pointer) for f in after.findings}
        assert (finding.rule, finding.tool, finding.pointer) not in left or (
            keeps_verdicts and finding.rule in TOLD_LATER
        )
        new = {rule for rule, _ in grave(after) - grave(before)}
        assert new <= (TOLD_LATER if keeps_verdicts else set()), f"{case.place}: {fix.title!r}: {new}"


def touched(fix: Fix) -> dict[int, list[Pointer]]:
    """What a fix is about, by document: the values that it replaces or removes."""
    pointers: dict[int, list[Pointer]] = {}
    for document, operation in fix.operations:
        if not isinstance(operation, InsertMember | RenameKey | MoveMembers):
            pointers.setdefault(document, []).append(operation.pointer)
    return pointers


def written(tree: Tree, but: dict[int, list[Pointer]]) -> Counter[object]:
    """The scalars and comments of a text, but those of some values."""
    found: Counter[object] = Counter()
    index = LineIndex(tree.text)
    left_out: set[int] = set()
    lines = tree.text.split("\n")
    for number, root in enumerate(tree.documents):
        if root is None:
            continue
        gone = [resolve(node) for pointer in but.get(number, ()) if (node := at(root, pointer)) is not None]
        for node in gone:
            first = index.line_of(max(node.key_start, 0) or node.start)
            while 0 < first <= len(lines) and lines[first - 1].lstrip().startswith(("//", "#")):
                first -= 1  # what is said above a value goes with it
            left_out.update(range(first, index.line_of(node.end) + 1))
        found.update(("scalar", str(value)) for value in scalars(root, {id(node) for node in gone}))
    for line, text in enumerate(lines):
        comment = re.search(r"(?:(?<=\s)|^)(?://|#)[^\"']*$", text)
        if comment is not None and line not in left_out:
            found["comment", comment[0].strip()] += 1
    return found


def scalars(root: Node, gone: set[int]) -> Iterator[object]:
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in gone:
            continue
        if isinstance(node.value, list):
            stack += node.value
        elif node.kind != "alias":
            yield node.value


def grave(analysis: Analysis) -> Counter[tuple[str, str | None]]:
    return Counter((f.rule, f.tool) for f in analysis.findings if f.severity in ("error", "warning"))
