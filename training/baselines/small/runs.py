"""Runs of the algorithms on small games, and the file with their results: one line of JSON per run."""

import importlib
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
from msgspec import Meta
from numpy.typing import NDArray

from pocketmars_env.core import gate
from pocketmars_training.common.revision import versions_of

from .learning_game import LearningGame
from .small_game import Average, SmallGame

DECISIONS = 1_000_000
GAMES = ("skirmish", "pebble", "crater")
"""The games of the benchmark. The settings were chosen on another one, `ambush`."""
FIRST_POINT = 10_000
POINTS_PER_DECADE = 6


Progress = Iterator[tuple[int, Callable[[], Any]]]
"""Yields the number of decisions after each iteration, and a function that returns the strategy."""


class Algorithm(NamedTuple):
    """An algorithm; its `module` has a generator `train` and `SETTINGS`."""

    title: str  # in the tables and the plot
    module: str
    changes: dict[str, Any] = {}  # noqa: RUF012  # of the settings; a NamedTuple's default
    decisions: int = DECISIONS  # in a run, by default
    is_random: bool = True  # whether the result depends on the seed
    sees_all: bool = False  # whether it looks up `LearningGame.other_observations`

    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self._module.SETTINGS
        return settings | self.changes

    def train(self, game: LearningGame, seed: int, settings: dict[str, Any]) -> Progress:
        """Return the generator of the module, which trains on a game."""
        progress: Progress = self._module.train(game, seed, settings)
        return progress

    @property
    def _module(self) -> ModuleType:
        return importlib.import_module(f".{self.module}", __package__)


ALGORITHMS = {
    "ppo": Algorithm("PPO, low entropy", "ppo"),
    "ppo_entropy": Algorithm(
        "PPO, high entropy", "ppo", {"ent_coef": 0.05, "clip_range": 0.05, "n_epochs": 8}
    ),
    "mmd": Algorithm("MMD", "mmd"),
    "vrpo": Algorithm("VRPO", "vrpo", sees_all=True),
    "rnad": Algorithm("R-NaD", "rnad"),
    "psro": Algorithm("PSRO, Nash", "psro"),
    "psro_alpha_rank": Algorithm("PSRO, α-rank", "psro", {"meta_solver": "alpha_rank"}),
    "nfsp": Algorithm("NFSP", "nfsp"),
    "deep_cfr": Algorithm("Single deep CFR", "deep_cfr"),
    "cfr_plus": Algorithm("CFR+ (tabular)", "cfr_plus", decisions=100 * DECISIONS, is_random=False),
}
"""The algorithms by name."""


class Point(gate.Record):
    """A point on a learning curve, with the exact NashConv of the strategy and of an average.

    The average is that over the points so far, weighted by their decisions. The points are evenly spaced on a
    logarithmic axis, so this is about the average over all decisions.
    """

    decisions: int
    cpu_seconds: float  # of training so far, without evaluations
    nash_conv: float
    average: float


class Run(gate.Record):
    """The result of one run, and the format of its line."""

    algorithm: str
    game: str
    seed: int
    total: int  # the requested number of decisions; the run can take a few more
    curve: Annotated[tuple[Point, ...], Meta(min_length=1)]  # from the first strategy to the last
    command: str  # this and the following fields as in `RunResult`
    revision: str
    versions: dict[str, str]
    settings: dict[str, Any]

    @property
    def last(self) -> Point:
        return self.curve[-1]


def points(total: int) -> NDArray[np.float64]:
    """Return the numbers of decisions after which a strategy is evaluated."""
    decades = np.log10(max(total, FIRST_POINT) / FIRST_POINT)
    return np.geomspace(min(total, FIRST_POINT), total, round(decades * POINTS_PER_DECADE) + 1)


def learning_curve(name: str, game: SmallGame, seed: int, total: int) -> Iterator[Point]:
    """Train an algorithm, and yield its learning curve."""
    algorithm = ALGORITHMS[name]
    due, average, seconds, start = [0, *points(total)], Average(game.tree), 0.0, time.process_time()
    for decisions, strategy_now in algorithm.train(game, seed, algorithm.settings()):
        if decisions < due[0]:
            continue
        seconds += time.process_time() - start
        strategy = strategy_now()
        average.add(strategy, float(decisions))
        yield Point(
            decisions,
            float(f"{seconds:.4g}"),
            round(game.tree.nash_conv(strategy), 5),
            round(game.tree.nash_conv(average.strategy()), 5),
        )
        due = [point for point in due if point > decisions]
        if not due:
            return
        start = time.process_time()


def run(name: str, game: SmallGame, seed: int, total: int, revision: str) -> Run:
    """Train an algorithm on a small game with one seed; `revision` is the Git revision of this code."""
    torch.set_num_threads(1)
    return Run(
        algorithm=name,
        game=game.name,
        seed=seed,
        total=total,
        curve=tuple(learning_curve(name, game, seed, total)),
        command=f"python -m training.baselines.small run {name} {game.name} {seed} --decisions {total}",
        revision=revision,
        versions=versions_of(("numpy", "numba", "torch")),
        settings=ALGORITHMS[name].settings(),
    )
