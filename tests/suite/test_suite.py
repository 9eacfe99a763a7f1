"""The official suite judges the normalizer: the same verdicts after a translation, or a refusal with its reasons."""

from __future__ import annotations

from collections import Counter

import pytest

from draftlift.normalize import Inert, normalize
from draftlift.schema.dialects import DRAFT_2020_12
from suite.judge import is_valid_schema, verdicts
from suite.official import Group, groups

GROUPS = list(groups())
INERT: tuple[Inert, ...] = ("refuse", "remove")

# Outside the promise (normalize/__init__.py): draft-04 reads 1.0 as no integer.
OUTSIDE = {
    "draft4/optional/zeroTerminatedFloats.json: some languages do not distinguish between different types of numeric value"
}


@pytest.mark.parametrize("inert", ["refuse", "remove"])
@pytest.mark.parametrize("part", ["mandatory", "optional", "format"])
@pytest.mark.parametrize("dialect", sorted({group.dialect.name for group in GROUPS}))
def test_verdicts_stay(dialect: str, part: str, inert: Inert) -> None:
    wrong = []
    for group in GROUPS:
        if group.dialect.name == dialect and group.part == part and group.name not in OUTSIDE:
            wrong += judge(group, inert)
    assert not wrong


def judge(group: Group, inert: Inert) -> list[str]:
    result = normalize(group.schema, inert=inert)
    if result.status != "translated":
        assert result.schema is group.schema
        assert result.status == "unsupported" or result.refusals
        return []
    if is_valid_schema(group.schema, group.dialect) and not is_valid_schema(result.schema, DRAFT_2020_12):
        return [f"{group.name}: invalid 2020-12"]
    before = verdicts(group.schema, group.dialect, group.instances, remote=True)
    after = verdicts(result.schema, DRAFT_2020_12, group.instances, remote=True)
    return [
        f"{group.name}: {i!r}: {b} became {a}" for i, b, a in zip(group.instances, before, after, strict=True) if a != b
    ]


def test_how_many_are_kept() -> None:
    kept: Counter[tuple[str, str]] = Counter()
    for group in GROUPS:
        if group.part == "mandatory":
            for inert in INERT:
                kept[group.dialect.name, inert] += normalize(group.schema, inert=inert).status == "translated"
    # Of 159, 229, 252 and 359. Two of 2019-09 declare a metaschema of their own.
    assert kept["draft-04", "remove"] == 159
    assert kept["draft-06", "remove"] == 229
    assert kept["draft-07", "remove"] == 252
    assert kept["2019-09", "remove"] == 357
    assert sum(kept[name, "refuse"] for name in ("draft-04", "draft-06", "draft-07")) >= 634
