"""Messages to the user while kernels are being compiled."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.file_proxy import FileProxy

_running: list[str] = []
"""The names of the kernels that the threads of this process are compiling, such as ``"rules"``."""


def compiling_now() -> str:
    """The name of the kernels being compiled (those begun last), such as ``"rules"``; empty if none are."""
    return _running[-1] if _running else ""


@contextmanager
def compile_notice(title: str, what: str, seconds: int) -> Iterator[None]:
    """Context manager that shows on stderr that its block compiles kernels, and then how long this took.

    The first message has a spinner if stderr is a terminal that shows no Rich progress bar.

    Args:
        title: the title of the game.
        what: the name of the kernels, such as ``"rules"``.
        seconds: the expected compile time on two idle cores.

    """
    message = f"{title}: compiling the {what}, once for this machine " \
              f"(about {seconds} s on two idle cores, longer on a busy machine)"  # fmt: skip
    console = Console(stderr=True)
    start = time.perf_counter()
    _running.append(what)
    try:
        # Rich shows one live display at a time, and prints lines above a progress bar.
        if console.is_terminal and not isinstance(sys.stderr, FileProxy):
            with console.status(message):
                yield
        else:
            print(f"{message} ...", file=sys.stderr, flush=True)
            yield
    finally:
        _running.remove(what)
    elapsed = time.perf_counter() - start
    print(f"{title}: compiled the {what} in {elapsed:.0f} s.", file=sys.stderr, flush=True)
