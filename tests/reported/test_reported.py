"""The faults of public bug reports: each as reported, in the other file format, and in another shape of file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from casefile import Case, check, parametrise
from draftlift.analysis import analyse
from draftlift.syntax.tree import Language

HERE = Path(__file__).parent

ENTRY: dict[Language, tuple[str, str, str, str]] = {
    "yaml": (
        "tools:\n",
        "  - name: t\n    inputSchema:\n      $schema: http://json-schema.org/draft-07/schema#\n      type: object\n"
        "      properties:\n        p: {type: array, items: [{type: number}, {type: number}]}\n",
        "",
        "",
    ),
    "json": (
        '{"tools": [\n',
        '{"name": "t", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",\n'
        ' "properties": {"p": {"type": "array", "items": [{"type": "number"}, {"type": "number"}]}}}}',
        ",\n",
        "\n]}\n",
    ),
}


@parametrise(HERE)
def test_case(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("language", ["yaml", "json"])
def test_r57_a_large_file_costs_linear_time(language: Language) -> None:
    """https://github.com/redhat-developer/vscode-yaml/issues/930, at a size that a test can afford."""
    before, entry, between, behind = ENTRY[language]

    def seconds(tools: int) -> float:
        text = before + between.join([entry] * tools) + behind
        start = time.process_time()
        analysis = analyse(text, language)
        taken = time.process_time() - start
        assert [finding.rule for finding in analysis.findings] == ["legacy-dialect", "tuple-items"] * tools
        return taken

    small = min(seconds(50) for _ in range(3))
    large = min(seconds(800) for _ in range(2))
    assert large < 64 * small  # 16 times the text; what is quadratic would take 256 times as long
