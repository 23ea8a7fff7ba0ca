"""Ctrl-C in long-running programs."""

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def sigint_ignored() -> Iterator[None]:
    """Ignore SIGINT, which only the main thread can change; new processes inherit that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def interruptible(events: Iterable[T]) -> Iterator[T]:
    """Yield the same events, and stop at Ctrl-C even if Python has dropped its exception.

    Python prints and drops an exception that is raised while it deletes an object. A Ctrl-C that arrives at
    such a moment is not printed; it is raised again before the next event.

    Raises:
        KeyboardInterrupt: at Ctrl-C.

    """
    is_dropped = False
    earlier = sys.unraisablehook

    def remember(dropped: "sys.UnraisableHookArgs") -> None:
        nonlocal is_dropped
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            is_dropped = True
        else:
            earlier(dropped)

    sys.unraisablehook = remember
    try:
        for event in events:
            if is_dropped:
                raise KeyboardInterrupt
            yield event
    finally:
        sys.unraisablehook = earlier
    if is_dropped:
        raise KeyboardInterrupt
