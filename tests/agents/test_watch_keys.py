"""Keys of `pocketmars watch`, pressed in a pseudo-terminal."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pocketmars_agents.cli.keys import ENTER, RIGHT, SPACE, Keys, keys_in
from pocketmars_agents.cli.pace import Pace
from pocketmars_env.replays import Replay

if sys.platform == "win32":
    pytest.skip("reads keys from POSIX terminals only", allow_module_level=True)

import pty
import termios

TIMEOUT = 60.0
SEED = ("--seed", "4")


class Watched:
    """A command in a pseudo-terminal of its own."""

    def __init__(self, arguments: tuple[str, ...]) -> None:
        self._ours, self.theirs = pty.openpty()
        self.mode = termios.tcgetattr(self.theirs)
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "50"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pocketmars_agents", "watch", *arguments],
            stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, env=environment,
            start_new_session=True, preexec_fn=self._control,
        )  # fmt: skip
        self.text = ""

    def _control(self) -> None:
        """Make the pseudo-terminal the controlling terminal, so that its special keys send signals."""
        import fcntl

        fcntl.ioctl(self.theirs, termios.TIOCSCTTY, 0)

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def read(self, seconds: float) -> bool:
        """Read new output; return False if there is none within `seconds`."""
        if not select.select([self._ours], [], [], seconds)[0]:
            return False
        self.text += os.read(self._ours, 65536).decode(errors="replace")
        return True

    def until(self, is_reached: Callable[[], Any]) -> None:
        """Read output until `is_reached()` is true."""
        deadline = time.monotonic() + TIMEOUT
        while not is_reached():
            assert time.monotonic() < deadline, self.text[-3000:]
            self.read(0.1)

    def settled(self, least: int = 0) -> int:
        """Read until move `least` is shown and output pauses; return the number of the last move."""
        self.until(lambda: self.number() >= least)
        while self.read(0.5):
            pass
        return self.number()

    def number(self) -> int:
        """Return the number of the last move in the output, or 0 before the first move."""
        numbers = re.findall(r"(?<!\d)(\d+)\. player", self.text)
        return max(map(int, numbers), default=0)

    def end(self) -> int:
        """Wait for the command to end, read its remaining output, and return the exit status."""
        self.until(lambda: self.process.poll() is not None)
        while self.read(0.1):
            pass
        return self.process.returncode

    def is_restored(self) -> bool:
        """Return whether the terminal is in its original mode."""
        return termios.tcgetattr(self.theirs) == self.mode

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)
        os.close(self.theirs)


def watched(*arguments: str) -> closing[Watched]:
    return closing(Watched(arguments))


def test_keys_pause_step_continue_and_quit(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with watched("random", "random", *SEED, "--speed", "20", "--save", str(path)) as watch:
        watch.until(lambda: watch.number() > 2)
        assert not watch.is_restored()
        watch.press(SPACE)
        watch.until(lambda: "continues" in watch.text)
        paused = watch.settled()
        assert not watch.read(0.5), "a paused game does not move"
        for step, key in enumerate(("\r", RIGHT, "\x1bOC"), start=1):
            watch.press(key)
            assert watch.settled(paused + step) == paused + step
        watch.press("x\x1b[A")
        assert not watch.read(0.3), "other keys do nothing"
        watch.press(SPACE)
        watch.until(lambda: watch.number() > paused + 5)
        watch.press("q")
        assert watch.end() == 0
        assert watch.is_restored()
        assert len(Replay.load(path).actions) == watch.number()


@pytest.mark.slow
def test_steps_begin_paused() -> None:
    with watched("random", "random", *SEED, "--step", "--speed", "1000") as watch:
        watch.until(lambda: "continues" in watch.text)
        assert watch.settled() == 0
        watch.press("\n")
        assert watch.settled(1) == 1
        watch.press(SPACE)
        assert watch.end() == 0
        assert watch.is_restored()


@pytest.mark.slow
def test_keys_are_read_again_after_ctrl_z() -> None:
    with watched("random", "random", *SEED, "--step") as watch:
        watch.until(lambda: "continues" in watch.text)
        watch.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, watch.process.pid, os.WSTOPPED | os.WNOWAIT)
        termios.tcsetattr(watch.theirs, termios.TCSANOW, watch.mode)  # as a shell does
        watch.process.send_signal(signal.SIGCONT)
        watch.until(lambda: not watch.is_restored())
        watch.press("\n")
        watch.until(lambda: watch.number() == 1)
        watch.press("q")
        assert (watch.end(), watch.is_restored()) == (0, True)


@pytest.mark.slow
def test_ctrl_c_and_an_error_restore_the_terminal() -> None:
    with watched("random", "random", *SEED) as watch:
        watch.until(lambda: "pauses" in watch.text)
        watch.press("\x03")
        assert (watch.end(), watch.is_restored()) == (130, True)
    with watched("tests.agents.bots:Raising", "random", *SEED, "--speed", "0") as watch:
        assert (watch.end(), watch.is_restored()) == (0, True)
        assert "lost my notes" in watch.text


def test_keys_are_told_apart() -> None:
    assert keys_in("q \r\n\x1b[C\x1bOC\x1b[15~é") == ["q", SPACE, ENTER, ENTER, RIGHT, RIGHT, "\x1b[15~", "é"]


def test_a_closed_terminal_ends_the_game() -> None:
    class Closed(Keys):
        def read(self, seconds: float | None) -> str:
            raise EOFError

    assert not Pace(1.0, True, Closed(terminal=0)).wait(lambda: None)
