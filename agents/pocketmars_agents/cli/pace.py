"""The pace of ``pocketmars watch``: the time between moves, and keys to pause, step and quit."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from pocketmars_agents.cli.keys import ENTER, RIGHT, SPACE, Keys

QUIT = "q"
STEP = (ENTER, RIGHT)


@dataclass
class Pace:
    """Controls the speed at which the moves of a game are shown."""

    seconds: float  # the time between moves, in seconds
    is_paused: bool  # whether the game is paused; if so, each move is shown only after input from the user
    # the source of pressed keys; None if keys cannot be read. In that case, each move of a paused game
    # waits for a line from stdin.
    keys: Keys | None

    @property
    def help(self) -> str:
        """A one-line help text that explains the keys."""
        if self.keys is None:
            return "Ctrl-C quits"
        return f"Space {'continues' if self.is_paused else 'pauses'} · Enter or → one move · q quits"

    def wait(self, show: Callable[[], None]) -> bool:
        """Wait until the next move is due; return False if the user quits or the terminal is closed.

        If keys cannot be read, Ctrl-C during the wait quits.

        `show` is called to redraw the screen when the user pauses the game with Space.
        """
        if self.keys is not None:
            return self._wait_for(self.keys, show)
        try:
            if self.is_paused:
                sys.stdin.readline()  # returns immediately at the end of stdin
            else:
                time.sleep(self.seconds)
        except KeyboardInterrupt:
            return False
        return True

    def _wait_for(self, keys: Keys, show: Callable[[], None]) -> bool:
        end = time.monotonic() + self.seconds
        while True:
            left = None if self.is_paused else max(0.0, end - time.monotonic())
            try:
                key = keys.read(left)
            except EOFError:
                return False
            if key in ("", *STEP):
                self.is_paused = self.is_paused or key != ""
                return True
            if key.lower() == QUIT:
                return False
            if key == SPACE:
                self.is_paused = not self.is_paused
                if not self.is_paused:
                    return True
                show()
