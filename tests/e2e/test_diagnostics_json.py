"""The quick way to write a diagnostic says what the typed one says."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types

from draftlift.analysis import Finding, Settings, analyse
from draftlift.lsp.connection import Connection, full_report, to_json
from draftlift.lsp.convert import MAX_DIAGNOSTICS, to_diagnostic, to_diagnostics
from draftlift.lsp.diagnostics_json import written
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Client
from draftlift.rules import RULES
from draftlift.syntax.tree import Language

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").iterdir())
DOUBLE = '[{"name": "a", "inputSchema": {"type": "object", "type": "object"}}]'
FULL = Client(tags=frozenset((1, 2)), related_information=True, encoding="utf-8")
RANKS = ["error", "warning", "information", "hint"]
DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def parsed(texts: list[str]) -> list[Any]:
    return [json.loads(text) for text in texts]


@pytest.mark.parametrize("client", [Client(), FULL])
@pytest.mark.parametrize("text", [DOUBLE, *(path.read_text("utf-8") for path in EXAMPLES)])
def test_both_ways_say_the_same(text: str, client: Client) -> None:
    language: Language = "json" if text.lstrip()[0] in "{[" else "yaml"
    document = Document(types.TextDocumentItem("untitled:a", language, 1, text))
    pieces = document.pieces(Settings())
    assert pieces is not None
    typed = [json.loads(to_json(to_diagnostic(document, f, client))) for f in analyse(text, language).findings]
    assert parsed(written(document, pieces, client)) == typed
    assert parsed(written(document, pieces, client)) == typed  # out of what was kept


def chosen(document: Document, findings: tuple[Finding, ...], client: Client) -> list[Any]:
    """The policy for too many findings, said the plain way."""
    if len(findings) <= MAX_DIAGNOSTICS:
        return [json.loads(to_json(to_diagnostic(document, finding, client))) for finding in findings]
    ranked = sorted(enumerate(findings), key=lambda pair: (RANKS.index(pair[1].severity), pair[0]))
    shown = [finding for _, finding in sorted(ranked[: MAX_DIAGNOSTICS - 1], key=lambda pair: pair[0])]
    left_out = [finding for _, finding in ranked[MAX_DIAGNOSTICS - 1 :]]
    start, end = (document.lines.position(at, client.encoding) for at in min(finding.span for finding in left_out))
    note = {
        "range": {"start": start._asdict(), "end": end._asdict()},
        "message": f"{len(left_out)} more findings in this file are not shown; `draftlift check` lists them all",
        "severity": 3,
        "source": "draftlift",
    }
    return [*(json.loads(to_json(to_diagnostic(document, finding, client))) for finding in shown), note]


def tools(count: int) -> list[Any]:
    """Tools with three findings each: of errors, warnings and information."""
    rng = random.Random(count)
    schema = {"$schema": DRAFT_07, "type": "object", "properties": {"x": {"$ref": "#", "default": 1}}}
    schemas: list[Any] = [None, {**schema, "title": "", "items": [{}]}, {**schema, "required": True}]
    return [{"name": f"t{i}", "description": "Does 😀", "inputSchema": rng.choice(schemas)} for i in range(count)]


@pytest.mark.parametrize("client", [Client(), FULL])
@pytest.mark.parametrize(
    "severities",
    [
        {},  # not all of the information has room
        {"tuple-items": "error", "legacy-dialect": "hint"},  # not all hints have
        dict.fromkeys(RULES, "error"),
    ],
)
def test_too_many_findings(client: Client, severities: dict[str, Any]) -> None:
    text = json.dumps({"tools": tools(560)}, indent=1, ensure_ascii=False)
    document = Document(types.TextDocumentItem("untitled:a.json", "json", 1, text))
    settings = Settings(severities=severities)
    rest = text[text.index('"t320"') :]
    ways = set()
    for version, (old, new) in enumerate(
        [
            ("", ""),
            ('"inputSchema": null', '"inputSchema": {}'),
            ('"type": "object"', '"type": "objec"'),
            ('"Does 😀"', '"Does 😀😀", "title": "", "title": ""'),
            ('"title": "",', ""),
            ('"object"', '"object'),
            ('"object', '"object"'),
            (rest, '"t320", "inputSchema": true}]}'),
            ('"t100"', '"t1😀"'),
            ('"t320", "inputSchema": true}]}', rest),
            ('"t200"', '"another"'),
        ],
        2,
    ):
        at = document.text.index(old, document.text.index('"t99"'))
        start, end = (document.lines.position(offset, client.encoding) for offset in (at, at + len(old)))
        place = types.Range(types.Position(*start), types.Position(*end))
        document.change(version, [types.TextDocumentContentChangePartial(place, new)], client.encoding)
        pieces = document.pieces(settings)
        assert pieces is not None
        findings = pieces.findings()
        ways.add((pieces.is_whole, len(findings) > MAX_DIAGNOSTICS))
        expected = chosen(document, findings, client)
        assert parsed(written(document, pieces, client)) == expected
        assert parsed([to_json(item) for item in to_diagnostics(document, findings, client)]) == expected
    assert ways == {(True, True), (True, False), (False, True), (False, False)}


def test_a_ready_report_is_sent_as_the_typed_one_would_be() -> None:
    diagnostic = types.Diagnostic(types.Range(types.Position(0, 1), types.Position(2, 3)), "ä😀")
    reports = [
        types.RelatedFullDocumentDiagnosticReport([diagnostic, diagnostic], result_id="é"),
        full_report("é", [to_json(diagnostic), to_json(diagnostic)]),
    ]
    sent: list[bytes] = []
    connection = Connection()
    connection.on(types.TEXT_DOCUMENT_DIAGNOSTIC, lambda _: reports.pop())
    connection.protocol.set_writer(SimpleNamespace(write=sent.append, close=sent.clear))
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier("untitled:a"))
    for _ in range(2):
        connection.protocol.handle_message(types.DocumentDiagnosticRequest("ö1", params))
    bodies = []
    for message in sent:
        head, _, body = message.partition(b"\r\n\r\n")
        assert f"Content-Length: {len(body)}".encode() in head.split(b"\r\n")
        bodies.append(json.loads(body))
    assert bodies[0] == bodies[1]
    assert bodies[0]["id"] == "ö1"
    assert len(bodies[0]["result"]["items"]) == 2
