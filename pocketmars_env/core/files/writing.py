"""Atomic writing of files and folders, and removal of temporary folders left by killed processes."""

import errno
import hashlib
import io
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pocketmars_env.core.files.file_locks import SECONDS_BETWEEN_TRIES, open_locked

SECONDS_TO_WAIT = 30.0
"""How long `replace_whole` waits, in seconds, for another process that is writing the same file."""
SECONDS_TO_REPLACE = 2.0
WORKSPACE = re.compile(r"\.pocketmars-[0-9a-f]{16}")
LOCK, CONTENT = "lock", "content"
"""The names of the lock file and the content folder in a workspace; see `whole_folder`."""


# --- files ------------------------------------------------------------------------------------------


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically; see `replace_whole` for the temporary file and the errors."""
    replace_whole(path, lambda: content)


def replace_whole(path: Path, content: Callable[[], bytes]) -> None:
    """Write a file atomically, through a temporary file in the same folder; missing folders are created.

    `content` returns the new content. While it runs, no other process can write the file with this function,
    so the new content may depend on the old. If `content` raises an exception, the file remains unchanged.

    For a file ``NAME``, the temporary file is always ``.NAME.part``. If a killed process leaves its temporary
    file behind, the next write reuses that file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_replaceable(path)
        part = path.with_name(f".{path.name}.part")
        file = open_locked(part, SECONDS_TO_WAIT)
        if file is None:
            raise OSError(errno.EBUSY, "another process is writing it")
        with file:
            try:
                file.truncate(0)
                write_all(file, content())
                os.fsync(file.fileno())
                if sys.platform == "win32":
                    file.close()  # Windows cannot move an open file
                replace(part, path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
    except OSError as error:
        if error.errno is not None:
            error.filename, error.filename2 = str(path), None
        raise


def replace(part: Path, path: Path) -> None:
    """Move a file to `path`, replacing the file there.

    On Windows, wait up to `SECONDS_TO_REPLACE` while another process has one of the two files open.
    """
    end = time.monotonic() + (SECONDS_TO_REPLACE if sys.platform == "win32" else 0.0)
    while True:
        try:
            os.replace(part, path)
        except PermissionError:
            if time.monotonic() >= end:
                raise
            time.sleep(SECONDS_BETWEEN_TRIES)
        else:
            return


def write_all(file: io.FileIO, content: bytes) -> None:
    """Write all bytes, in several calls if needed, because `FileIO.write` may write only some of them."""
    remaining = memoryview(content)
    while remaining:
        remaining = remaining[file.write(remaining) or 0 :]


def check_replaceable(path: Path) -> None:
    """Raise an OSError if the path exists and is not a regular file."""
    if path.exists() and not path.is_file():
        number = errno.EISDIR if path.is_dir() else errno.EINVAL
        raise OSError(number, "it is a folder" if path.is_dir() else "not a regular file", str(path))


# --- folders ----------------------------------------------------------------------------------------


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Context manager that yields a temporary folder, then moves it to `path`, or removes it on an error.

    The temporary folder is created in a hidden folder, the workspace. The workspace is in the nearest
    existing parent folder of `path`, so missing parent folders are created only at the end. If the process
    is killed, its workspace remains until the next call whose workspace is in the same parent folder.
    """
    path = path.absolute()
    parent = next(folder for folder in path.parents if folder.exists())
    remove_abandoned(parent)
    workspace = parent / f".pocketmars-{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"
    lock = enter_workspace(workspace)
    if lock is None:
        raise FileExistsError(errno.EEXIST, "another process is writing it", str(path))
    try:
        content = workspace / CONTENT
        content.mkdir()
        yield content
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            path.rmdir()  # raises an OSError unless the folder is empty
        content.rename(path)
    finally:
        leave_workspace(workspace, lock)


def enter_workspace(workspace: Path) -> io.FileIO | None:
    """Create a workspace if needed, lock it, and remove its content folder."""
    while True:
        workspace.mkdir(exist_ok=True)
        try:
            lock = open_locked(workspace / LOCK)
        except FileNotFoundError:  # the owner of the workspace has just removed it
            continue
        if lock is not None:
            shutil.rmtree(workspace / CONTENT, ignore_errors=True)
        return lock


def leave_workspace(workspace: Path, lock: io.FileIO) -> None:
    """Remove a workspace while holding its lock, so that no other process can enter it in the meantime.

    On Windows, the lock is released before the lock file and the workspace's folder are removed.
    """
    shutil.rmtree(workspace / CONTENT, ignore_errors=True)
    with lock, suppress(OSError):
        if sys.platform == "win32":
            lock.close()  # Windows cannot remove an open file
        (workspace / LOCK).unlink()
        workspace.rmdir()


def remove_abandoned(folder: Path) -> None:
    """Remove the workspaces that killed processes have left behind in a folder."""
    with suppress(OSError):  # the folder may be unreadable
        for workspace in folder.iterdir():
            if WORKSPACE.fullmatch(workspace.name) and set(os.listdir(workspace)) <= {LOCK, CONTENT}:
                lock = enter_workspace(workspace)
                if lock is not None:
                    leave_workspace(workspace, lock)
