"""Keys that a Windows console would return, from an imitation of the module `msvcrt`."""

from types import SimpleNamespace

import pytest

from pocketmars_agents.cli.keys import ENTER, RIGHT, SPACE, ConsoleKeys


def keys(codes: str) -> ConsoleKeys:
    left = list(codes)
    return ConsoleKeys(SimpleNamespace(kbhit=lambda: bool(left), getwch=lambda: left.pop(0)))


def test_keys_are_those_of_other_terminals() -> None:
    console = keys(" \rq\xe0M\0Q\xe0H\x03")
    assert [console.read(None) for _ in range(6)] == [SPACE, ENTER, "q", RIGHT, "\0", "\0"]
    with pytest.raises(KeyboardInterrupt):
        console.read(None)
    assert console.read(0.05) == ""  # without a key, the time passes
