"""`ObjectLock`, a lock for objects that threads share and that can be copied and pickled."""

import threading
from types import TracebackType


class ObjectLock:
    """A lock for ``with`` statements; copying or unpickling it creates a new, unlocked `ObjectLock`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type["ObjectLock"], tuple[()]]:
        return ObjectLock, ()
