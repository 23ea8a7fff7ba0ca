"""Messages that tell the user that kernels are being compiled."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.file_proxy import FileProxy

_running: list[str] = []
"""The names of the groups of kernels that this process is compiling, such as ``"rules"``."""


def compiling_now() -> str:
    """Return the name of the group of kernels whose compilation started last, such as ``"rules"``, or ""."""
    return _running[-1] if _running else ""


@contextmanager
def compile_notice(title: str, name: str, seconds: int) -> Iterator[None]:
    """Context manager that prints on stderr that its block compiles kernels, and then how long this took.

    The first message has a spinner if stderr is a terminal on which no Rich progress bar is shown.
    """
    message = f"{title}: compiling the {name}, once for this machine " \
              f"(about {seconds} s on two idle cores, longer on a busy machine)"  # fmt: skip
    console = Console(stderr=True)
    start = time.perf_counter()
    _running.append(name)
    try:
        # Rich supports only one live display at a time, but prints lines above a running progress bar.
        if console.is_terminal and not isinstance(sys.stderr, FileProxy):
            with console.status(message):
                yield
        else:
            print(f"{message} ...", file=sys.stderr, flush=True)
            yield
    finally:
        _running.remove(name)
    elapsed = time.perf_counter() - start
    print(f"{title}: compiled the {name} in {elapsed:.0f} s.", file=sys.stderr, flush=True)
