"""Checkpoints of a run: written whole or not at all, the last two kept, no code in them.

A file begins with a line: what it is, and the SHA-256 of all that follows, which is PyTorch's. That finds
damage, not forgery: who changes the content can change the line too.
"""

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from pocketmars_env.core.files.reading import read_file
from pocketmars_env.core.files.writing import write_whole

PATTERN = "checkpoint-*.pt"
KEPT = 2
KIND = b"pocketmars-checkpoint-1 "
HEAD_BYTES = len(KIND) + 65
MAX_BYTES = 4 * 2**30
"""Of a file."""


class CheckpointError(RuntimeError):
    """A checkpoint could not be written or read; the ones before it are as they were."""


def save(folder: Path, decisions: int, content: dict[str, Any]) -> Path:
    """Write a checkpoint, and delete all but the newest two.

    Args:
        folder: of the run.
        decisions: how many have been made.
        content: tensors and plain data.

    Raises:
        CheckpointError: if it cannot be written, such as on a full disk.

    """
    path = folder / f"checkpoint-{decisions:012d}.pt"
    write(path, content)
    for old in kept(folder)[:-KEPT]:
        old.unlink()
    return path


def kept(folder: Path) -> list[Path]:
    """The checkpoints of a run, the newest last."""
    return sorted(folder.glob(PATTERN))


def write(path: Path, content: dict[str, Any]) -> None:
    """Write tensors and plain data to a file, whole or not at all.

    Raises:
        CheckpointError: if it cannot be written.

    """
    data = io.BytesIO()
    torch.save(content, data)
    body = data.getvalue()
    try:
        if HEAD_BYTES + len(body) > MAX_BYTES:
            raise OSError(f"{len(body):,} bytes, accepted are at most {MAX_BYTES - HEAD_BYTES:,}")
        write_whole(path, head_of(body) + body)
    except OSError as error:
        raise CheckpointError(f"cannot write {path}: {error}; what was written before is kept") from error


def head_of(body: bytes | memoryview) -> bytes:
    """The first line of a file."""
    return KIND + hashlib.sha256(body).hexdigest().encode() + b"\n"


def read(path: Path) -> dict[str, Any]:
    """Tensors and plain data from a file; no code in it is run.

    Raises:
        CheckpointError: if it cannot be read, is larger than `MAX_BYTES`, or is damaged.

    """
    try:
        data = memoryview(read_file(path, MAX_BYTES))
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error}") from error
    head, body = data[:HEAD_BYTES], data[HEAD_BYTES:]
    if head != head_of(body):
        raise CheckpointError(f"{path} is damaged, or no checkpoint (its SHA-256 is another one)")
    try:
        content = torch.load(io.BytesIO(body), weights_only=True)
    except Exception as error:  # PyTorch raises whatever its unpickler and zip reader do
        raise CheckpointError(f"{path} is damaged, or no checkpoint ({type(error).__name__})") from error
    if not isinstance(content, dict):
        raise CheckpointError(f"{path} is no checkpoint: it holds a {type(content).__name__}")
    return content


def restore_newest(folder: Path, restore: Callable[[dict[str, Any]], None]) -> None:
    """Take up the newest checkpoint.

    Args:
        folder: of the run.
        restore: takes its content.

    Raises:
        CheckpointError: if there is none, or it is damaged or of something else; names the one before it.

    """
    paths = kept(folder)
    if not paths:
        raise CheckpointError(f"{folder} holds no checkpoint to resume from")
    try:
        restore(read(paths[-1]))
    except Exception as error:  # taking up a checkpoint of something else may raise anything
        kind = "" if isinstance(error, CheckpointError) else f"{type(error).__name__} "
        reason = " ".join(str(error).split())
        earlier = f"delete it to resume from {paths[-2].name}" if paths[1:] else "there is none before it"
        raise CheckpointError(f"cannot resume from {paths[-1].name}: {kind}{reason}; {earlier}") from error
