"""Ten thousand edits of one server: the memory after them beside that after the first thousand.

    python benchmarks/soak.py [EDITS]

Edits are typed and taken back in turn, in JSON and in YAML, inside tools and outside of them, in short and in long texts, and some break the text.
Exit status 1 where memory grew by more than a tenth.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from draftlift.text import Edit, LineIndex, apply_edits
from e2e.rpc import Client
from e2e.test_following_edits import large
from e2e.test_long_documents import long_json, long_yaml


def main() -> int:
    """Run the edits and compare; the exit status."""
    edits = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    rng = random.Random(1)
    texts = {
        "untitled:soak.json": large("json"),
        "untitled:soak.yaml": large("yaml"),
        "untitled:long.json": long_json(400),  # so long that it is looked at beside the event loop
        "untitled:long.yaml": long_yaml(400),
    }
    with Client() as client:
        client.initialize()
        for uri, text in texts.items():
            client.open(uri, text, uri.rpartition(".")[2])
            client.diagnostics(uri)
        started, early = time.monotonic(), 0.0
        undo: dict[str, Edit] = {}
        for number in range(2, edits + 2):
            uri = rng.choice(list(texts))
            edit = undo.pop(uri, None)
            if edit is None:
                at = rng.randrange(len(texts[uri]))
                new_text = rng.choice(["x", "xy", " ", '"', "{", "\n", "😀", "- "])
                edit = Edit(at, at, new_text)
                undo[uri] = Edit(at, at + len(new_text), "")
            index = LineIndex(texts[uri])
            start, end = index.position(edit.start, "utf-16"), index.position(edit.end, "utf-16")
            place = {"start": start._asdict(), "end": end._asdict()}
            client.change(uri, number, {"range": place, "text": edit.new_text})
            texts[uri] = apply_edits(texts[uri], [edit])
            client.diagnostics(uri, number)
            client.published.clear()
            client.said.clear()
            if number == 1_000:
                early = megabytes(client.process_id)
        late = megabytes(client.process_id)
        status = client.shut_down()
    seconds = time.monotonic() - started
    print(f"{edits} edits in {seconds:.0f} s; {early:.1f} MB after 1,000, {late:.1f} MB after all; exit {status}")
    return int(late > early * 1.1 or status != 0)


def megabytes(process_id: int) -> float:
    """The resident memory of a process (Linux)."""
    pages = int(Path(f"/proc/{process_id}/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


if __name__ == "__main__":
    sys.exit(main())
