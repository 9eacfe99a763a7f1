"""The stand-in for rpds-py in the extension does what the real one does, as far as jsonschema goes."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import rpds
from hypothesis import given
from hypothesis import strategies as st

STAND_IN = Path(__file__).parents[2] / "client-vscode" / "bundled" / "rpds.py"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rpds_stand_in", STAND_IN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ours = _load()
keys = st.sampled_from(
    ["", "a", "b", "c", "A"]
)  # of one type: the real one panics over others, and jsonschema has no others
values = st.one_of(keys, st.integers(), st.text(max_size=3))
maps = st.dictionaries(keys, values, max_size=5)
MAP_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("insert"), keys, values),
        st.tuples(st.sampled_from(["remove", "discard"]), keys),
        st.tuples(st.just("update"), maps),
        st.tuples(st.just("update"), maps.map(lambda members: list(members.items()))),
        st.tuples(st.just("update"), maps, maps),
        st.tuples(st.just("update")),
    ),
    max_size=12,
)
SET_STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["insert", "remove", "discard"]), keys),
        st.tuples(st.just("update"), st.lists(keys, max_size=4)),
        st.tuples(st.just("update"), st.lists(keys, max_size=4), st.sets(keys, max_size=4)),
    ),
    max_size=12,
)
LIST_STEPS = st.lists(
    st.one_of(st.tuples(st.just("push_front"), values), st.tuples(st.just("drop_first"))), max_size=12
)


def outcome(work: Callable[[], Any]) -> Any:
    """What comes of it, or the error and what it says."""
    try:
        return work()
    except (KeyError, IndexError, TypeError) as error:
        return type(error), error.args


def step(value: Any, name: str, *arguments: Any) -> tuple[Any, Any]:
    """The value after a step, or as it was where there is an error, which is the second."""
    after = outcome(lambda: getattr(value, name)(*arguments))
    return (value, after) if isinstance(after, tuple) else (after, None)


def steps(real: Any, ours: Any, listed: list[tuple[Any, ...]], same: Callable[[Any, Any], None]) -> None:
    seen = []
    same(real, ours)
    for one in listed:
        (real, real_error), (ours, our_error) = step(real, *one), step(ours, *one)
        assert real_error == our_error
        seen.append((real, ours))
    for pair in seen:  # those before have not changed
        same(*pair)


@given(maps, MAP_STEPS)
def test_maps(start: dict[Any, Any], listed: list[tuple[Any, ...]]) -> None:
    def same(real: Any, ours_now: Any) -> None:
        assert dict(real.items()) == dict(ours_now.items())
        assert set(real) == set(ours_now) == set(real.keys()) == set(ours_now.keys())
        assert sorted(map(repr, real.values())) == sorted(map(repr, ours_now.values()))
        assert (len(real), bool(real)) == (len(ours_now), bool(ours_now))
        for key in ("a", "", "none"):
            assert real.get(key) == ours_now.get(key)
            assert real.get(key, 7) == ours_now.get(key, 7)
            assert (key in real) == (key in ours_now)
            assert outcome(lambda key=key: real[key]) == outcome(lambda key=key: ours_now[key])  # type: ignore[misc]
        assert isinstance(real, Mapping)
        assert isinstance(ours_now, Mapping)
        again = dict(ours_now)
        assert (real == rpds.HashTrieMap(again)) == (ours_now == ours.HashTrieMap(again)) is True
        assert hash(ours_now) == hash(ours.HashTrieMap(again))
        assert (real == again) == (ours_now == again) is False
        assert rpds.HashTrieMap.convert(real) is real
        assert ours.HashTrieMap.convert(ours_now) is ours_now

    for make in ("HashTrieMap", "convert"):
        real = rpds.HashTrieMap(start) if make == "HashTrieMap" else rpds.HashTrieMap.convert(start)
        mine = ours.HashTrieMap(start) if make == "HashTrieMap" else ours.HashTrieMap.convert(start)
        steps(real, mine, listed, same)


def test_other_ways_to_a_map() -> None:
    for module in (rpds, ours):
        made = module.HashTrieMap
        assert dict(made(iter([("a", 1)]))) == dict(made(a=1)) == dict(made.convert([("a", 1)])) == {"a": 1}
        assert dict(made.fromkeys("ab", 1)) == {"a": 1, "b": 1}
        assert dict(made(made({"a": 1}))) == {"a": 1}
        assert repr(made({"a": 1})) == "HashTrieMap({'a': 1})"
        assert dict(made({"a": 1}).update({"b": 2}, c=3)) == {"a": 1, "b": 2, "c": 3}
        with pytest.raises(TypeError):
            hash(made({"a": []}))
        with pytest.raises(TypeError):
            made({}).insert([], 1)


@given(st.lists(keys, max_size=5), SET_STEPS)
def test_sets(start: list[Any], listed: list[tuple[Any, ...]]) -> None:
    def same(real: Any, ours_now: Any) -> None:
        assert set(real) == set(ours_now)
        assert (len(real), bool(real)) == (len(ours_now), bool(ours_now))
        assert all((key in real) == (key in ours_now) for key in ("a", "", "none"))
        assert (real == rpds.HashTrieSet(ours_now)) == (ours_now == ours.HashTrieSet(real)) is True
        assert hash(ours_now) == hash(ours.HashTrieSet(real))
        assert isinstance(real, Set)
        assert isinstance(ours_now, Set)

    steps(rpds.HashTrieSet(start), ours.HashTrieSet(start), listed, same)


@given(st.lists(values, max_size=5), LIST_STEPS)
def test_lists(start: list[Any], listed: list[tuple[Any, ...]]) -> None:
    def same(real: Any, ours_now: Any) -> None:
        assert list(real) == list(ours_now)
        assert list(reversed(real)) == list(reversed(ours_now))
        assert (len(real), bool(real), repr(real)) == (len(ours_now), bool(ours_now), repr(ours_now))
        assert outcome(lambda: real.first) == outcome(lambda: ours_now.first)
        assert list(real.rest) == list(ours_now.rest)
        assert (real == rpds.List(list(ours_now))) == (ours_now == ours.List(list(real))) is True
        assert hash(ours_now) == hash(ours.List(list(real)))

    steps(rpds.List(start), ours.List(start), listed, same)
    assert list(rpds.List()) == list(ours.List()) == []
    for module in (rpds, ours):
        pair: Any = module.List
        assert list(pair(1, 2)) == [1, 2]


def test_sets_and_lists_in_words() -> None:
    for module in (rpds, ours):
        assert repr(module.HashTrieSet(["a"])) == "HashTrieSet({'a'})"
        assert repr(module.HashTrieSet()) == "HashTrieSet({})"
        assert module.List([1]) != [1]


PROGRAM = """\
import json, sys
from draftlift.judge.verdicts import compare
from draftlift.normalize import normalize
from draftlift.schema.dialects import dialect_of_uri
from suite.official import groups
import rpds
said = [rpds.__file__]
for group in groups():
    dialect = dialect_of_uri(group.schema["$schema"])
    result = normalize(group.schema, inert="remove")
    if dialect is not None and result.changed:
        *_, known = (None, *compare(group.schema, result.schema, dialect.name))
        said.append(str(known))
json.dump(said, sys.stdout)
"""


def test_a_validator_says_the_same_with_it() -> None:
    def said(*before: Path) -> list[str]:
        paths = [*map(str, before), *sys.path]
        program = f"import sys\nsys.path[:] = {paths!r}\n{PROGRAM}"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        found: list[str] = json.loads(done.stdout)
        return found

    (real_file, *real), (our_file, *mine) = said(), said(STAND_IN.parent)
    assert Path(our_file) == STAND_IN
    assert real_file != our_file
    assert real == mine
    assert len(mine) > 900
