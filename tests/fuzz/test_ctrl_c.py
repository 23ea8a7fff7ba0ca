"""After Ctrl-C in the middle of a step, an environment can be reset, and no lock stays locked."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

from pocketmars_env.core import game as core
from pocketmars_env.pocketmars_v1 import TableEnv

INTERRUPTING = """
import gc, random, signal, threading, time
from pocketmars_env import Games

games, rng = Games(16, seed=1), random.Random(1)
games.random_actions(), games.masks()  # loads the compiled code
gc.disable()  # interrupted destructors of Numba could end the process
signal.signal(signal.SIGALRM, signal.default_int_handler)
for number in range(200):
    try:
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.001, 0.003))
        while True:
            games.random_actions()
    except KeyboardInterrupt:
        pass
    thread = threading.Thread(target=games.masks, daemon=True)
    thread.start()
    thread.join(30)
    if thread.is_alive():
        raise SystemExit(f"the games are locked after interrupt {number}")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no timer signal")
def test_games_do_not_stay_locked() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTING], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def interrupt_next_step(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function after whose call the next move of a game is interrupted once it has been played."""
    real = core.Game.step

    def interrupt() -> None:
        def step(game: core.Game, action: Any) -> None:
            monkeypatch.setattr(core.Game, "step", real)
            real(game, action)
            raise KeyboardInterrupt

        monkeypatch.setattr(core.Game, "step", step)

    return interrupt


def test_an_interrupted_environment_must_be_reset(interrupt_next_step: Callable[[], None]) -> None:
    table = TableEnv(opponents="random", seat=0)
    table.reset(seed=1)
    interrupt_next_step()
    with pytest.raises(KeyboardInterrupt):
        table.step(table.game.legal[0])
    with pytest.raises(gymnasium.error.ResetNeeded):
        table.step(0)
    table.reset()
