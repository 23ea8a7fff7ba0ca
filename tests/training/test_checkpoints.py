"""Checkpoints are written completely or not at all, the last two are kept, and none can run code."""

import io
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from pocketmars_env.core.files import writing
from pocketmars_training.common import checkpoints
from pocketmars_training.common.checkpoints import CheckpointError
from tests.training.tiny import no_space


def content(number: int) -> dict[str, Any]:
    return {"decisions": number, "policy": {"weight": torch.full((3, 4), float(number))}}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def newest(folder: Path) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    checkpoints.restore_newest(folder, found.append)
    return found[0]


def test_the_newest_two_are_kept(tmp_path: Path) -> None:
    for number in (5, 70, 600, 1_000_000):
        checkpoints.save(tmp_path, number, content(number))
    assert names(tmp_path) == ["checkpoint-000000000600.pt", "checkpoint-000001000000.pt"]
    found = newest(tmp_path)
    assert found["decisions"] == 1_000_000
    assert torch.equal(found["policy"]["weight"], torch.full((3, 4), 1e6))


def half_written(file: Any, content: bytes) -> None:
    file.write(content[: len(content) // 2])
    no_space()


def test_what_a_killed_process_has_begun_is_deleted(tmp_path: Path) -> None:
    (tmp_path / ".checkpoint-000000000007.pt.part").write_bytes(b"begun")
    path = checkpoints.save(tmp_path, 9, {})
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("module", "function", "failing"),
    [(writing, "write_all", half_written), (os, "fsync", no_space), (os, "replace", no_space)],
)
def test_a_full_disk_leaves_the_checkpoints_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any, function: str, failing: Any
) -> None:
    for number in (1, 2):
        checkpoints.save(tmp_path, number, content(number))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with monkeypatch.context() as full:
        full.setattr(module, function, failing)
        with pytest.raises(CheckpointError, match=r"0003.pt: .*No space left"):
            checkpoints.save(tmp_path, 3, content(3))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert newest(tmp_path)["decisions"] == 2


def one_bit(path: Path) -> None:
    """Change a byte of a weight, which only the checksum can detect."""
    data = path.read_bytes()
    place = data.index(torch.full((3, 4), 2.0).numpy().tobytes()) + 3
    path.write_bytes(data[:place] + bytes([data[place] ^ 0x3F]) + data[place + 1 :])


def nothing_to_read(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "garbage": lambda path: path.write_bytes(b"no checkpoint " * 50),
    "empty": lambda path: path.write_bytes(b""),
    "tensor": lambda path: torch.save(torch.zeros(3), path),
    "one_bit": one_bit,
    "nothing_to_read": nothing_to_read,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_named_with_the_one_before_it(tmp_path: Path, damage: Any) -> None:
    checkpoints.save(tmp_path, 1, content(1))
    damage(checkpoints.save(tmp_path, 2, content(2)))
    with pytest.raises(CheckpointError) as caught:
        newest(tmp_path)
    message = str(caught.value)
    assert "checkpoint-000000000002.pt" in message
    assert "checkpoint-000000000001.pt" in message
    assert "\n" not in message
    (tmp_path / "checkpoint-000000000002.pt").unlink()
    assert newest(tmp_path)["decisions"] == 1


def test_a_checkpoint_of_something_else_is_named(tmp_path: Path) -> None:
    def restore(found: dict[str, Any]) -> None:
        torch.nn.Linear(3, 5).load_state_dict(found["policy"])

    checkpoints.save(tmp_path, 2, {"decisions": 2})
    with pytest.raises(CheckpointError, match=r"0002.pt: KeyError 'policy'"):
        checkpoints.restore_newest(tmp_path, restore)
    checkpoints.save(tmp_path, 3, content(3))
    with pytest.raises(CheckpointError, match=r"0003.pt: RuntimeError .*Linear.*0002.pt"):
        checkpoints.restore_newest(tmp_path, restore)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=str(tmp_path)):
        newest(tmp_path)
    with pytest.raises(CheckpointError, match=r"past-1.pt: .*No such file"):
        checkpoints.read(tmp_path / "past-1.pt")


def test_a_file_that_is_too_large_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = checkpoints.save(tmp_path, 1, content(1))
    size = path.stat().st_size
    monkeypatch.setattr(checkpoints, "MAX_BYTES", size)
    assert checkpoints.read(path)["decisions"] == 1
    monkeypatch.setattr(checkpoints, "MAX_BYTES", size - 1)
    with pytest.raises(CheckpointError, match=f"{size:,} bytes"):
        checkpoints.read(path)
    with pytest.raises(CheckpointError, match=str(tmp_path)):  # it could not be read again
        checkpoints.save(tmp_path, 2, content(2))
    assert names(tmp_path) == [path.name]


class Intruder:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self._path,)


@pytest.mark.parametrize("save", [torch.save, lambda thing, file: file.write(pickle.dumps(thing))])
def test_code_in_a_file_is_not_run(tmp_path: Path, save: Any) -> None:
    path, trace, body = tmp_path / "checkpoint-000000000001.pt", tmp_path / "trace", io.BytesIO()
    save({"decisions": 1, "policy": Intruder(trace)}, body)
    for content in (body.getvalue(), checkpoints.head_of(body.getvalue()) + body.getvalue()):
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match=str(tmp_path)):
            checkpoints.read(path)
    assert not trace.exists()
