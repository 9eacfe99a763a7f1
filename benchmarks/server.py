"""`draftlift serve` beside vscode-json-languageserver and yaml-language-server, and `draftlift check` alone.

    python benchmarks/server.py [--sizes 20 1000] [--rounds N] [--keys N] [--doubling]

For each size in KB, as JSON and as YAML: from the start of the process to the first diagnostics, one letter typed in the
middle of the file to the diagnostics of that version, and peak memory. Then 400 files at once. CPU is of the server process with all its
threads; every server is started afresh each round, the rounds interleaved. Linux, since that is where the system tells.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import measure
import peers
import workload

DRAFTLIFT = [sys.executable, "-m", "draftlift"]
SCHEMA = {
    "type": "object",
    "properties": {
        "tools": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "inputSchema"],
                "properties": {"inputSchema": {"properties": {"$schema": {"const": "of another dialect"}}}},
            },
        }
    },
}
"""Gives the peers something to find: every declared dialect, as draftlift does."""
PAUSE = 0.05


class Server:
    """A language server process and its last word on each document."""

    def __init__(self, command: list[str], settings: dict[str, Any]) -> None:
        self.settings = settings
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._incoming: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif not line.strip():
                self._incoming.put(json.loads(stream.read(length)))
        self._incoming.put(None)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        stream = self.process.stdin
        assert stream is not None
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        stream.flush()

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def receive(self) -> dict[str, Any]:
        """The next message; what the server asks of a client is answered."""
        message = self._incoming.get(timeout=120)
        assert message is not None, "the server ended"
        if "id" in message and "method" in message:
            asked = message["params"].get("items", ()) if message["method"] == "workspace/configuration" else None
            answer = None if asked is None else [self.settings.get(item.get("section")) for item in asked]
            self.send({"id": message["id"], "result": answer})
        return message

    def initialize(self) -> None:
        """Say hello, and bring in the settings."""
        document = {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}}
        capabilities = {"textDocument": document, "workspace": {"configuration": True}}
        params = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities}
        self.send({"id": 1, "method": "initialize", "params": params})
        while self.receive().get("id") != 1:
            pass
        self.notify("initialized", {})
        if self.settings:
            self.notify("workspace/didChangeConfiguration", {"settings": self.settings})

    def diagnostics(self, uri: str, version: int) -> int:
        """How many diagnostics this version of a document has, waiting for them."""
        while True:
            message = self.receive()
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            params = message["params"]
            if params["uri"] == uri and params.get("version", version) >= version:
                return len(params["diagnostics"])

    def all_diagnostics(self, uris: set[str]) -> int:
        """How many diagnostics all these documents have, waiting for the first word on each that is not empty."""
        found: dict[str, int] = {}
        while uris - found.keys():
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]:
                found[message["params"]["uri"]] = len(message["params"]["diagnostics"])
        return sum(found.values())

    def cpu(self) -> float:
        """The CPU seconds up to now."""
        return measure.cpu_so_far(self.process.pid)

    def end(self) -> None:
        """Make an end of it."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


@dataclass
class Row:
    """What one server has cost on one file, all rounds."""

    name: str
    command: list[str]
    settings: dict[str, Any]
    start_cpu: list[float] = field(default_factory=list)
    start_wall: list[float] = field(default_factory=list)
    key_cpu: list[float] = field(default_factory=list)
    key_wall: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    found: int = 0


def measure_server(row: Row, text: str, format_: workload.Format, keys: int) -> None:
    """One round: start, open, type."""
    uri = f"file:///measured/tools.{format_}"
    started = time.perf_counter()
    server = Server(row.command, row.settings)
    try:
        server.initialize()
        item = {"uri": uri, "languageId": format_, "version": 1, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": item})
        row.found = server.diagnostics(uri, 1)
        row.start_wall.append(time.perf_counter() - started)
        row.start_cpu.append(server.cpu())
        time.sleep(1)  # what a server puts off until later is not the first letter's
        lines = text.split("\n")
        line = next(i for i in range(len(lines) // 2, len(lines)) if workload.MARK in lines[i])
        before = lines[line][: lines[line].index(workload.MARK)]
        place = {"line": line, "character": len(before.encode("utf-16-le")) // 2}
        for version in range(2, keys + 2):
            time.sleep(PAUSE)
            cpu, wall = server.cpu(), time.perf_counter()
            document = {"uri": uri, "version": version}
            change = {"range": {"start": place, "end": place}, "text": "x"}
            server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
            server.diagnostics(uri, version)
            row.key_wall.append(time.perf_counter() - wall)
            time.sleep(PAUSE)  # and what it does after its answer is
            row.key_cpu.append(server.cpu() - cpu)
        row.memory.append(measure.peak_memory(server.process.pid))
    finally:
        server.end()


def rows_for(format_: workload.Format, folder: Path) -> list[Row]:
    """Draftlift and its peer for a format."""
    schema = folder / "tools.schema.json"
    schema.write_text(json.dumps(SCHEMA), "utf-8")
    if format_ == "yaml":
        name = "yaml-language-server"
        settings: dict[str, Any] = {"yaml": {"validate": True, "schemas": {schema.as_uri(): "*.yaml"}}}
    else:
        name = "vscode-json-languageserver"
        known = [{"fileMatch": ["*.json"], "url": schema.as_uri(), "schema": SCHEMA}]
        settings = {"json": {"validate": {"enable": True}, "schemas": known}}
    peer = Row(f"{name} {peers.VERSIONS[name]}", peers.language_server(name), settings)
    return [Row("draftlift", [*DRAFTLIFT, "serve"], {}), peer]


def milliseconds(values: list[float], part: float = 0.5) -> str:
    """The median, or another quantile."""
    ordered = sorted(values)
    value = statistics.median(ordered) if part == 0.5 else ordered[min(len(ordered) - 1, int(part * len(ordered)))]
    return f"{value * 1000:,.1f}" if value < 0.1 else f"{value * 1000:,.0f}"


def servers(sizes: list[int], rounds: int, keys: int, folder: Path) -> None:
    """The table of servers."""
    written = []
    for size in sizes:
        for format_ in ("json", "yaml"):
            text = workload.text(size * 1000, format_)
            rows = rows_for(format_, folder)
            for _ in range(rounds):
                for row in rows:
                    measure_server(row, text, format_, keys)
            for row in rows:
                figures = [milliseconds(row.start_cpu), milliseconds(row.start_wall)]
                figures += [milliseconds(row.key_cpu), milliseconds(row.key_cpu, 0.95)]
                figures += [milliseconds(row.key_wall), milliseconds(row.key_wall, 0.95)]
                figures += [f"{max(row.memory):.0f}", str(row.found)]
                written.append([f"{len(text.encode()) / 1000:,.0f} KB {format_.upper()}", row.name, *figures])
    head = ["file", "server", "start CPU", "start wall", "letter CPU", "p95", "letter wall", "p95", "MB", "diagnostics"]
    print("Times in milliseconds, medians where not p95.\n")
    print(measure.table(head, written))


def doubling(keys: int) -> None:
    """Draftlift alone, on files of twice the size each."""
    written = []
    for format_ in ("json", "yaml"):
        for size in (250, 500, 1000, 2000):
            text = workload.text(size * 1000, format_)
            row = Row("draftlift", [*DRAFTLIFT, "serve"], {})
            measure_server(row, text, format_, keys)
            figures = [milliseconds(row.start_cpu), milliseconds(row.key_cpu), milliseconds(row.key_wall)]
            written.append([f"{size:,} KB {format_.upper()}", f"{text.count(chr(10)):,}", *figures])
    print(measure.table(["file", "lines", "start CPU", "letter CPU", "letter wall"], written))


def ended(command: list[str]) -> tuple[float, float]:
    """Wall and CPU seconds of a command that says what it finds to nobody."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cpu = measure.cpu_of_ended(process)
    return time.perf_counter() - started, cpu


def many_files(count: int) -> dict[str, str]:
    """Texts of 5 to 50 KB by their names, half JSON, half YAML."""
    names = [f"{number}.{'yaml' if number % 2 else 'json'}" for number in range(count)]
    return {
        name: workload.text((1 + number // 2 % 10) * 5000, "yaml" if number % 2 else "json")
        for number, name in enumerate(names)
    }


def many_open(files: dict[str, str], rounds: int, folder: Path) -> None:
    """The table of servers in which all the files are opened at once, as for a workspace."""
    written = []
    for format_ in ("json", "yaml"):
        texts = {f"file:///measured/{name}": text for name, text in files.items() if name.endswith(format_)}
        rows = rows_for(format_, folder)
        for _ in range(rounds):
            for row in rows:
                server = Server(row.command, row.settings)
                try:
                    server.initialize()
                    started = server.cpu()
                    for uri, text in texts.items():
                        item = {"uri": uri, "languageId": format_, "version": 1, "text": text}
                        server.notify("textDocument/didOpen", {"textDocument": item})
                    row.found = server.all_diagnostics(set(texts))
                    row.key_cpu.append(server.cpu() - started)
                    row.memory.append(measure.peak_memory(server.process.pid))
                finally:
                    server.end()
        for row in rows:
            cpu = statistics.median(row.key_cpu)
            figures = [f"{cpu:.2f}", f"{len(texts) / cpu:.0f}", f"{max(row.memory):.0f}", str(row.found)]
            written.append([f"{len(texts)} of {format_.upper()}", row.name, *figures])
    print(measure.table(["files", "server", "CPU s", "files/s of CPU", "MB", "diagnostics"], written))


def check(files: dict[str, str], folder: Path, rounds: int) -> None:
    """`draftlift check` on one small file, and over a folder."""
    small = folder / "small.json"
    small.write_text(workload.text(1, "json"), "utf-8")
    many = folder / "many"
    many.mkdir()
    count = len(files)
    size = sum(len(text.encode()) for text in files.values())
    tools = sum(text.count("inputSchema") for text in files.values())
    for name, text in files.items():
        (many / name).write_text(text, "utf-8")
    one = [ended([*DRAFTLIFT, "check", str(small)]) for _ in range(rounds * 2)]
    all_ = [ended([*DRAFTLIFT, "check", str(many)]) for _ in range(rounds)]
    cpu = statistics.median(cpu for _, cpu in all_)
    wall = statistics.median(wall for wall, _ in all_)
    print(f"`draftlift check` on one file of {small.stat().st_size / 1000:.0f} KB: ", end="")
    print(f"{milliseconds([cpu for _, cpu in one])} ms CPU, {milliseconds([wall for wall, _ in one])} ms wall.")
    print(f"Over a folder of {count} files, half JSON, half YAML, {tools:,} tools, {size / 1e6:.1f} MB: ", end="")
    print(f"{cpu:.2f} s CPU, {wall:.2f} s wall; {count / cpu:.0f} files/s of CPU, {count / wall:.0f} files/s.")


def main() -> None:
    """Measure, and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 1000], metavar="KB")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keys", type=int, default=15, help="letters typed a round")
    parser.add_argument("--doubling", action="store_true", help="draftlift alone on 250 KB to 2 MB instead")
    options = parser.parse_args()
    print(f"{measure.machine()}\n")
    ended([*DRAFTLIFT, "rules"])  # warms the caches
    if options.doubling:
        doubling(options.keys)
        return
    with tempfile.TemporaryDirectory() as name:
        servers(options.sizes, options.rounds, options.keys, Path(name))
        print()
        files = many_files(400)
        many_open(files, options.rounds, Path(name))
        print()
        check(files, Path(name), options.rounds)


if __name__ == "__main__":
    main()
