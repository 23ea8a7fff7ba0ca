import os
import signal
import sys
import weakref
from collections.abc import Iterator

import pytest

from pocketmars_agents.cli.command_options import interruptible

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C in another way")


class Anything:
    """An object that supports weak references."""


def press_ctrl_c(_: object) -> None:
    os.kill(os.getpid(), signal.SIGINT)


def events_with_ctrl_c_during_a_deletion() -> Iterator[int]:
    for number in range(5):
        if number == 2:
            thing = Anything()
            reference = weakref.ref(thing, press_ctrl_c)
            del thing
            assert reference() is None
        yield number


def test_ctrl_c_that_python_drops_still_stops_the_work(capfd: pytest.CaptureFixture[str]) -> None:
    seen: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        seen.extend(interruptible(events_with_ctrl_c_during_a_deletion()))
    assert seen == [0, 1]
    assert capfd.readouterr().err == ""


def test_events_pass_unchanged() -> None:
    assert list(interruptible(range(3))) == [0, 1, 2]
