"""Recording of a baseline run: training time, learning curve, final evaluation and result file."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from pocketmars_agents import Agent
from pocketmars_training.common.evaluation import evaluate
from pocketmars_training.common.revision import revision, versions_of
from pocketmars_training.common.training_spec import Matchup, Task

from .policies import save_policy
from .results import Point, RunResult

EVALUATIONS = 10
"""Minimum number of evaluations planned for a learning curve, not counting that of the untrained agent."""
EVAL_FREQ = 100_000
"""Maximum number of steps planned between two points of a learning curve."""
CURVE_GAMES = 500
FINAL_GAMES = 1_000
RATING_GAMES = 200
"""Number of games at each handicap for the handicap rating."""
SEED_DISTANCE = 2**20
"""Distance between the first environment seeds of two runs whose own seeds differ by 1. It exceeds the number
of environments in a run, so runs with different seeds do not share environment seeds."""


class Recorder:
    """Records one run of an algorithm.

    Before training, the algorithm must call `evaluate` with 0 as the number of steps. During training, it
    must call `evaluate` at regular intervals (see `is_due`), and at the end, `finish`. Evaluations use deals
    that are not used for training. The recorded times start after the first evaluation and exclude the time
    of later evaluations. `env_seed` is the seed of the first training environment.

    The arguments `folder` and `policies` are the folders for the result file and, if it is wanted, the final
    policy. `games` are the numbers of games per point of the learning curve, per matchup in the final
    evaluation, and per handicap for the handicap rating.
    """

    def __init__(
        self,
        algorithm: str,
        task: Task,
        seed: int,
        total_steps: int,
        unit: str,
        folder: Path,
        games: tuple[int, int, int] = (CURVE_GAMES, FINAL_GAMES, RATING_GAMES),
        policies: Path | None = None,
    ) -> None:
        self.algorithm, self.task, self.seed, self.total_steps = algorithm, task, seed, total_steps
        self.env_seed = seed * SEED_DISTANCE
        self.unit, self._folder, self._games, self._policies = unit, folder, games, policies
        self._revision = revision()  # recorded at the start, because the files may change during the run
        self.eval_freq = max(1, min(total_steps // EVALUATIONS, EVAL_FREQ))
        self._curve: list[Point] = []
        self._wall = self._cpu = 0.0

    def is_due(self, steps: int) -> bool:
        """Return whether the next evaluation for the learning curve is due."""
        return steps // self.eval_freq > self._curve[-1].steps // self.eval_freq

    def evaluate(self, steps: int, agent: Agent) -> None:
        """Evaluate the agent in the task's first matchup, and add a point to the learning curve."""
        if not self._curve:
            self._wall, self._cpu = time.perf_counter(), time.process_time()
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        share = evaluate(agent, self.task.matchups[0], self._games[0]).win_share
        self._wall, self._cpu = time.perf_counter() - wall, time.process_time() - cpu
        self._curve.append(Point(steps, round(wall, 1), round(cpu, 1), round(share, 4)))
        print(
            f"{self.algorithm} {self.task.name} seed {self.seed}: {steps:,} {self.unit}, win rate "
            f"{share:.1%}, {wall:,.0f} s, {cpu:,.0f} s of processor time",
            flush=True,
        )

    def finish(
        self, steps: int, agent: Agent, settings: Mapping[str, Any], packages: tuple[str, ...] = ()
    ) -> None:
        """Evaluate the trained agent in all matchups, and write the result file.

        If the learning curve ends before `steps`, it gets a point at `steps` before the final evaluation.
        """
        if steps > self._curve[-1].steps:
            self.evaluate(steps, agent)
        final = {
            matchup.name: round(evaluate(agent, matchup, self._games[1]).win_share, 4)
            for matchup in self.task.matchups
        }

        def win_share_of(matchup: Matchup) -> float:
            return evaluate(agent, matchup, self._games[2]).win_share

        rating = (
            None if self.task.rating is None else round(self.task.rating(win_share_of, self._games[2]), 2)
        )
        command = f"python -m training.baselines run {self.algorithm} {self.task.name} {self.seed}"
        result = RunResult(
            algorithm=self.algorithm,
            task=self.task.name,
            seed=self.seed,
            total_steps=self.total_steps,
            unit=self.unit,
            command=f"{command} --steps {self.total_steps}",
            revision=self._revision,
            versions=versions_of(("numpy", "numba", "torch", *packages)),
            threads=torch.get_num_threads(),
            settings=dict(settings),
            curve_games=self._games[0],
            curve=tuple(self._curve),
            final_games=self._games[1],
            final=final,
            handicap_rating=rating,
        )
        result.write(self._folder)
        if self._policies is not None:
            save_policy(self._policies, agent, self.task, result)
        print(f"{self.algorithm} {self.task.name} seed {self.seed}: {final}, rating {rating}", flush=True)
