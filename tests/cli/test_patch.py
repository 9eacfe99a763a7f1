"""``fix --diff`` writes what ``git apply`` and ``patch`` make of a file exactly what ``fix`` makes of it."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from draftlift.cli.patch import name_of, patch
from draftlift.text import Edit, apply_edits

from .conftest import Run
from .texts import DRAFT_07, NEW, OLD

JUDGES = [["git", "apply", "-p0", "--whitespace=nowarn", "../p"]]
if shutil.which("patch"):
    JUDGES.append(["patch", "-p0", "-s", "-i", "../p"])

NAMES = (
    "a.json",
    "a b.json",
    "a\tb.json",
    'q"x.json',
    "é ü.json",
    "back\\slash.json",
    "nl\nx.json",
    " lead.json",
    "d/e.json",
)
ALPHABETS = ("ab\n", "a\n\n\n", "a\r\n\u2028\u0085", "ab\r", "x\x0c\x1c\n\n", "\ufeffé\n\r\n")


def apply(folder: Path, name: str, before: bytes, changes: bytes, after: bytes) -> None:
    """Have each judge apply the changes in a folder of its own."""
    for number, judge in enumerate(JUDGES):
        at = folder / str(number) / "in"
        path = at / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before)
        (at.parent / "p").write_bytes(changes)
        done = subprocess.run(judge, cwd=at, capture_output=True, check=False)
        assert done.returncode == 0, (judge, done.stdout + done.stderr, changes)
        assert (path.read_bytes() if path.exists() else b"") == after, (judge, changes)


@pytest.mark.parametrize("seed", range(40))
def test_the_patch_of_any_edits_applies(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    alphabet = ALPHABETS[seed % len(ALPHABETS)]

    def some(most: int) -> str:
        return "".join(dice.choice(alphabet) for _ in range(dice.randrange(most)))

    text = some(dice.choice([2, 4, 30, 200]))
    cuts = sorted(dice.randrange(len(text) + 1) for _ in range(2 * dice.randrange(1, 5)))
    edits = [Edit(start, dice.choice([start, end]), some(4)) for start, end in zip(cuts[::2], cuts[1::2], strict=True)]
    after = apply_edits(text, edits)
    name = NAMES[seed % len(NAMES)]
    changes = patch(name_of(Path(name), name), text, edits)
    if after == text:
        assert changes == b""
    else:
        apply(tmp_path, name, text.encode(), changes, after.encode())


@pytest.mark.parametrize(
    "text",
    [
        OLD,
        OLD.rstrip(),
        "\ufeff" + OLD,
        OLD.replace(", ", ",\n"),
        OLD.replace(", ", ",\r\n"),
        OLD.replace(", ", ",\r"),
        OLD.replace(", ", ",\r").rstrip(),
        OLD.replace('"a"', '"x\u2028y\u0085z"').replace(", ", ",\n"),
        f"# \u2029\nname: a\ninputSchema:\n  $schema: {DRAFT_07}\n  type: object\n  items:\n  - {{}}",
        f"name: a\r\ninputSchema:\r\n  $schema: {DRAFT_07}\r\n  type: object\r\n  items:\r\n  - {{}}\r\n",
    ],
)
def test_the_patch_is_what_fix_does(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    name = "a b.json" if "{" in text[:5] else "a b.yaml"
    path = tmp_path / name
    path.write_bytes(text.encode())
    monkeypatch.chdir(tmp_path)
    for named in (name, "./" + name, path):
        changes = run("fix", "--diff", named).out.encode()
        assert changes.startswith(f"--- {name}\t\n+++ {name}\t\n@@ ".encode())
    assert path.read_bytes() == text.encode()
    assert run("fix", name).status == 0
    apply(tmp_path, name, text.encode(), changes, path.read_bytes())


def test_a_patch_names_what_a_link_leads_to(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real.json").write_text(OLD)
    (tmp_path / "link.json").symlink_to("real.json")
    monkeypatch.chdir(tmp_path)
    assert run("fix", "--diff", "link.json").out.startswith("--- real.json\n+++ real.json\n")


def test_utf_16_is_no_text_for_a_patch(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(OLD.encode("utf-16"))
    done = run("fix", "--diff", path)
    assert (done.status, done.out) == (2, "")
    assert "no patch can carry; run 'draftlift fix' without --diff" in done.err
    path.write_bytes(NEW.encode("utf-16"))
    assert run("fix", "--diff", path).status == 0


def test_far_changes_have_hunks_of_their_own() -> None:
    text = "".join(f"{number}\n" for number in range(20))
    edits = [Edit(0, 1, "x"), Edit(text.index("7\n"), text.index("7\n") + 1, "y"), Edit(len(text), len(text), "z")]
    assert patch(b"n", text, edits).decode() == (
        "--- n\n+++ n\n@@ -1,11 +1,11 @@\n-0\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n-7\n+y\n 8\n 9\n 10\n"
        "@@ -18,3 +18,4 @@\n 17\n 18\n 19\n+z\n\\ No newline at end of file\n"
    )
