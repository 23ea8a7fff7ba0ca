"""Atomic writing of files and folders."""

import errno
import io
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pocketmars_env.core.files.file_locks import SECONDS_BETWEEN_TRIES, open_locked

SECONDS_TO_WAIT = 30.0
"""How long `replace_whole` waits, in seconds, for another process that is writing the same file."""
SECONDS_TO_REPLACE = 2.0


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
    """Move a file to `path`; on Windows, wait while another process has one of the two files open."""
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
    """Context manager that yields the folder ``.NAME.part``, and then moves it to `path` or removes it."""
    path = path.absolute()  # libraries may resolve a relative path against a file in the folder
    part = path.with_name(f".{path.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        if path.is_dir():
            path.rmdir()  # raises an OSError unless the folder is empty
        part.rename(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)
