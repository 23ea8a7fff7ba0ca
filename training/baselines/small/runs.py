"""Runs of the algorithms on small games, and the file with their results: one line of JSON per run."""

import importlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
from msgspec import Meta, to_builtins
from numpy.typing import NDArray

from pocketmars_agents.exact import tree_kernels
from pocketmars_agents.exact.game_tree import Floats, GameTree
from pocketmars_env.core import gate

from ..results import LARGEST_FILE, ResultError, revision, versions_of
from .small_game import SmallGame

DECISIONS = 1_000_000
GAMES = ("skirmish", "pebble", "crater")
"""The games of the benchmark. The settings were chosen on another one, `ambush`."""
FIRST_POINT = 10_000
POINTS_PER_DECADE = 6


class Algorithm(NamedTuple):
    """An algorithm.

    Attributes:
        title: the name in the tables and the plot.
        module: the name of the module, with a generator `train` and `SETTINGS`.
        changes: changes to these settings.
        decisions: the default number of decisions in a run.
        is_random: whether the result depends on the seed.

    """

    title: str
    module: str
    changes: dict[str, Any] = {}  # noqa: RUF012  # a NamedTuple's default
    decisions: int = DECISIONS
    is_random: bool = True

    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = importlib.import_module(f".{self.module}", __package__).SETTINGS
        return settings | self.changes


ALGORITHMS = {
    "ppo": Algorithm("PPO, low entropy", "ppo"),
    "ppo_entropy": Algorithm(
        "PPO, high entropy", "ppo", {"ent_coef": 0.05, "clip_range": 0.05, "n_epochs": 8}
    ),
    "mmd": Algorithm("MMD", "mmd"),
    "vrpo": Algorithm("VRPO", "vrpo"),
    "rnad": Algorithm("R-NaD", "rnad"),
    "psro": Algorithm("PSRO", "psro"),
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
        average: the exact NashConv of the average strategy: of the points so far, point `k` weighted by `k`.

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

    def append(self, file: Path) -> None:
        """Append the result to a file."""
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(to_builtins(self), ensure_ascii=False) + "\n")


def read(file: Path) -> list[Run]:
    """Read the results in a file; a file that does not exist has none."""
    if not file.exists():
        return []
    try:
        lines = gate.read_file(file, LARGEST_FILE).splitlines()
        return [gate.decode(line, Run, "the result") for line in lines]
    except (OSError, ValueError) as error:
        raise ResultError(f"{file} is not a file of results on small games: {error}") from error


class Average:
    """The average of strategies, of which the one with number `k` is weighted by `k`."""

    def __init__(self, tree: GameTree) -> None:
        self._tree, self._count, self._sums = tree, 0, np.zeros(tree.num_slots)

    def add(self, strategy: Floats) -> Floats:
        """Add a strategy, and return the average."""
        self._count += 1
        reach = self._tree.reach(strategy)
        for seat in range(2):
            weight = float(self._count)
            tree_kernels.add_to_average(self._tree.tree, seat, weight, strategy, reach, self._sums)
        return self._tree.normalized(self._sums)


def points(total: int) -> NDArray[np.float64]:
    """Return the numbers of decisions after which a strategy is evaluated."""
    decades = np.log10(max(total, FIRST_POINT) / FIRST_POINT)
    return np.geomspace(min(total, FIRST_POINT), total, round(decades * POINTS_PER_DECADE) + 1)


def learning_curve(name: str, game: SmallGame, seed: int, total: int) -> Iterator[Point]:
    """Train an algorithm, and yield its learning curve."""
    algorithm = ALGORITHMS[name]
    module = importlib.import_module(f".{algorithm.module}", __package__)
    due, average, seconds, start = [0, *points(total)], Average(game.tree), 0.0, time.process_time()
    for decisions, strategy_now in module.train(game, seed, algorithm.settings()):
        if decisions < due[0]:
            continue
        seconds += time.process_time() - start
        strategy = strategy_now()
        yield Point(
            decisions,
            round(seconds, 2),
            round(game.tree.nash_conv(strategy), 5),
            round(game.tree.nash_conv(average.add(strategy)), 5),
        )
        due = [point for point in due if point > decisions]
        if not due:
            return
        start = time.process_time()


def run(name: str, game: SmallGame, seed: int, total: int) -> Run:
    """Train an algorithm on a small game with one seed."""
    torch.set_num_threads(1)
    return Run(
        revision=revision(),
        algorithm=name,
        game=game.name,
        seed=seed,
        total=total,
        curve=tuple(learning_curve(name, game, seed, total)),
        command=f"python -m training.baselines.small run {name} {game.name} {seed} --decisions {total}",
        versions=versions_of(("numpy", "numba", "torch")),
        settings=ALGORITHMS[name].settings(),
    )
