"""The quick way to write a diagnostic says what the typed one says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types

from draftlift.analysis import Settings, analyse
from draftlift.lsp.connection import to_json
from draftlift.lsp.convert import to_diagnostic
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Client
from draftlift.lsp.wire import written
from draftlift.syntax.tree import Language

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").iterdir())
DOUBLE = '[{"name": "a", "inputSchema": {"type": "object", "type": "object"}}]'


@pytest.mark.parametrize(
    "client", [Client(), Client(tags=frozenset((1, 2)), related_information=True, encoding="utf-8")]
)
@pytest.mark.parametrize("text", [DOUBLE, *(path.read_text("utf-8") for path in EXAMPLES)])
def test_both_ways_say_the_same(text: str, client: Client) -> None:
    language: Language = "json" if text.lstrip()[0] in "{[" else "yaml"
    document = Document(types.TextDocumentItem("untitled:a", language, 1, text))
    pieces = document.pieces(Settings())
    assert pieces is not None
    quick = [json.loads(item) for item in written(document, pieces, client)]
    typed = [json.loads(to_json(to_diagnostic(document, f, client))) for f in analyse(text, language).findings]
    assert quick == typed
    assert [json.loads(item) for item in written(document, pieces, client)] == typed  # out of what was kept
