from __future__ import annotations

from pathlib import Path

import pytest

from casefile import Case, check, parametrise
from draftlift.rules import RULES

HERE = Path(__file__).parent


@parametrise(HERE)
def test_case(case: Case) -> None:
    check(case)
