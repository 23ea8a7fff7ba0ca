"""A file or a folder is written completely or not at all."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pocketmars_env.core.files.file_locks import open_locked
from pocketmars_env.core.files.writing import whole_folder, write_whole


def test_a_file_is_made_with_its_folder_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    for content in (b"first", b"second"):
        write_whole(path, content)
        assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_whole(path, b"first")

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="the disk is full"):
        write_whole(path, b"second")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_only_a_regular_file_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("/dev/null")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    for name in ("fifo", "link", "folder"):
        with pytest.raises(OSError) as caught:  # noqa: PT011  # the file is checked below
            write_whole(tmp_path / name, b"content")
        assert caught.value.filename == str(tmp_path / name)
    assert sorted(tmp_path.iterdir()) == before


def test_what_a_killed_writer_left_is_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / ".file.part").write_bytes(b"a longer content that was not finished")
    write_whole(path, b"whole")
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


WRITE = """
import sys
from pathlib import Path
from pocketmars_env.core.files.writing import write_whole
for number in range(300):
    write_whole(Path(sys.argv[1]), sys.argv[2].encode() * 100_000)
"""


def test_two_processes_may_write_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, str(path), letter]) for letter in "ab"]
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            assert path.read_bytes() in (b"a" * 100_000, b"b" * 100_000)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert list(tmp_path.iterdir()) == [path]


# --- folders ----------------------------------------------------------------------------------------


def test_a_folder_comes_whole(tmp_path: Path) -> None:
    place = tmp_path / "new" / "place"
    with whole_folder(place) as folder:
        (folder / "file").write_text("content")
        assert not place.exists()
    assert (place / "file").read_text() == "content"
    assert list(place.parent.iterdir()) == [place]


def test_an_empty_folder_is_replaced_and_no_other(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    with whole_folder(place) as folder:
        (folder / "first").touch()
    with pytest.raises(OSError) as caught, whole_folder(place) as folder:  # noqa: PT011
        (folder / "second").touch()
    assert caught.value.errno == errno.ENOTEMPTY
    assert [path.name for path in place.iterdir()] == ["first"]
    assert list(tmp_path.iterdir()) == [place]


def test_what_a_killed_process_left_of_a_folder_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".place.part").mkdir()
    (tmp_path / ".place.part" / "half").touch()
    with whole_folder(tmp_path / "place") as folder:
        (folder / "whole").touch()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["place", "whole"]


# --- locks ------------------------------------------------------------------------------------------


def test_a_lock_is_on_the_file_that_has_the_name_now(tmp_path: Path) -> None:
    path = tmp_path / "file"
    first = open_locked(path)
    assert first is not None
    start = time.monotonic()
    assert open_locked(path, seconds=0.1) is None
    assert time.monotonic() - start >= 0.1
    path.unlink()
    second = open_locked(path)
    assert second is not None
    first.close()
    assert open_locked(path) is None
    second.close()
