"""What becomes of files: none is lost, cut from its other names or written outside of what was named; none holds us up."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from draftlift.analysis import analyse
from draftlift.cli import files, fixing
from draftlift.files import UnreadableError, is_of_folder, of_folder, read_bytes

from .conftest import Run
from .texts import LATIN_1, NEW, NULL, OLD

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def checked(run: Run, *arguments: str | Path) -> list[str]:
    return [file["path"] for file in json.loads(run("check", "--format", "json", *arguments).out)["files"]]


# -- what is written ---------------------------------------------------------------------------------------------------


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Something that happens after a file was read and before it is written."""

    def set_up(happens: Callable[[], object]) -> None:
        def analysed(*arguments: Any) -> Any:
            happens()
            return analyse(*arguments)

        monkeypatch.setattr(fixing, "analyse", analysed)

    return set_up


@pytest.mark.parametrize("linked", [False, True])
def test_a_file_that_changed_meanwhile_is_left_alone(run: Run, tmp_path: Path, meanwhile: Any, linked: bool) -> None:
    path, other = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text(OLD)
    other.write_text(OLD)
    if linked:
        os.link(path, tmp_path / "other name")
    meanwhile(lambda: path.write_text(OLD.replace('"a"', '"b"')))
    done = run("fix", path, other)
    assert (done.status, done.err.splitlines()[0]) == (
        2,
        f"draftlift: {path}: changed meanwhile and was left alone; run again",
    )
    assert path.read_text() == OLD.replace('"a"', '"b"')
    assert other.read_text() == NEW
    assert not list(tmp_path.glob(".draftlift-*"))


def test_a_file_of_the_same_size_and_time_has_changed_all_the_same(run: Run, tmp_path: Path, meanwhile: Any) -> None:
    path = tmp_path / "a.json"
    path.write_text(OLD)
    status = path.stat()

    def save() -> None:
        path.write_text(OLD.replace('"a"', '"b"'))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    meanwhile(save)
    assert run("fix", path).status == 2
    assert path.read_text() == OLD.replace('"a"', '"b"')


def test_a_file_that_went_meanwhile_does_not_come_back(run: Run, tmp_path: Path, meanwhile: Any) -> None:
    path = tmp_path / "a.json"
    path.write_text(OLD)
    meanwhile(lambda: path.unlink(missing_ok=True))
    assert run("fix", path).status == 2
    assert list(tmp_path.iterdir()) == []


def test_one_bad_file_does_not_end_a_fix(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "c", "e"):
        (tmp_path / f"{name}.json").write_text(OLD)
    (tmp_path / "b.json").write_bytes(LATIN_1)
    (tmp_path / "d.json").write_text(OLD)
    real = files.write

    def write(source: files.Source, text: str) -> None:
        if source.name.endswith("d.json"):
            raise files.UnwritableError(f"{source.name}: cannot be written: No space left on device")
        real(source, text)

    monkeypatch.setattr("draftlift.cli.commands.write", write)
    done = run("fix", tmp_path / "nowhere.json", tmp_path)
    assert done.status == 2
    assert [line for line in done.err.splitlines() if line.startswith("draftlift: ")] == [
        f"draftlift: {tmp_path / 'nowhere.json'}: no such file or folder",
        f"draftlift: {tmp_path / 'b.json'}: is not valid UTF-8 (byte 13); save the file as UTF-8",
        f"draftlift: {tmp_path / 'd.json'}: cannot be written: No space left on device",
    ]
    assert done.err.endswith("In 3 files: 3 schemas translated to 2020-12.\n")
    assert [(tmp_path / f"{name}.json").read_text() for name in "acde"] == [NEW, NEW, OLD, NEW]


def test_a_read_only_file_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(OLD)
    path.chmod(0o444)
    done = run("fix", path)
    assert done.status == 2
    assert done.err == f"draftlift: {path}: is read-only and was left alone; make it writable if it is yours to edit\n"
    assert path.read_text() == OLD
    assert run("fix", "--diff", path).status == 1
    path.chmod(0o644)
    assert run("fix", path).status == 0


def test_hard_links_stay_one_file(run: Run, tmp_path: Path) -> None:
    path, other = tmp_path / "a.json", tmp_path / "b"
    path.write_text(OLD + " " * 1000)  # and shorter names of dialects leave nothing behind
    os.link(path, other)
    assert run("fix", path).status == 0
    assert other.read_text() == NEW + " " * 1000
    assert path.samefile(other)


@posix_only
def test_what_belongs_to_a_file_stays(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(OLD)
    path.chmod(0o604)
    attributes = {}
    if sys.platform == "linux":
        with suppress(OSError):  # not every file system has any
            os.setxattr(path, "user.draftlift", b"kept")
            attributes["user.draftlift"] = b"kept"
    if os.geteuid() == 0:
        os.chown(path, 12345, 54321)
    before = path.stat()
    assert run("fix", path).status == 0
    after = path.stat()
    assert path.read_text() == NEW
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert after.st_mtime_ns >= before.st_mtime_ns
    if sys.platform == "linux":
        assert {name: os.getxattr(path, name) for name in attributes} == attributes


@pytest.mark.parametrize("number", [errno.EACCES, errno.EBUSY])
def test_where_no_new_file_can_be_put_the_old_one_is_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "a.json"
    path.write_text(OLD)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "replace", refuse)
    inode = path.stat().st_ino
    assert run("fix", path).status == 0
    assert (path.read_text(), path.stat().st_ino) == (NEW, inode)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("linked", [False, True])
def test_a_full_disk_costs_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linked: bool) -> None:
    path = tmp_path / "a.json"
    path.write_text(OLD)
    if linked:
        os.link(path, tmp_path / "b")
        real = files._fill

        def fill(file: Any, content: bytes) -> None:
            if content != OLD.encode():
                file.write(content[:30])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(file, content)

        monkeypatch.setattr(files, "_fill", fill)
    else:

        def no_room(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr("tempfile.mkstemp", no_room)
    done = run("fix", path)
    assert (done.status, done.err) == (
        2,
        f"draftlift: {path}: cannot be written: {os.strerror(errno.ENOSPC)}\n",
    )
    assert path.read_text() == OLD


@pytest.mark.parametrize("name", ["x" * 250 + ".json", "-.json", "a b\tc.json", "é.json"])
def test_a_file_of_any_name_is_written(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(OLD)
    assert run("fix", tmp_path).status == 0
    assert path.read_text() == NEW


# -- links -------------------------------------------------------------------------------------------------------------


def test_a_folder_is_a_border(run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "in side.json"  # begins like the folder
    outside.write_text(OLD)
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "real.txt").write_text(OLD)
    (folder / "up.json").symlink_to(Path("..", "in side.json"))
    (folder / "sub" / "up.json").symlink_to(folder / "up.json")
    (folder / "inside.json").symlink_to(Path("..", "in", "real.txt"))
    (folder / "nothing.json").symlink_to("nowhere.json")
    (folder / "loop.json").symlink_to("loop.json")
    (folder / "tree").symlink_to(tmp_path, target_is_directory=True)
    (folder / "tree.json").symlink_to(tmp_path, target_is_directory=True)
    alias = tmp_path / "alias"
    alias.symlink_to(folder, target_is_directory=True)
    for named in (folder, alias):
        assert checked(run, named) == [str(named / "inside.json")]
    assert [is_of_folder(path, folder) for path in sorted(folder.glob("*.json"))] == [True, False, False, False, False]
    assert run("fix", folder).status == 0
    assert outside.read_text() == OLD
    assert (folder / "inside.json").is_symlink()
    assert (folder / "real.txt").read_text() == NEW
    assert run("fix", folder / "up.json").status == 0  # what is named is meant
    assert (folder / "up.json").is_symlink()
    assert outside.read_text() == NEW


def test_a_file_is_told_of_once(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_text(NULL)
    (tmp_path / "b.json").symlink_to(path)
    monkeypatch.chdir(tmp_path)
    names = ("a.json", ".", path, "./a.json", tmp_path, "b.json", "../" + tmp_path.name)
    assert checked(run, *names) == ["a.json"]
    assert checked(run, *reversed(names)) == [f"../{tmp_path.name}/a.json"]
    done = run("check", "-", "-", stdin=NULL)
    assert done.out.endswith("Found 1 error.\n")


# -- what is no file ---------------------------------------------------------------------------------------------------


@posix_only
def test_pipes_and_sockets_hold_nobody_up(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.json")
    os.mkfifo(".gitignore")
    Path(".git").mkdir()
    with socket.socket(socket.AF_UNIX) as at:
        at.bind("socket.json")
        Path("a.json").write_text(NULL)
        assert checked(run, ".") == ["a.json"]
        for name in ("pipe.json", "socket.json", "/dev/null"):
            for command in ("check", "fix", "normalize"):
                done = run(command, name)
                assert done.status == 2
                assert done.err.startswith(f"draftlift: {name}: is a pipe or a device, not a file")


def test_a_link_to_itself_is_an_unreadable_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "loop.json"
    path.symlink_to(path)
    done = run("check", path)
    assert done.status == 2
    assert done.err.startswith(f"draftlift: {path}: ")


def test_a_folder_that_cannot_be_listed_costs_itself(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.json").write_text(OLD)
    real = os.scandir

    def scandir(path: Any) -> Any:
        if Path(path).name == "b":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)  # root may read everything
    done = run("check", tmp_path)
    assert done.status == 2
    assert done.err == f"draftlift: {tmp_path / 'b'}: cannot be read: Permission denied\n"
    assert done.out.count("legacy-dialect") == 2
    assert run("fix", tmp_path).status == 2
    assert [(tmp_path / name / "t.json").read_text() for name in "abc"] == [NEW, OLD, NEW]


def test_a_file_that_goes_while_it_is_looked_for(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_text(NULL)
    (tmp_path / "b.json").write_text(NULL)

    def gone(asked: Path) -> bytes:
        path.unlink(missing_ok=True)
        return read_bytes(asked)

    monkeypatch.setattr(files, "read_bytes", gone)
    done = run("check", tmp_path)
    assert (done.status, done.err) == (1, "")
    assert "b.json" in done.out
    assert run("check", path).status == 2  # of one that was named it is told


def test_an_unreadable_file_of_a_folder_is_told_of(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text(NULL)
    (tmp_path / "b.json").write_text(NULL)

    def read(path: Path) -> bytes:
        if path.name == "a.json":
            raise UnreadableError(f"{path}: cannot be read: Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(files, "read_bytes", read)
    done = run("check", tmp_path)
    assert (done.status, done.err) == (2, f"draftlift: {tmp_path / 'a.json'}: cannot be read: Permission denied\n")
    assert "b.json" in done.out


def test_of_standard_input_that_is_closed(tmp_path: Path) -> None:
    code = "import sys; sys.stdin = None; from draftlift.cli import main; sys.exit(main(sys.argv[1:]))"
    for command in (["check", "-"], ["fix", "-"], ["normalize", "-"], ["normalize", "--lines"]):
        done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (2, "draftlift: standard input cannot be read: it is closed\n")


# -- ignore files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ignored", "names"),
    [
        (b"\xef\xbb\xbfa.json\n", ["a.json"]),
        (b"a.json\r\nb.json\r\n", ["a.json", "b.json"]),
        (b"b.json", ["b.json"]),
        ("x\u2028b.json\n".encode(), ["x\u2028b.json"]),
        (b"x\x0cb.json\nx\x1cb.json\nx\x85b.json\n", []),
        (b"\xff\nb.json\n", ["b.json"]),
        (b"x\rb.json\n", []),
    ],
)
def test_an_ignore_file_is_read_as_git_reads_it(run: Run, tmp_path: Path, ignored: bytes, names: list[str]) -> None:
    every = ["a.json", "b.json", "x\u2028b.json"]
    for name in every:
        (tmp_path / name).write_text(NULL)
    (tmp_path / ".gitignore").write_bytes(ignored)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for name in every:
        judged = subprocess.run(["git", "check-ignore", "-q", name], cwd=tmp_path, check=False).returncode == 0
        assert judged == (name in names), name
    assert [Path(path).name for path in checked(run, tmp_path)] == [name for name in every if name not in names]


def test_a_large_tree_is_walked_in_order(tmp_path: Path) -> None:
    for name in ("b/c.json", "a.json", "b/a/z.yaml", "c.yml", "b.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    problems: list[UnreadableError] = []
    found = [path.relative_to(tmp_path).as_posix() for path in of_folder(tmp_path, unreadable=problems.append)]
    assert problems == []
    assert found == ["a.json", "b.json", "c.yml", "b/c.json", "b/a/z.yaml"]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot be read"):
        read_bytes(tmp_path)
