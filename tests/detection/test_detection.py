"""What is taken for a tool, and what only looks like one. Precision before recall: a false alarm is the worst fault."""

from __future__ import annotations

from pathlib import Path

from casefile import Case, check, parametrise


@parametrise(Path(__file__).parent)
def test_case(case: Case) -> None:
    check(case)
