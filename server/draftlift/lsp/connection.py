"""The connection to the client, and the only file that touches the inside of pygls: where its defaults do not suit.

pygls keeps documents by decoded URI and applies changes slowly, leaves a request unanswered that it cannot read or that
comes after ``shutdown``, and shows the user a message box for every error in a notification. Here documents are ours,
every request is answered, and errors go to standard error and the client's log.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException, JsonRpcInvalidRequest
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from draftlift import __version__

_log = logging.getLogger(__name__)

_OURS = (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE)
_LEVELS = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
)


@dataclass(frozen=True, slots=True)
class Ready:
    """The result of a request as JSON text, of ASCII characters, which is sent as it is."""

    text: str


def full_report(result_id: str, diagnostics: list[str]) -> Ready:
    """The answer to a client that pulls diagnostics, which are JSON texts already."""
    return Ready(f'{{"kind":"full","resultId":{json.dumps(result_id)},"items":[{",".join(diagnostics)}]}}')


class _Protocol(LanguageServerProtocol):
    """pygls' protocol, but every request gets an answer. ``loop`` is the event loop that handles the messages."""

    loop: asyncio.AbstractEventLoop | None = None

    def _register_builtin_features(self) -> None:
        super()._register_builtin_features()  # type: ignore[no-untyped-call]
        for method in _OURS:
            self.fm.builtin_features.pop(method)

    def structure_message(self, data: dict[str, Any]) -> Any:
        method = data.get("method")
        if "jsonrpc" in data and "params" not in data and isinstance(method, str):
            if self.get_message_type(method) is None:
                data["params"] = None
            elif method == types.INITIALIZED:
                data["params"] = {}
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        self.loop = self.loop or _running_loop()
        if self._shutdown and hasattr(message, "id") and hasattr(message, "method"):
            error = JsonRpcInvalidRequest("the server is shutting down")
            self._send_response(message.id, error=error.to_response_error())
            return
        super().handle_message(message)

    def _send_response(self, msg_id: str | int, result: Any = None, error: types.ResponseError | None = None) -> None:
        if isinstance(result, Ready) and error is None:
            self.send_body(f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":{result.text}}}')
        else:
            super()._send_response(msg_id, result, error)

    def send_body(self, body: str) -> None:
        """Send a message that is JSON text already, as ``_send_data`` sends one that is not."""
        if self.writer is None:
            return
        try:
            sent = self.writer.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii"))
            if inspect.isawaitable(sent):
                self._sending = asyncio.ensure_future(sent)
        except BrokenPipeError:
            _log.warning("the client is gone")

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: object) -> None:  # type: ignore[override]
        """As pygls', which changes a dict while it walks it where the server's own requests are still open."""
        for future in list(self._request_futures.values()):
            if not future.done():
                future.cancel()
        self._shutdown = True

    @property
    def shut_down(self) -> bool:
        return self._shutdown


class Connection(LanguageServer):
    """The pygls server with features as plain functions: ``on`` wires one, ``run`` serves."""

    protocol: _Protocol

    def __init__(self) -> None:
        super().__init__("draftlift", __version__, protocol_cls=_Protocol)

    def on(self, method: str, function: Callable[[Any], Any], fallback: Any = None, options: Any = None) -> None:
        """Answer a method with a function of its parameters; with the fallback where that fails, and log why."""
        self.feature(method, options)(_guarded(method, function, fallback))

    def publish(self, uri: str, version: int, diagnostics: list[str]) -> None:
        """Publish diagnostics that are JSON texts already, of ASCII characters: a large file may have a thousand."""
        body = (
            f'{{"jsonrpc":"2.0","method":"{types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS}","params":'
            f'{{"uri":{json.dumps(uri)},"version":{version},"diagnostics":[{",".join(diagnostics)}]}}}}'
        )
        self.protocol.send_body(body)

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """Log what pygls would show in a message box; a request has had its answer by now."""
        if source is FeatureRequestError:
            return
        if isinstance(error, JsonRpcException):
            _log.warning("a message of the client could not be read: %s", error)
        else:
            _log.error("a message could not be handled: %s: %s", type(error).__name__, error)

    def log(self, kind: types.MessageType, message: str) -> None:
        """Write to the client's log. Any thread may; the event loop sends it."""
        loop = self.protocol.loop
        if loop is None or loop is _running_loop():
            self.window_log_message(types.LogMessageParams(kind, message))
        else:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self.log, kind, message)

    def run(self) -> bool:
        """Serve until the client says ``exit`` or goes away. True where it asked to shut down before."""
        logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
        logging.getLogger("pygls").setLevel(logging.ERROR)
        logging.getLogger("draftlift").addHandler(_ClientLog(self))
        stdout = sys.stdout.buffer
        sys.stdout = sys.stderr  # what is printed by mistake must not end up between the messages
        self.start_io(stdout=stdout)
        return self.protocol.shut_down


class _ClientLog(logging.Handler):
    """Sends the core's and the server's own warnings and errors to the client's log."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(logging.WARNING)
        self._connection = connection

    def emit(self, record: logging.LogRecord) -> None:
        kind = next((kind for level, kind in _LEVELS if record.levelno >= level), types.MessageType.Log)
        self._connection.log(kind, self.format(record))


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop that this thread runs; None where it runs none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def to_json(value: Any) -> str:
    """An object of the protocol as JSON text, of ASCII characters."""
    return json.dumps(_converter().unstructure(value), separators=(",", ":"))


@cache
def _converter() -> Any:
    return default_converter()  # type: ignore[no-untyped-call]


def _guarded(method: str, function: Callable[[Any], Any], fallback: Any) -> Callable[[Any], Any]:
    if inspect.iscoroutinefunction(function):

        async def guarded_coroutine(params: Any) -> Any:
            try:
                return await function(params)
            except Exception:
                _log.exception("%s failed", method)
                return fallback

        return guarded_coroutine

    def guarded(params: Any) -> Any:
        try:
            return function(params)
        except Exception:
            _log.exception("%s failed", method)
            return fallback

    return guarded
