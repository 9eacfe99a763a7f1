"""What hostile texts cost as they grow: each kind of text twice, the second of double the size, in CPU time.

    python benchmarks/hostile.py [--kind NAME] [--limit 2.5] [--seconds 1.0]

Each kind grows until a look at it takes about ``--seconds``, and is then doubled. Everything that an editor asks for is
asked: findings, their fixes, fix-all, a hover. Exit status 1 where doubling costs more than ``--limit`` times as much.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from draftlift.analysis import analyse
from draftlift.explain import hover
from draftlift.normalize import normalize
from draftlift.syntax.tree import Language

D4 = "http://json-schema.org/draft-04/schema#"
D7 = "http://json-schema.org/draft-07/schema#"
D19 = "https://json-schema.org/draft/2019-09/schema"
Kind = Callable[[int], tuple[str, Language]]


def _json(schema: dict[str, Any], **more: Any) -> tuple[str, Language]:
    return json.dumps({"name": "a", "inputSchema": {"type": "object", **schema}, **more}), "json"


def _lines(schema: dict[str, Any]) -> tuple[str, Language]:
    return json.dumps({"name": "a", "inputSchema": {"type": "object", **schema}}, indent=1), "json"


def _yaml(head: str, line: str, n: int) -> tuple[str, Language]:
    return f"name: a\ninputSchema:\n  $schema: {D7}\n  type: object\n{head}" + "".join(
        line.replace("@", str(i)) for i in range(n)
    ), "yaml"


def _each(n: int, item: Any) -> dict[str, Any]:
    return {f"p{i}": json.loads(json.dumps(item).replace("@", str(i))) for i in range(n)}


def _nested(n: int, opening: str, inner: str, closing: str) -> str:
    return opening * n + inner + closing * n


KINDS: dict[str, Kind] = {
    "tuples": lambda n: _json({"$schema": D7, "properties": _each(n, {"items": [{}, {}], "additionalItems": False})}),
    "tuples, a line each": lambda n: _lines({"$schema": D7, "properties": _each(n, {"items": [{}, {}]})}),
    "tuples, undeclared": lambda n: _json({"properties": _each(n, {"items": [{}, {}]})}),
    "dead keywords": lambda n: _json({"$schema": D7, "properties": _each(n, {"additionalItems": False})}),
    "dependencies": lambda n: _json({"$schema": D7, "dependencies": _each(n, ["a"]) | {"x": {}}}),
    "dependencies each": lambda n: _json({"$schema": D7, "properties": _each(n, {"dependencies": {"a": ["b"], "c": {}}})}),
    "dependencies in each other": lambda n: _json(
        {"$schema": D7, **json.loads(_nested(min(n, 120), '{"dependencies": {"a": ["b"], "c": ', "{}", "}}"))}
    ),
    "exclusive flags": lambda n: _json({"$schema": D4, "properties": _each(n, {"minimum": 1, "exclusiveMinimum": True})}),
    "ids": lambda n: _json({"$schema": D4, "properties": _each(n, {"id": "http://e/@"})}),
    "names": lambda n: _json({"$schema": D7, "definitions": _each(n, {"$id": "#1a@"})}),
    "pointers as ids": lambda n: _json({"$schema": D7, "properties": _each(n, {"$id": "#/properties/p@"})}),
    "references": lambda n: _json(
        {"$schema": D7, "properties": _each(n, {"$ref": "#/definitions/p@/items/0"}), "definitions": _each(n, {"items": [{}]})}
    ),
    "references to one": lambda n: _json(
        {"$schema": D7, "properties": _each(n, {"$ref": "#/definitions/a/items/0"}), "definitions": {"a": {"items": [{}]}}}
    ),
    "a chain of references": lambda n: _json(
        {"$schema": D7, "definitions": {f"p{i}": {"$ref": f"#/definitions/p{i + 1}"} for i in range(n)}}
    ),
    "dangling references": lambda n: _json({"$schema": D7, "properties": _each(n, {"$ref": "#/nowhere/@", "items": []})}),
    "remote references": lambda n: _json({"$schema": D7, "properties": _each(n, {"$ref": "https://e/@"})}),
    "files": lambda n: _json({"$schema": D7, "properties": _each(n, {"$ref": "p@.json"})}),
    "references into data": lambda n: _json(
        {"$schema": D7, "default": _each(n, {"items": [{}]}), "properties": _each(n, {"$ref": "#/default/p@"})}
    ),
    "beside references": lambda n: _json({"$schema": D7, "properties": _each(n, {"$ref": "#", "minLength": 1})}),
    "inert keywords": lambda n: _json({"$schema": D7, "properties": _each(n, {"dependentRequired": {"a": ["b"]}})}),
    "nested dialects": lambda n: _json({"$schema": D7, "properties": _each(n, {"$schema": D4})}),
    "recursive anchors": lambda n: _json(
        {"$schema": D19, "$defs": _each(n, {"$id": "http://e/@", "$recursiveAnchor": True, "not": {"$recursiveRef": "#"}})}
    ),
    "contains": lambda n: _json(
        {"$schema": D19, "unevaluatedItems": False, "allOf": [{"contains": {"const": i}} for i in range(n)]}
    ),
    "definitions each": lambda n: _json(
        {"properties": _each(n, {"definitions": {"a": {}}, "$ref": "#/properties/p@/definitions/a"})}
    ),
    "enum names": lambda n: (
        json.dumps({"message": "m", "requestedSchema": {"type": "object", "properties": _each(n, {"type": "string", "enum": ["a"], "enumNames": ["A"]})}}),
        "json",
    ),
    "malformed keywords": lambda n: _json({"$schema": D7, "properties": _each(n, {"minLength": "1", "required": "x"})}),
    "no schemas": lambda n: _json({"$schema": D7, "properties": _each(n, "integer")}),
    "a wide object": lambda n: _json({"$schema": D7, "properties": _each(n, {}), "required": [f"p{i}" for i in range(n)]}),
    "a long enum": lambda n: _json({"$schema": D7, "properties": {"a": {"enum": list(range(n))}}}),
    "a long tuple": lambda n: _json({"$schema": D7, "properties": {"a": {"items": [{"items": [{}]} for _ in range(n)]}}}),
    "keys twice": lambda n: ('{"name": "a", "inputSchema": {"type": "object"' + ', "a": 1' * n + "}}", "json"),
    "tools": lambda n: (json.dumps([{"name": f"a{i}", "inputSchema": {"$schema": D7, "items": [{}]}} for i in range(n)]), "json"),
    "tools without": lambda n: (json.dumps({"tools": [{"name": f"a{i}", "description": "d"} for i in range(n)]}), "json"),
    "missing commas": lambda n: ('{"name": "a", "inputSchema": {"type": "object"' + ' "a": {}' * n + "}}", "json"),
    "open brackets": lambda n: ('{"name": "a", "inputSchema": ' + '{"not": ' * n, "json"),
    "deep": lambda n: ('{"name": "a", "inputSchema": ' + _nested(n, '{"not": ', "{}", "}") + "}", "json"),
    "comments": lambda n: ('{"name": "a", "inputSchema": {"type": "object"' + "/* x */ // y\n" * n + "}}", "json"),
    "a long string": lambda n: _json({"description": "é" * n, "$schema": D7}),
    "escapes": lambda n: ('{"name": "a", "inputSchema": {"description": "' + "\\u00e9" * n + '", "$schema": "' + D7 + '"}}', "json"),
    "YAML tuples": lambda n: _yaml("  properties:\n", "    p@:\n      items:\n      - {}\n      additionalItems: false\n", n),
    "YAML dead keywords": lambda n: _yaml("  properties:\n", "    p@:\n      additionalItems: false # x\n", n),
    "YAML dependencies": lambda n: _yaml("  properties:\n", "    p@:\n      dependencies:\n        a: [b]\n        c: {}\n", n),
    "YAML anchors": lambda n: _yaml("  properties:\n", "    p@: &s@ {items: [{}]}\n    q@: *s@\n", n),
    "YAML aliases of one": lambda n: _yaml("  properties:\n    a: &a {items: [{}]}\n", "    p@: *a\n", n),
    "YAML merges": lambda n: _yaml("  properties:\n    a: &a {items: [{}]}\n", "    p@: {<<: *a, title: t}\n", n),
    "YAML anchors of many tools": lambda n: (
        "".join(f"- name: a{i}\n  inputSchema: &s{i} {{$schema: '{D7}', items: [{{}}]}}\n- {{name: b{i}, inputSchema: *s{i}}}\n" for i in range(n)),
        "yaml",
    ),
    "YAML one anchor, many tools": lambda n: (
        f"- name: a\n  inputSchema: &s {{$schema: '{D7}', items: [{{}}]}}\n" + "".join(f"- {{name: b{i}, inputSchema: *s}}\n" for i in range(n)),
        "yaml",
    ),
    "YAML dialects by alias": lambda n: (
        f"- name: a\n  inputSchema: {{$schema: &d '{D7}', items: [{{}}]}}\n" + "".join(f"- {{name: b{i}, inputSchema: {{$schema: *d}}}}\n" for i in range(n)),
        "yaml",
    ),
    "YAML documents": lambda n: ("".join(f"---\nname: a{i}\ninputSchema: {{$schema: '{D7}'}}\n" for i in range(n)), "yaml"),
    "YAML flow": lambda n: (_yaml("  properties:\n", "    p@: {items: [{}]}\n", n)[0], "yaml"),
    "YAML broken lines": lambda n: (_yaml("  properties:\n", "    p@: 'x\n", n)[0], "yaml"),
    "YAML tabs": lambda n: ("name: a\ninputSchema:\n  type: object\n  a:" + "\t" * n + "b\n", "yaml"),
    "YAML blanks": lambda n: ("name: a\ninputSchema:\n  type: object\n  a:" + " " * n + "b\n", "yaml"),
    "YAML undeclared": lambda n: (_yaml("  properties:\n", "    p@:\n      items:\n      - {}\n", n)[0].replace(f"  $schema: {D7}\n", ""), "yaml"),
}  # fmt: skip


def everything(text: str, language: Language) -> None:
    """All that an editor and the command line would ask of a text."""
    analysis = analyse(text, language)
    analysis.fixes(analysis.findings)
    for finding in analysis.findings[:1]:
        hover(analysis, finding.span.start)
    for inert in ("refuse", "remove"):
        analysis.fix_all(inert)  # type: ignore[arg-type]
    for schema in analysis.schemas[:1]:
        normalize(schema.value, inert="remove")


def cost(kind: Kind, n: int) -> float:
    """CPU seconds for a text of this kind and size: the least of several, since others may use the machine."""
    text, language = kind(n)
    least = float("inf")
    for _ in range(3):
        start = time.process_time()
        everything(text, language)
        least = min(least, time.process_time() - start)
    return least


def main() -> int:
    """Measure, and say which kinds cost too much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--limit", type=float, default=2.5)
    parser.add_argument("--seconds", type=float, default=0.4)
    options = parser.parse_args()
    over = []
    for name in options.kind or KINDS:
        n, spent = 50, 0.0
        while n < 200_000:
            spent = cost(KINDS[name], n)
            if spent > options.seconds / 2:
                break
            n *= 2
        double = cost(KINDS[name], 2 * n)
        ratio = double / spent
        mark = "" if ratio <= options.limit else "  <-- more than it should"
        over += [name] if mark else []
        size = len(KINDS[name](2 * n)[0])
        print(f"{name:30} {2 * n:8,} {size / 1000:9,.0f} KB {double:7.2f} s {ratio:6.2f} times{mark}", flush=True)
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
