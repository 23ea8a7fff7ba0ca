"""A lock for objects that are shared by threads, copied and pickled."""

import threading
from types import TracebackType


class ObjectLock:
    """A context manager that holds a `threading.Lock`; a copied or unpickled object has a new, free lock."""

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
