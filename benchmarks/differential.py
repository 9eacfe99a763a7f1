"""Random schemas judged before and after their translation, by validators in three languages, and through text.

    python benchmarks/differential.py [--schemas N] [--first N] [--seed N] [--renderings one|all] [--out FILE]
    python benchmarks/differential.py --first 4711 --schemas 1 --show

Each schema is decided by the seed and its number. Every translation, by default and with ``--inert remove``, is judged by
jsonschema, jsonschema-rs, Ajv, @hyperjump/json-schema and @cfworker/json-schema. It is wrong where two judges or more
change their mind, of those that think of the source as most do, known flaws of theirs aside (``FLAWS``). One judge that
changes for no reason known is printed as well. Everything is shrunk first. Exit status 1 where there is anything.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import peers

from draftlift.normalize import Inert, Result, normalize
from draftlift.schema.dialects import DRAFT_2019_09, DRAFT_2020_12, LEGACY, Dialect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from laws.judging import MODES, broken_laws, broken_text, changes, python_verdicts, same  # noqa: E402
from laws.random_schemas import Case, case, resolved  # noqa: E402
from laws.renderings import RENDERINGS  # noqa: E402

BATCH = 50
PATIENCE = 60.0  # seconds for a batch


Asked = list[tuple[Dialect, Any, list[Any]]]


class NpmJudges:
    """The validators of npm in a process that lives on; started again where one of them never ends."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, asked: Asked) -> None:
        """Begin with (dialect, schema, instances) of each; ``answers`` has what comes of it."""
        if self._process is None:
            self._process = subprocess.Popen(
                peers.judges(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        assert self._process.stdin is not None
        line = json.dumps([[dialect.name, schema, instances] for dialect, schema, instances in asked])
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def answers(self, asked: Asked) -> list[dict[str, str]]:
        """The verdicts on what was asked; no judge says anything of one that hangs."""
        answers = self._answers(PATIENCE)
        if answers is not None:
            return answers
        found = []
        for one in asked:
            self.ask([one])
            found.append((self._answers(5.0) or [{}])[0])
        return found

    def _answers(self, patience: float) -> list[dict[str, str]] | None:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        if select.select([process.stdout], [], [], patience)[0]:
            answer = process.stdout.readline()
            if answer:
                return list(json.loads(answer))
        self.close()
        return None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@dataclass
class Judged:
    """One translation of one schema that awaits its verdicts."""

    case: Case
    inert: Inert
    target: Any
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)


@dataclass
class Run:
    """What a run has seen."""

    judges: NpmJudges
    renderings: str
    count: Counter[str] = field(default_factory=Counter)
    flaws: Counter[str] = field(default_factory=Counter)
    told: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def tell(self, kind: str, made: Case, inert: Inert, **more: Any) -> None:
        """Note a fault."""
        self.count[kind] += 1
        self.told.setdefault(kind, []).append(
            {"kind": kind, "number": made.number, "inert": inert, "schema": made.schema, **more}
        )


# -- one batch ---------------------------------------------------------------------------------------------------------


def look_at(run: Run, batch: list[Case]) -> None:
    """All laws and all judges for some schemas."""
    waiting: list[Judged] = []
    for made in batch:
        run.count["schemas"] += 1
        earlier: Result | None = None
        for inert in MODES:
            try:
                result = normalize(made.schema, inert=inert)
                for law in broken_laws(made.schema, made.dialect, inert):
                    run.tell("law: " + law, made, inert)
            except Exception as problem:
                run.tell(f"crash: {type(problem).__name__}", made, inert, problem=str(problem)[:200])
                continue
            run.count[f"{inert}: {result.status}"] += 1
            if not (earlier and earlier.changed and same(earlier.schema, result.schema)):
                through_text(run, made, inert, result)
                if result.changed:
                    waiting.append(Judged(made, inert, result.schema))
            earlier = result
    judge(run.judges, waiting)
    for judged in waiting:
        weigh(run, judged)


def through_text(run: Run, made: Case, inert: Inert, result: Result) -> None:
    """The translation in one rendering, or in all of them."""
    names = sorted(RENDERINGS)
    chosen = names if run.renderings == "all" else [names[made.number // 4 % len(names)]]
    for rendering in chosen if result.changed else chosen[:1]:
        try:
            for fault in broken_text(result, made.schema, inert, rendering):
                run.tell("text: " + fault, made, inert, rendering=rendering)
        except Exception as problem:
            run.tell(
                f"text: crash: {type(problem).__name__}", made, inert, rendering=rendering, problem=str(problem)[:200]
            )
        run.count["texts"] += result.changed


def judge(judges: NpmJudges, waiting: list[Judged]) -> None:
    """Fill in the verdicts; those of a source once."""
    if not waiting:
        return
    sources = {judged.case.number: judged.case for judged in waiting}
    asked = [(made.dialect, made.schema, made.instances) for made in sources.values()]
    asked += [(DRAFT_2020_12, judged.target, judged.case.instances) for judged in waiting]
    judges.ask(asked)
    with no_stderr():
        ours = [python_verdicts(schema, dialect, instances) for dialect, schema, instances in asked]
    found = [{**one, **other} for one, other in zip(ours, judges.answers(asked), strict=True)]
    before = dict(zip(sources, found, strict=False))
    for judged, after in zip(waiting, found[len(sources) :], strict=True):
        names = [name for name in before[judged.case.number] if name in after]
        judged.before = {name: before[judged.case.number][name] for name in names}
        judged.after = {name: after[name] for name in names}


@contextmanager
def no_stderr() -> Iterator[None]:
    """Nothing is written to standard error meanwhile, not even by Rust where it panics."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def weigh(run: Run, judged: Judged) -> None:
    """Is the translation wrong? The first instance that shows most is told."""
    made = judged.case
    run.count["translations"] += 1
    run.count["instances"] += len(made.instances)
    found = list(changes(judged.before, judged.after, made.instances))
    if not found:
        return
    index, letter, names = max(
        found, key=lambda change: [explained(name, judged, change[0]) for name in change[2]].count(None)
    )
    details = {"instance": made.instances[index], "was": letter, "judges": names, "target": judged.target}
    details["before"] = {name: letters[index] for name, letters in judged.before.items()}
    details["after"] = {name: letters[index] for name, letters in judged.after.items()}
    flaws = [explained(name, judged, index) for name in names]
    left = flaws.count(None)
    if letter == "e":  # no judge knew what to say; some may now, since they look elsewhere or elsewhen
        left = len(names) if 2 * len(names) > len(judged.before) else 0
    if left == 0:
        run.count["explained by flaws of judges"] += 1
        run.flaws[" and ".join(flaw for flaw in flaws if flaw is not None)] += 1
    else:
        run.tell("wrong" if left > 1 else "unexplained", made, judged.inert, **details)


# -- flaws of single judges --------------------------------------------------------------------------------------------


def explained(name: str, judged: Judged, index: int) -> str | None:
    """The known flaw by which a judge changes its verdict though the translation is right."""
    if {verdicts[index] for verdicts in judged.before.values()} == {"e"}:
        return f"{name} finds an end, or a place, where there was none for any"
    for flaw, applies in FLAWS.get(name, ()):
        if applies(judged, judged.before[name][index], judged.after[name][index]):
            return f"{name} {flaw}"
    return None


def objects(value: Any, pointer: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Each object in a value, with the way to it."""
    if isinstance(value, dict):
        yield pointer, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from objects(inner, (*pointer, key))


def identified_in(value: Any, *keywords: str) -> bool:
    """Whether an identifier stands anywhere below one of these keywords."""
    return any(
        not set(pointer).isdisjoint(keywords)
        and any(isinstance(found.get(name), str) for name in ("$id", "id", "$anchor"))
        for pointer, found in objects(value)
    )


def identified_in_unknown(value: Any) -> bool:
    """Whether an identifier stands where 2020-12 knows no schema."""
    return any(
        isinstance(found.get("$id"), str)
        and any(key in DATA or (isinstance(key, str) and key not in DRAFT_2020_12.keywords) for key in pointer)
        for pointer, found in objects(value)
    )


def identified_beside_ref(judged: Judged) -> bool:
    """Whether the source has an identifier where a reference hides it, and the target may not."""
    return (
        judged.inert == "remove"
        and judged.case.dialect.ref_hides_siblings
        and any("$ref" in found and len(found) > 1 and _ids(found) for _, found in objects(judged.case.schema))
    )


def refers_into(value: Any, matches: Callable[[list[str]], bool]) -> bool:
    """Whether a reference leads by a pointer whose tokens match."""
    texts = (found.get("$ref") for _, found in objects(value))
    return any(isinstance(text, str) and "#/" in text and matches(text.split("#/")[1].split("/")) for text in texts)


def _ids(value: Any, base: str = "") -> list[str]:
    """All identifiers, resolved, wherever they stand."""
    found = []
    if isinstance(value, dict):
        for name in ("$id", "id"):
            if isinstance(value.get(name), str):
                base = resolved(base, value[name].partition("#")[0]) or base
                found.append(base)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return found + [uri for one in inner for uri in _ids(one, base)]


def renamed(token: str) -> bool:
    """Whether draftlift gave a keyword this name, since what stands there is referred to and must not count."""
    return token.startswith("x-") and (token[2:] in KEYWORDS or "$" + token[2:] in KEYWORDS)


DATA = frozenset(("enum", "const", "default", "examples"))
OPAQUE = re.compile(r"[a-z][a-z0-9+.-]*:(?!/)", re.IGNORECASE)
MAPS = ("dependentRequired", "dependentSchemas", "properties", "patternProperties", "definitions", "$defs")
UNEVALUATED = ("unevaluatedItems", "unevaluatedProperties")
KEYWORDS = frozenset(name for dialect in (*LEGACY, DRAFT_2020_12) for name in dialect.keywords)

Flaw = tuple[str, Callable[[Judged, str, str], bool]]
FLAWS: dict[str, tuple[Flaw, ...]] = {
    "ajv": (
        (
            "finds no identifier inside `prefixItems` and `dependentSchemas`",
            lambda judged, was, now: now == "e" and identified_in(judged.target, "prefixItems", "dependentSchemas"),
        ),
        (
            "takes a name `$id` in a map for an identifier",
            lambda judged, was, now: (
                now == "e"
                and any("$id" in found and not isinstance(found["$id"], str) for _, found in objects(judged.target))
            ),
        ),
        (
            "resolves otherwise inside of what `#name` identifies, in draft-07 and before",
            lambda judged, was, now: (
                now == "e"
                and any(
                    str(found.get(judged.case.dialect.id_keyword, "")).startswith("#")
                    for _, found in objects(judged.case.schema)
                )
            ),
        ),
        (
            "does not count by `contains` beside a `prefixItems` that is longer than the value",
            lambda judged, was, now: any(
                "contains" in found and "prefixItems" in found for _, found in objects(judged.target)
            ),
        ),
        (
            "applies `$dynamicRef` in 2019-09",
            lambda judged, was, now: (
                judged.case.dialect is DRAFT_2019_09
                and any("$dynamicRef" in found for _, found in objects(judged.case.schema))
            ),
        ),
        (
            "applies `$recursiveRef` in 2020-12",
            lambda judged, was, now: (
                judged.case.dialect.ref_hides_siblings
                and any("$recursiveRef" in found for _, found in objects(judged.target))
            ),
        ),
        (
            "finds identifiers beside `$ref`, in draft-07 and before",
            lambda judged, was, now: (
                now == "e"
                and judged.inert == "remove"
                and judged.case.dialect.ref_hides_siblings
                and any("$ref" in found and len(found) > 1 and _ids(found) for _, found in objects(judged.case.schema))
            ),
        ),
    ),
    "cfworker": (
        (
            "finds no schema where it looks for none: in the place of a map of names, under an unknown keyword",
            lambda judged, was, now: (
                now == "e"
                and refers_into(
                    judged.target,
                    lambda tokens: tokens[-1] in MAPS or any(map(renamed, tokens)),
                )
            ),
        ),
        (
            "knows no `$dynamicRef`",
            lambda judged, was, now: any("$dynamicRef" in found for _, found in objects(judged.target)),
        ),
        (
            "cannot resolve against a URI without a path of segments",
            lambda judged, was, now: now == "e" and any(OPAQUE.match(uri) for uri in _ids(judged.target)),
        ),
        (
            "finds identifiers beside `$ref`, in draft-07 and before",
            lambda judged, was, now: now == "e" and identified_beside_ref(judged),
        ),
        (
            "gives up where an identifier is used twice",
            lambda judged, was, now: now == "e" and len(_ids(judged.target)) > len(set(_ids(judged.target))),
        ),
    ),
    "hyperjump": (
        (
            "takes `$id` for an identifier in values and under unknown keywords",
            lambda judged, was, now: judged.case.dialect.ref_hides_siblings and identified_in_unknown(judged.target),
        ),
        (
            "does not follow a pointer through a name with a percent sign",
            lambda judged, was, now: now == "e" and refers_into(judged.target, lambda tokens: "%25" in "".join(tokens)),
        ),
        (
            "resolves all references in `$defs`, used or not",
            lambda judged, was, now: (
                now == "e"
                and judged.case.dialect.ref_hides_siblings
                and any("$defs" in found for _, found in objects(judged.target))
            ),
        ),
    ),
    "jsonschema": (
        (
            "looks at `unevaluated…` in code of its own in 2019-09",
            lambda judged, was, now: (
                judged.case.dialect is DRAFT_2019_09
                and any(name in found for _, found in objects(judged.target) for name in UNEVALUATED)
            ),
        ),
        (
            "loses the base below `not`, `if`, `oneOf` and their like",
            lambda judged, was, now: (
                "e" in (was, now)
                and identified_in(
                    judged.target, "not", "if", "oneOf", "anyOf", "unevaluatedItems", "unevaluatedProperties"
                )
            ),
        ),
        (
            "loses its way where `$id` is empty",
            lambda judged, was, now: (
                now == "e" and any("" in (found.get("$id"), found.get("id")) for _, found in objects(judged.target))
            ),
        ),
    ),
    "jsonschema-rs": (
        (
            "finds no identifier inside `dependencies` in 2020-12",
            lambda judged, was, now: (
                now == "e" and judged.case.dialect is DRAFT_2019_09 and identified_in(judged.target, "dependencies")
            ),
        ),
    ),
}


# -- shrinking ---------------------------------------------------------------------------------------------------------


def smaller(value: Any) -> Iterator[Any]:
    """Values with one thing less, the boldest first."""
    if isinstance(value, dict):
        for key in value:
            if key != "$schema":
                yield {name: inner for name, inner in value.items() if name != key}
        for key, inner in value.items():
            if isinstance(inner, (dict, list)):
                if inner and isinstance(inner, dict) and key != "$schema":
                    yield {**value, key: {}}
                for less in (*_inside(inner), *smaller(inner)):
                    yield {**value, key: less}
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield value[:index] + value[index + 1 :]
            for less in (*_inside(inner), *smaller(inner)):
                yield [*value[:index], less, *value[index + 1 :]]


def _inside(value: Any) -> list[Any]:
    """What may stand in a value's place: the objects right inside of it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for one in inner if isinstance(one, dict)]


def shrunk(schema: dict[str, Any], still: Callable[[dict[str, Any]], bool], most: int = 600) -> dict[str, Any]:
    """A smaller schema that has the same fault, found in at most so many trials."""
    tried = 0
    progress = True
    while progress and tried < most:
        progress = False
        for less in smaller(schema):
            tried += 1
            if still(less):
                schema = less
                progress = True
                break
            if tried >= most:
                break
    return schema


def shrink(run: Run, fault: dict[str, Any]) -> dict[str, Any]:
    """A fault on a smaller schema."""
    kind, inert = fault["kind"], fault["inert"]
    dialect = case_of(fault).dialect

    def still(schema: dict[str, Any]) -> bool:
        small = Case(fault["number"], dialect, schema, [fault.get("instance")])
        trial = Run(run.judges, run.renderings)
        try:
            result = normalize(schema, inert=inert)
        except Exception as problem:
            return kind == f"crash: {type(problem).__name__}"
        if kind.startswith("text: "):
            try:
                faults = list(broken_text(result, schema, inert, fault["rendering"]))
            except Exception as problem:
                return kind == f"text: crash: {type(problem).__name__}"
            return kind[6:] in faults
        if kind.startswith("law: "):
            return kind[5:] in broken_laws(schema, dialect, inert)
        if not result.changed or kind.startswith("crash"):
            return False
        judged = Judged(small, inert, result.schema)
        judge(run.judges, [judged])
        weigh(trial, judged)
        same_kind = [found for found in trial.told.get(kind, ()) if found["was"] == fault["was"]]
        if kind == "unexplained":
            same_kind = [found for found in same_kind if found["judges"] == fault["judges"]]
        if same_kind:
            fault.update({name: same_kind[0][name] for name in ("judges", "target", "before", "after")})
        return bool(same_kind)

    small = shrunk(fault["schema"], still)
    still(small)
    return {**fault, "schema": small}


_seed = 0


def case_of(fault: dict[str, Any]) -> Case:
    """The case a fault was found on."""
    return case(_seed, fault["number"])


# -- the run -----------------------------------------------------------------------------------------------------------


def report(run: Run, most: int, out: Path | None) -> None:
    """Print what was found, the faults shrunk."""
    for name, count in sorted(run.count.items()):
        print(f"{count:>9,}  {name}")
    for name, count in run.flaws.most_common():
        print(f"{count:>9,}  {name}")
    for _, faults in sorted(run.told.items()):
        seen = set()
        for fault in faults[: 3 * most]:
            if len(seen) == most:
                break
            small = shrink(run, fault)
            key = json.dumps([small["schema"], small["inert"]])
            if key in seen:
                continue
            seen.add(key)
            print(json.dumps(small, ensure_ascii=False))
            if out is not None:
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(small, ensure_ascii=False) + "\n")


def main() -> None:
    """Run it."""
    global _seed  # noqa: PLW0603
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schemas", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--renderings", choices=("one", "all"), default="one")
    parser.add_argument("--most", type=int, default=5, help="faults of a kind that are shrunk and printed")
    parser.add_argument("--out", type=Path, help="a file to add the shrunk faults to, one a line")
    parser.add_argument("--show", action="store_true", help="print the schemas")
    arguments = parser.parse_args()
    _seed = arguments.seed
    logging.disable(logging.CRITICAL)  # what the gate logs of its crashes is counted as a text that cannot be edited
    run = Run(NpmJudges(), arguments.renderings)
    started = time.perf_counter()
    end = arguments.first + arguments.schemas
    for first in range(arguments.first, end, BATCH):
        batch = [case(arguments.seed, number) for number in range(first, min(first + BATCH, end))]
        if arguments.show:
            for made in batch:
                print(json.dumps(made.schema, ensure_ascii=False), json.dumps(made.instances, ensure_ascii=False))
        look_at(run, batch)
    seconds = time.perf_counter() - started
    print(f"{arguments.schemas / seconds:.0f} schemas a second, {seconds:.0f} s")
    report(run, arguments.most, arguments.out)
    run.judges.close()
    sys.exit(1 if run.told else 0)


if __name__ == "__main__":
    main()
