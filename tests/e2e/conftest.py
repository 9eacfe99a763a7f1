from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from e2e import rpc
from e2e.rpc import Client

PATIENT = """
from draftlift.lsp.lazy_lsprotocol import import_lsprotocol
import_lsprotocol()
from draftlift.lsp import serve
from draftlift.lsp.features import configuration
configuration._PATIENCE = 3600
serve()
"""


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers wait for the client's settings however long it takes on a busy machine."""
    monkeypatch.setattr(rpc, "COMMAND", [sys.executable, "-c", PATIENT])


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of one server for all tests of a file; it pushes diagnostics and counts in UTF-16."""
    with Client() as client:
        client.initialize()
        yield client
        assert client.shut_down() == 0
        assert not [said for said in client.said if said["method"] == "window/showMessage"]
