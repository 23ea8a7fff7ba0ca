"""Keys that a Windows console would return, from an imitation of the module `msvcrt`."""

from types import SimpleNamespace

import pytest

from pocketmars_agents.cli.keys import ENTER, RIGHT, SPACE, ConsoleKeys


def keys(codes: str) -> ConsoleKeys:
    left = list(codes)
    return ConsoleKeys(SimpleNamespace(kbhit=lambda: bool(left), getwch=lambda: left.pop(0)))


def test_keys_are_those_of_other_terminals() -> None:
    console = keys(" \rq\xe0M\0Q\xe0H")
    assert [console.read(None) for _ in range(6)] == [SPACE, ENTER, "q", RIGHT, "\0", "\0"]


def test_without_a_key_the_time_passes() -> None:
    assert keys("").read(0.05) == ""


def test_ctrl_c_interrupts() -> None:
    with pytest.raises(KeyboardInterrupt):
        keys("\x03").read(None)
