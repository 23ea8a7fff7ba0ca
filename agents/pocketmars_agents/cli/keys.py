"""The keys that are pressed in a terminal, one by one."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)
"""An escape sequence, such as an arrow key sends, or a character."""

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def pressed_keys() -> Iterator[Iterator[str]]:
        """The keys pressed within the block, as they come; arrow keys are two characters."""
        yield iter(read_key, "")

    def read_key() -> str:
        key = msvcrt.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        return key + msvcrt.getwch() if key in "\x00\xe0" else key

else:
    import termios
    import tty

    @contextmanager
    def pressed_keys() -> Iterator[Iterator[str]]:
        """The keys pressed within the block, as they come; nothing is echoed meanwhile."""
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal)
        try:
            yield read_keys(terminal)
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def read_keys(terminal: int) -> Iterator[str]:
    """The keys that a file descriptor gives, until it ends; held keys come several at a time."""
    while typed := os.read(terminal, 1024):
        yield from KEY.findall(typed.decode(errors="replace"))
