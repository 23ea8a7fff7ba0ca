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

from pocketmars_agents.exact import tree_kernels
from pocketmars_agents.exact.game_tree import Floats, GameTree
from pocketmars_env.core import gate

from ..results import versions_of
from .learning_game import LearningGame
from .small_game import SmallGame

DECISIONS = 1_000_000
GAMES = ("skirmish", "pebble", "crater")
"""The games of the benchmark. The settings were chosen on another one, `ambush`."""
FIRST_POINT = 10_000
POINTS_PER_DECADE = 6


Progress = Iterator[tuple[int, Callable[[], Any]]]
"""Yields the number of decisions after each iteration, and a function that returns the strategy."""


class Algorithm(NamedTuple):
    """An algorithm.

    Attributes:
        title: the name in the tables and the plot.
        module: the name of the module, with a generator `train` and `SETTINGS`.
        changes: changes to these settings.
        decisions: the default number of decisions in a run.
        is_random: whether the result depends on the seed.
        sees_all: whether it looks up `LearningGame.other_observations`.

    """

    title: str
    module: str
    changes: dict[str, Any] = {}  # noqa: RUF012  # a NamedTuple's default
    decisions: int = DECISIONS
    is_random: bool = True
    sees_all: bool = False

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
    """A point on a learning curve.

    Attributes:
        decisions: the number of decisions in the games played so far.
        cpu_seconds: the processor time of training so far, without evaluations.
        nash_conv: the exact NashConv of the strategy.
        average: the exact NashConv of the average over the points so far, weighted by their decisions. The
            points are evenly spaced on a logarithmic axis, so this is about the average over all decisions.

    """

    decisions: int
    cpu_seconds: float
    nash_conv: float
    average: float


class Run(gate.Record):
    """The result of one run, and the format of its line.

    Attributes:
        algorithm, game, seed: names and seed.
        total: the requested number of decisions; the run can take a few more.
        curve: the learning curve, from the first strategy to the last.
        command, revision, versions, settings: as in `RunResult`.

    """

    algorithm: str
    game: str
    seed: int
    total: int
    curve: Annotated[tuple[Point, ...], Meta(min_length=1)]
    command: str
    revision: str
    versions: dict[str, str]
    settings: dict[str, Any]

    @property
    def last(self) -> Point:
        return self.curve[-1]


class Average:
    """The weighted average of strategies."""

    def __init__(self, tree: GameTree) -> None:
        self._tree, self._sums = tree, np.zeros(tree.num_slots)

    def add(self, strategy: Floats, weight: float) -> Floats:
        """Add a strategy, and return the average."""
        reach = self._tree.reach(strategy)
        for seat in range(2):
            tree_kernels.add_to_average(self._tree.tree, seat, weight, strategy, reach, self._sums)
        return self._tree.normalized(self._sums)


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
        yield Point(
            decisions,
            float(f"{seconds:.4g}"),
            round(game.tree.nash_conv(strategy), 5),
            round(game.tree.nash_conv(average.add(strategy, float(decisions))), 5),
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
