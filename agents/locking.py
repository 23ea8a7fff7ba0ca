"""Keeps a second process out of a file for as long as this one has it open."""

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    FAR_AWAY = 2**40
    """A byte behind every content: Windows lets nobody read what is locked."""

    def lock(file: BinaryIO) -> bool:
        """Lock an open file until it is closed or the process ends; False if another one has it."""
        place = file.tell()
        file.seek(FAR_AWAY)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(place)
        return True

else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """Lock an open file until it is closed or the process ends; False if another one has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
