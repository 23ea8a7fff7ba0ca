"""Measures the rows in turns, so that other load on the machine affects all rows."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.speed.playing import Play, Row

ROUNDS = 5
CALIBRATION = 0.2
"""The share of a round's time that is used to calibrate the number of decisions."""


def first_steps(spec: GameSpec) -> dict[str, str]:
    """Programs that make one step, for a game that comes with this package."""
    game = f"from pocketmars_env.core.game_spec import game_named; spec = game_named({spec.name!r})"
    return {
        "Game": f"{game}; game = spec.game(seed=1); game.step(game.legal()[0])",
        "env()": (
            f"{game}; from pocketmars_env.envs.classes import environments_of; "
            "env = environments_of(spec)['env'](); env.reset(seed=1); "
            "env.step(int(env.last()[0]['action_mask'].argmax()))"
        ),
    }


@dataclass(frozen=True)
class Speed:
    """The speed of a row in decisions per second of processor time, by round."""

    rates: tuple[float, ...]

    @property
    def best(self) -> float:
        return max(self.rates)

    @property
    def median(self) -> float:
        return statistics.median(self.rates)


def rate_of(play: Play, count: int) -> tuple[float, float]:
    """Decisions per second over about `count` decisions, and their seconds of processor time."""
    start = time.process_time()
    made = play(count)
    # On some systems the clock advances only every 16 ms.
    seconds = max(time.process_time() - start, 1e-9)
    return made / seconds, seconds


def calibrated_count(play: Play, seconds: float) -> int:
    """The number of decisions that take about `seconds`."""
    count = 1
    while True:
        rate, taken = rate_of(play, count)
        if taken >= seconds * CALIBRATION:
            return max(1, round(rate * seconds))
        count *= 2


def measure(
    rows: Sequence[Row], seconds: float, on_round: Callable[[], None] = lambda: None
) -> dict[str, Speed]:
    """The speed of every row.

    Args:
        rows: the rows to measure, with all requirements installed.
        seconds: processor time for each row, over all rounds.
        on_round: called after each round of a row.

    """
    plays = {row.name: row.start() for row in rows}
    for play in plays.values():
        play(1)  # compiles and imports
    counts = {name: calibrated_count(play, seconds / ROUNDS) for name, play in plays.items()}
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(ROUNDS):
        for name, play in plays.items():
            rates[name].append(rate_of(play, counts[name])[0])
            on_round()
    return {name: Speed(tuple(found)) for name, found in rates.items()}


def seconds_to_first_step(program: str) -> float:
    """Wall time from the start of a fresh process to the end of its first step, the best of `ROUNDS`.

    Raises:
        CalledProcessError: if the program fails.

    """
    command = [sys.executable, "-c", f"{program}; import time; print(time.time())"]
    seconds = []
    for _ in range(ROUNDS + 1):  # the first run may have to compile
        start = time.time()
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        seconds.append(float(done.stdout) - start)
    return min(seconds[1:])
