from __future__ import annotations

from collections.abc import Iterator

import pytest

from e2e.rpc import Client


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of one server for all tests of a file; it pushes diagnostics and counts in UTF-16."""
    with Client() as client:
        client.initialize()
        yield client
        assert client.shut_down() == 0
        assert not [said for said in client.said if said["method"] == "window/showMessage"]
