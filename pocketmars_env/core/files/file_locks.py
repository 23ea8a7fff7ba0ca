"""File locks that the operating system releases when the process ends, even if it is killed."""

import io
import os
import sys
import time
from pathlib import Path

SECONDS_BETWEEN_TRIES = 0.01

if sys.platform == "win32":
    import msvcrt

    FAR_AWAY = 2**40
    """The offset of the locked byte: beyond any content, because no other process can read a locked byte."""

    def lock(file: io.FileIO) -> bool:
        """Lock a file until it is closed or the process ends; return False if it is already locked."""
        position = file.tell()
        file.seek(FAR_AWAY)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(position)
        return True

else:
    import fcntl

    def lock(file: io.FileIO) -> bool:
        """Lock a file until it is closed or the process ends; return False if it is already locked.

        Raises:
            OSError: if the file system does not support locks.

        """
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def open_to_write(path: Path, *extra_flags: str) -> io.FileIO:
    """Open a file for reading and writing, creating it if needed; opening a FIFO does not block."""
    flags = os.O_RDWR | os.O_CREAT
    for name in ("O_BINARY", "O_NONBLOCK", *extra_flags):
        flags |= getattr(os, name, 0)
    return io.FileIO(os.open(path, flags, 0o644), "r+")


def open_locked(path: Path, seconds: float = 0.0) -> io.FileIO | None:
    """Open and lock a file, creating it if needed; None if another process keeps it locked for `seconds`.

    If the file is moved or removed before it is locked, the function tries again.
    """
    end = time.monotonic() + seconds
    while True:
        file = open_to_write(path, "O_NOFOLLOW")
        is_locked = lock(file)
        if is_locked and is_at(file, path):
            return file
        file.close()
        if not is_locked:
            if time.monotonic() >= end:
                return None
            time.sleep(SECONDS_BETWEEN_TRIES)


def is_at(file: io.FileIO, path: Path) -> bool:
    """Return whether an open file is the one at `path`."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
