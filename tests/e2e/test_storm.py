"""A living server under half-typed, mutilated and hostile texts: an answer to each, nothing logged, exit code 0."""

from __future__ import annotations

import os
import random

from e2e.rpc import Client
from laws.test_robustness import EXAMPLES, HOSTILE, PIECES, language_of

ROUNDS = int(os.environ.get("DRAFTLIFT_STORM", "150"))


def test_a_storm() -> None:
    rng = random.Random(7)
    samples = [(path.read_text("utf-8"), language_of(path)) for path in EXAMPLES]
    texts = [
        (text, language) for text, language in HOSTILE if "\ud800" not in text
    ]  # what is not Unicode cannot be sent
    for _ in range(ROUNDS):
        text, language = rng.choice(samples)
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at]
        elif kind == 1:
            text = text[:at] + text[at + rng.randrange(1, 40) :]
        elif kind == 2:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        else:
            other = rng.choice(samples)[0]
            text = text[:at] + other[rng.randrange(len(other)) :][:200] + text[at:]
        texts.append((text, language))
    with Client() as client:
        client.initialize()
        for number, (text, language) in enumerate(texts):
            uri = f"untitled:storm-{number % 20}"
            client.open(uri, text, language, version=number)
            for diagnostic in client.diagnostics(uri, number)[:2]:
                client.hover(uri, diagnostic["range"]["start"])
                client.actions(uri, diagnostic["range"], [diagnostic])
            client.close(uri)
        assert client.messages("window/logMessage") == []
        assert client.messages("window/showMessage") == []
        assert client.shut_down() == 0
    assert client.stderr == b""
