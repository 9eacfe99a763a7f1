"""A small language client over the standard input and output of a real server process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType
from typing import Any

import draftlift
from draftlift.text import Edit, Encoding, LineIndex, apply_edits

Json = dict[str, Any]

COMMAND = [sys.executable, "-m", "draftlift", "serve"]
PATIENCE = 120.0
"""Seconds after which a server hangs: a machine that is busy may take its time."""

FULL: Json = {
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}},
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
        "codeAction": {"dataSupport": True, "disabledSupport": True, "resolveSupport": {"properties": ["edit"]}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
}
"""Capabilities of a client that can do all that matters here, but does not pull diagnostics."""


class RpcError(Exception):
    """The server answered with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]


class Client:
    """One server process, and what it has said.

    ``configuration`` is the answer to ``workspace/configuration``, ``scoped`` those for single folders, by their URIs.
    """

    def __init__(self, configuration: Any = None, scoped: dict[str, Any] | None = None) -> None:
        self.configuration = configuration
        self.scoped = scoped or {}
        self.said: list[Json] = []
        self.published: dict[str, list[Json]] = {}
        self.stderr = b""
        self._answers: dict[int, Json] = {}
        self._incoming: Queue[Json | None] = Queue()
        self._last_id = 0
        self._asked: dict[int, str] = {}
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(draftlift.__file__).parents[1])},
        )
        self._threads = [threading.Thread(target=self._read), threading.Thread(target=self._read_stderr)]
        for thread in self._threads:
            thread.start()

    @property
    def process_id(self) -> int:
        return self._process.pid

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with suppress(OSError):  # the server was gone before it had read everything
                stream.close()

    # -- messages --

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                header = stream.readline()
            self._incoming.put(json.loads(stream.read(length)))
        self._incoming.put(None)

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        self.stderr = self._process.stderr.read()

    def send_bytes(self, body: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _send(self, message: Json) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def _receive(self, deadline: float, awaited: str) -> None:
        try:
            message = self._incoming.get(timeout=max(0.01, deadline - time.monotonic()))
        except Empty:
            raise TimeoutError(f"no {awaited} within {PATIENCE:g} s") from None
        assert message is not None, f"the server ended: {self._process.wait()}"
        if "method" not in message:
            self._answers[message["id"]] = message
            return
        self.said.append(message)
        if message["method"] == "textDocument/publishDiagnostics":
            self.published.setdefault(message["params"]["uri"], []).append(message["params"])
        if "id" in message:
            self._send({"id": message["id"], "result": self._answer_to(message)})

    def _answer_to(self, message: Json) -> Any:
        if message["method"] != "workspace/configuration":
            return None
        return [self.scoped.get(item.get("scopeUri"), self.configuration) for item in message["params"]["items"]]

    def notify(self, method: str, params: Any = None) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any = None) -> Any:
        return self.answer(self.ask(method, params))

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request; its id is for ``answer`` and ``has_answered``."""
        self._last_id += 1
        self._asked[self._last_id] = method
        self._send({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    def answer(self, id_: int) -> Any:
        """The answer to a request, waiting for it."""
        deadline = time.monotonic() + PATIENCE
        while id_ not in self._answers:
            self._receive(deadline, f"answer to {self._asked[id_]}")
        answer = self._answers.pop(id_)
        if "error" in answer:
            raise RpcError(answer["error"])
        return answer["result"]

    def has_answered(self, id_: int) -> bool:
        """Whether a request has its answer after all that was sent before was handled."""
        self.messages("")
        return id_ in self._answers

    def wait_for(self, method: str, count: int = 1) -> list[Json]:
        """The parameters of what the server says with this method, waiting until it has said it so many times."""
        deadline = time.monotonic() + PATIENCE
        while len(found := [message["params"] for message in self.said if message["method"] == method]) < count:
            self._receive(deadline, method)
        return found

    def patiently(self, holds: Callable[[], bool]) -> None:
        """Ask again and again until something holds."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > deadline:
                raise TimeoutError(f"it does not hold within {PATIENCE:g} s")

    # -- a session --

    def initialize(
        self,
        capabilities: Json = FULL,
        encodings: Iterable[str] = (),
        options: Any = None,
        folders: Iterable[str] = (),
    ) -> Json:
        general = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        result: Json = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "capabilities": {**capabilities, **general},
                "initializationOptions": options,
                "workspaceFolders": [{"uri": uri, "name": uri} for uri in folders] or None,
            },
        )
        self.notify("initialized", {})
        return result

    def shut_down(self) -> int:
        self.request("shutdown")
        return self.exit()

    def exit(self) -> int:
        self.notify("exit")
        return self._process.wait(PATIENCE)

    def messages(self, method: str) -> list[Json]:
        """The parameters of what the server has said with this method, up to now."""
        self.request("textDocument/hover", {"textDocument": {"uri": "none:"}, "position": {"line": 0, "character": 0}})
        return [message["params"] for message in self.said if message["method"] == method]

    # -- documents --

    def open(self, uri: str, text: str, language: str = "json", version: int = 1) -> None:
        self.published.pop(uri, None)
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Json) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, version: int | None = 1) -> list[Json]:
        """The diagnostics that were pushed for this version, waiting for them; of a closed document for None."""
        deadline = time.monotonic() + PATIENCE
        while not (said := self.published.get(uri)) or said[-1].get("version") != version:
            self._receive(deadline, f"diagnostics of {uri}")
        found: list[Json] = said[-1]["diagnostics"]
        return found

    def actions(self, uri: str, range_: Json, diagnostics: Iterable[Json] = (), only: list[str] | None = None) -> Any:
        context: Json = {"diagnostics": list(diagnostics), **({"only": only} if only else {})}
        return self.request(
            "textDocument/codeAction", {"textDocument": {"uri": uri}, "range": range_, "context": context}
        )

    def hover(self, uri: str, position: Json) -> Any:
        return self.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})


def text_edits(edit: Json, uri: str) -> list[Json]:
    """The edits that a workspace edit holds for one document."""
    found: list[Json] = list(edit.get("changes", {}).get(uri, ()))
    for change in edit.get("documentChanges", ()):
        if change["textDocument"]["uri"] == uri:
            found += change["edits"]
    return found


def edited(text: str, edits: Iterable[Json], encoding: Encoding = "utf-16") -> str:
    """The text after edits as LSP writes them."""
    lines = LineIndex(text)

    def offset(position: Json) -> int:
        return lines.offset(position["line"], position["character"], encoding)

    return apply_edits(
        text, [Edit(offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in edits]
    )


def span(line: int, start: int, end: int) -> Json:
    """A range within one line."""
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def codes(diagnostics: Iterable[Json]) -> list[str]:
    """The rules that diagnostics are of."""
    return [diagnostic["code"] for diagnostic in diagnostics]
