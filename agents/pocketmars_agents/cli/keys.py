"""Key input from the terminal: keys are read as soon as they are pressed, without waiting for Enter."""

import math
import os
import re
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

SPACE, ENTER, RIGHT = " ", "\n", "\x1b[C"
SEQUENCES = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|.", re.DOTALL)
"""Pattern for one key: an escape sequence, such as that of an arrow key, or a single character."""
MOST_BYTES = 1024
SECONDS_BETWEEN_LOOKS = 0.02


class Keys:
    """A source of keys pressed in a terminal, given by its file descriptor, which is in cbreak mode."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._pressed = deque[str]()

    def read(self, seconds: float | None) -> str:
        """Return the next key, or an empty string if no key is pressed within `seconds` (None: no limit)."""
        if not self._pressed:
            if not select.select([self._terminal], [], [], seconds)[0]:
                return ""
            try:
                data = os.read(self._terminal, MOST_BYTES)
            except OSError as error:
                raise EOFError("the terminal is closed") from error
            if not data:
                raise EOFError("the terminal is closed")
            self._pressed.extend(keys_in(data.decode(errors="replace")))
        return self._pressed.popleft()


def keys_in(text: str) -> list[str]:
    """Split terminal input into keys; codes for → become `RIGHT`, and codes for Enter become `ENTER`."""
    return SEQUENCES.findall(text.replace("\x1bOC", RIGHT).replace("\r", ENTER))


class ConsoleKeys(Keys):
    """A source of keys pressed in a Windows console; `console` is Python's module ``msvcrt``."""

    def __init__(self, console: Any) -> None:
        self._console = console

    def read(self, seconds: float | None) -> str:
        """See `Keys.read`; a key without a character, except →, is the null character."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        while not self._console.kbhit():
            if time.monotonic() >= end:
                return ""
            time.sleep(SECONDS_BETWEEN_LOOKS)
        key = self._console.getwch()
        if key in ("\0", "\xe0"):  # the next code is that of a key without a character
            return RIGHT if self._console.getwch() == "M" else "\0"
        if key == "\x03":
            raise KeyboardInterrupt
        return keys_in(key)[0]


if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def terminal_keys() -> Iterator[Keys | None]:
        """Yield a source of keys pressed in the terminal, or None if stdin is not a terminal."""
        yield ConsoleKeys(msvcrt) if sys.stdin.isatty() else None

else:
    import termios
    import tty

    @contextmanager
    def terminal_keys() -> Iterator[Keys | None]:
        """Yield a source of keys pressed in the terminal, or None if stdin is not a terminal.

        The terminal is in cbreak mode until the context exits; then its previous mode is restored. After
        Ctrl-Z, the shell restores its own mode, and this function sets cbreak mode again.
        """
        try:
            terminal = sys.stdin.fileno()
            mode = termios.tcgetattr(terminal)
        except (OSError, ValueError, termios.error):
            yield None
            return
        earlier = signal.signal(signal.SIGCONT, lambda *_: tty.setcbreak(terminal))
        try:
            tty.setcbreak(terminal)
            yield Keys(terminal)
        finally:
            signal.signal(signal.SIGCONT, earlier)
            with suppress(termios.error):  # the terminal may be closed
                termios.tcsetattr(terminal, termios.TCSAFLUSH, mode)  # discards unread input
