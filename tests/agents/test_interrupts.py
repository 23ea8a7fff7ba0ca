import os
import signal
import sys
import time
import weakref
from collections.abc import Iterator

import pytest

from pocketmars_agents.cli.command_options import interruptible

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C in another way")


LIMIT = 30.0
"""The duration of the endless work in seconds."""


class Anything:
    """An object that supports weak references."""


def press_ctrl_c(_: object) -> None:
    os.kill(os.getpid(), signal.SIGINT)


def drop_ctrl_c() -> None:
    """Press Ctrl-C during a deletion."""
    thing = Anything()
    reference = weakref.ref(thing, press_ctrl_c)
    del thing
    assert reference() is None


def events_with_ctrl_c_during_a_deletion() -> Iterator[int]:
    for number in range(5):
        if number == 2:
            drop_ctrl_c()
        yield number


def endless_work_with_ctrl_c_during_a_deletion() -> Iterator[int]:
    drop_ctrl_c()
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        time.sleep(0.01)
    yield 0


def test_ctrl_c_that_python_drops_still_stops_the_work(capfd: pytest.CaptureFixture[str]) -> None:
    seen: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        seen.extend(interruptible(events_with_ctrl_c_during_a_deletion()))
    assert seen == [0, 1]
    assert capfd.readouterr().err == ""


def test_ctrl_c_that_python_drops_does_not_wait_for_the_next_event() -> None:
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(interruptible(endless_work_with_ctrl_c_during_a_deletion()))
    assert time.monotonic() - start < LIMIT


def test_events_pass_unchanged() -> None:
    assert list(interruptible(range(3))) == [0, 1, 2]
