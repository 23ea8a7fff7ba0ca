"""Checkpoints of a training run. They are written atomically and contain no code; the newest two are kept.

The first line of a checkpoint file contains a format name and the SHA-256 checksum of the rest of the file,
which is the output of `torch.save`. The checksum detects damage but not manipulation.
"""

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.gate import read_file

PATTERN = "checkpoint-*.pt"
KEPT = 2
KIND = b"pocketmars-checkpoint-1 "
HEAD_BYTES = len(KIND) + 65
MAX_BYTES = 4 * 2**30
"""Maximum file size in bytes."""


class CheckpointError(RuntimeError):
    """Raised if a checkpoint cannot be written, read or deleted; earlier checkpoints stay intact."""


def save(folder: Path, num_timesteps: int, content: dict[str, Any]) -> Path:
    """Write a checkpoint, and delete all but the newest two; also those that a killed process has begun."""
    path = folder / f"checkpoint-{num_timesteps:012d}.pt"
    write(path, content)
    for old in [*kept(folder)[:-KEPT], *folder.glob(f".{PATTERN}.part")]:
        try:
            old.unlink(missing_ok=True)
        except OSError as error:
            raise CheckpointError(f"cannot delete {old}: {error}") from error
    return path


def num_timesteps_of(path: Path) -> int:
    """Return the number of decisions in a checkpoint's file name."""
    return int(path.stem.removeprefix("checkpoint-"))


def kept(folder: Path) -> list[Path]:
    """Return the paths of a run's checkpoints, the newest last."""
    return sorted(folder.glob(PATTERN))


def write(path: Path, content: dict[str, Any]) -> None:
    """Write tensors and plain data to a file atomically."""
    data = io.BytesIO()
    torch.save(content, data)
    body = data.getvalue()
    try:
        if HEAD_BYTES + len(body) > MAX_BYTES:
            raise OSError(f"{len(body):,} bytes, the limit is {MAX_BYTES - HEAD_BYTES:,}")
        write_whole(path, head_of(body) + body)
    except OSError as error:
        raise CheckpointError(f"cannot write {path}: {error}; earlier checkpoints are kept") from error


def head_of(body: bytes | memoryview) -> bytes:
    """Return the first line of a checkpoint file, which contains a format name and the checksum."""
    return KIND + hashlib.sha256(body).hexdigest().encode() + b"\n"


def read(path: Path) -> dict[str, Any]:
    """Read tensors and plain data from a file without running any code in the file."""
    try:
        data = memoryview(read_file(path, MAX_BYTES))
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error}") from error
    head, body = data[:HEAD_BYTES], data[HEAD_BYTES:]
    if head != head_of(body):
        raise CheckpointError(f"{path} is damaged or is not a checkpoint (wrong SHA-256)")
    try:
        content = torch.load(io.BytesIO(body), map_location="cpu", weights_only=True)
    except Exception as error:  # `torch.load` can raise many types of exception
        raise CheckpointError(f"{path} is damaged or is not a checkpoint ({type(error).__name__})") from error
    if not isinstance(content, dict):
        raise CheckpointError(f"{path} is not a checkpoint: it contains a {type(content).__name__}")
    return content


def restore_newest(folder: Path, load_state_dict: Callable[[dict[str, Any]], None]) -> None:
    """Restore a run from its newest checkpoint."""
    paths = kept(folder)
    if not paths:
        raise CheckpointError(f"{folder} contains no checkpoint to resume from")
    try:
        load_state_dict(read(paths[-1]))
    except Exception as error:  # a checkpoint that does not match the run may raise any exception
        prefix = "" if isinstance(error, CheckpointError) else f"{type(error).__name__} "
        reason = " ".join(str(error).split())
        earlier = (
            f"delete it to resume from {paths[-2].name}" if paths[1:] else "there is no earlier checkpoint"
        )
        raise CheckpointError(f"cannot resume from {paths[-1].name}: {prefix}{reason}; {earlier}") from error
