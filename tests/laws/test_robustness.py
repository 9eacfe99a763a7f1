"""Half-typed and mutilated texts: an answer for each, and never an exception."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from draftlift.analysis import Analysis, analyse
from draftlift.explain import hover
from draftlift.syntax.tree import Language
from draftlift.text import apply_edits

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").iterdir())
PIECES = [
    *"\"{}[]:,\n\t#&*|>'",
    "- ",
    "&a ",
    "*a",
    "//",
    "/*",
    "null",
    "😀",
    "\r\n",
    "\u2028",
    "\x00",
    "<<: ",
    "? ",
    "--- ",
    "%",
]


def language_of(path: Path) -> Language:
    return "yaml" if path.suffix == ".yaml" else "json"


def answered(text: str, language: Language) -> Analysis:
    """The analysis; everything that an editor would ask of it is asked."""
    analysis = analyse(text, language)
    for finding in analysis.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        assert "\n" not in text[finding.span.start : finding.span.end]
    for fix in {id(fix): fix for own in analysis.fixes(analysis.findings) for fix in own}.values():
        apply_edits(text, fix.edits)
    for finding in analysis.findings[:2]:
        hover(analysis, finding.span.start)
    return analysis


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_prefix(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = path.read_text("utf-8")
    for end in range(0, len(text), 1 if language_of(path) == "json" else 3):
        answered(text[:end], language_of(path))
    assert not caplog.records


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_random_mutations(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rng = random.Random(path.name)
    original = path.read_text("utf-8")
    for _ in range(1000 if language_of(path) == "json" else 250):
        text = original
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text) + 1)
            if rng.random() < 0.5:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            else:
                text = text[:at] + text[at + rng.randint(1, 30) :]
        analysis = answered(text, language_of(path))
        if analysis.tree.problems:
            continue
        again = analyse(apply_edits(text, analysis.fix_all()), language_of(path))
        assert not any(schema.translation is not None for schema in again.schemas)
    assert not caplog.records


HOSTILE: list[tuple[str, Language]] = [
    ('{"tools":' + "[" * 100_000, "json"),
    ('{"inputSchema":' * 50_000, "json"),
    ("tools:\n" + "- " * 20_000, "yaml"),
    ("tools: &a [*a, *a]\n", "yaml"),
    (
        "tools: &a [x,x,x,x]\n"
        + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)),
        "yaml",
    ),
    (
        "".join(f"k{i}: &k{i} {{<<: [*k{i - 1}, *k{i - 1}]}}\n" if i else "k0: &k0 {tools: 1}\n" for i in range(60)),
        "yaml",
    ),
    ('{"name":"a","inputSchema":{"maximum":' + "9" * 5000 + "}}", "json"),
    ('{"name":"a","inputSchema":{"properties":' + '{"p":{"properties":' * 3000 + "{}" + "}}" * 3000 + "}}", "json"),
    (
        '{"name":"a","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","enum":'
        + "[" * 3000
        + "]" * 3000
        + "}}",
        "json",
    ),
    ('{"name":"\\ud800","inputSchema":null}', "json"),
    ('{"name":"\ud800","inputSchema":null}', "json"),
    ("\x00tools\x01", "yaml"),
    (
        "name: a\ninputSchema:\n  $schema: http://json-schema.org/draft-07/schema#\n  properties: &p\n    q: {properties: *p}\n",
        "yaml",
    ),
    (
        '{"name":"a","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#","items":{"$ref":"#/items"}}}',
        "json",
    ),
    (
        '{"name":"a","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{'
        + ",".join(f'"p{i}":{{"items":[{{}}]}}' for i in range(20_000))
        + "}}}",
        "json",
    ),
]


@pytest.mark.parametrize(("text", "language"), HOSTILE, ids=[text[:30] for text, _ in HOSTILE])
def test_hostile_texts(text: str, language: Language, caplog: pytest.LogCaptureFixture) -> None:
    answered(text, language)
    assert not caplog.records
