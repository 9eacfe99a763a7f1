"""The command line in this process, as a user would see it."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from draftlift.cli import main


@dataclass
class Done:
    status: int
    out: str
    err: str


Run = Callable[..., Done]


class Stdin(io.TextIOWrapper):
    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def run(*arguments: str | Path, stdin: bytes | str = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", Stdin(stdin.encode() if isinstance(stdin, str) else stdin))
        status = main([str(argument) for argument in arguments])
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        done = Done(status, out.decode(), err.decode())
        assert "Traceback" not in done.err
        return done

    return run
