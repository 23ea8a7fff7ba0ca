"""`ObjectLock`, a lock for objects that threads share and that can be copied and pickled."""

import threading


class ObjectLock:
    """A holder of a lock; copying or unpickling it creates a new holder with an unlocked lock.

    Attributes:
        lock: the lock, for ``with`` statements.

    """

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __reduce__(self) -> tuple[type["ObjectLock"], tuple[()]]:
        return ObjectLock, ()
