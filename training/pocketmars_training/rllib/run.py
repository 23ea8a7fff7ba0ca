"""A training on a Ray cluster: its folder, its checkpoints, its progress."""

import sys
import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.algorithms import Algorithm
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from pocketmars_agents.arena import text_table
from pocketmars_env.core.version import __version__
from pocketmars_training.common import checkpoints
from pocketmars_training.common.evaluation import Result, evaluate
from pocketmars_training.common.network_agent import NetworkAgent
from pocketmars_training.common.run_folder import RunError, begin_folder, plain
from pocketmars_training.common.training_spec import training_of
from pocketmars_training.rllib.cluster import cluster, waiting_for
from pocketmars_training.rllib.config import make_config
from pocketmars_training.rllib.export import export_learner
from pocketmars_training.rllib.game import Report
from pocketmars_training.rllib.log import Log, numbers_of
from pocketmars_training.rllib.module import PolicyNetwork
from pocketmars_training.rllib.pool import LEARNER, Pool
from pocketmars_training.rllib.settings import ScaleOutSettings
from pocketmars_training.rllib.state import copy_learner, freeze, restore_state, state_of

POLICY = "table"


def train(settings: ScaleOutSettings) -> None:
    """Train as the settings say, and export the policy.

    Raises:
        RunError: if the folder or the cluster cannot be used as asked.
        CheckpointError: if a checkpoint cannot be written or read.
        KeyboardInterrupt: with a checkpoint of the last update.

    """
    with begin_folder(settings), cluster(settings):
        run = ScaleOutRun(settings)
        try:
            run.train()
        finally:
            run.close()


class ScaleOutRun:
    """One training, from its first decision to the exported policy, on the cluster that is connected.

    Args:
        settings: the settings of the run.

    Attributes:
        decisions: the learner's, in all its seats, that it has learnt from.
        pool: whom it plays against.
        algorithm: RLlib's.

    """

    def __init__(self, settings: ScaleOutSettings) -> None:
        self.settings, self.folder = settings, settings.run
        self.console = text_table.plain_console(None if sys.stdout.isatty() else text_table.PLAIN_WIDTH)
        self.matchups = training_of(settings.spec).matchups(settings.players)
        self.pool = Pool(settings.bots, settings.past_kept, settings.present_share)
        self.network = PolicyNetwork(settings.spec, settings.net_arch[0], len(settings.net_arch))
        self.decisions, self._history = 0, list[dict[str, Any]]()
        self._begun, self._earlier_seconds = time.perf_counter(), 0.0
        self._past_at = settings.past_every
        torch.set_num_threads(settings.threads)
        self.algorithm = self._build()
        self._log = Log(self.folder)

    def _build(self) -> Algorithm:
        """RLlib's algorithm, as a checkpoint left it if the run is resumed."""
        found: dict[str, Any] = {}
        if self.settings.resume:
            checkpoints.restore_newest(self.folder, lambda content: found.update(self._restored(content)))
        if waiting := waiting_for(self.settings):
            self.console.print(waiting)
        # later deals are others than those that were played before; NumPy takes no larger seeds
        seed = (self.settings.seed + self.decisions) % 2**31
        algorithm = make_config(self.settings, seed).build_algo()
        if found:
            restore_state(algorithm, found)
        self._kept = self._content(state_of(algorithm))
        return algorithm

    def _restored(self, content: dict[str, Any]) -> dict[str, Any]:
        """Take up a checkpoint; returns the part that is RLlib's."""
        state: dict[str, Any] = content["state"]
        copy_learner(state, self.network)
        self.pool.restore(content["pool"])
        self.decisions, self._history = content["decisions"], content["history"]
        self._earlier_seconds, self._past_at = content["seconds"], content["past_at"]
        return state

    @property
    def seconds(self) -> float:
        """Of this run, in its earlier processes too."""
        return self._earlier_seconds + time.perf_counter() - self._begun

    def close(self) -> None:
        """End the processes that play."""
        self._log.close()
        self.algorithm.stop()

    # --- the course of a run ----------------------------------------------------------------------

    def train(self) -> None:
        """Train to the end, show the evaluation and export the policy."""
        begun, started = self.decisions, time.perf_counter()
        try:
            self._improve()
        except KeyboardInterrupt:
            self.checkpoint()
            raise
        made, seconds = self.decisions - begun, time.perf_counter() - started
        if made:
            self.checkpoint()
        self.console.print(
            f"{self.decisions:,} decisions with seed {self.settings.seed}; in this process "
            f"{made:,} in {seconds:,.0f} s: {made / seconds:,.0f} decisions/s, evaluations included"
        )
        self.finish()

    def _improve(self) -> None:
        settings = self.settings
        eval_at = self.decisions + settings.eval_freq
        checkpoint_at = self.decisions + settings.save_freq
        self._exchange()  # what was played before is nobody's
        with self._progress() as progress:
            bar = progress.add_task("", total=settings.total_timesteps, completed=self.decisions)
            while self.decisions < settings.total_timesteps:
                self._update()
                progress.update(bar, completed=self.decisions)
                if self.decisions >= checkpoint_at:
                    checkpoint_at += settings.save_freq
                    self.checkpoint()
                if self.decisions >= eval_at:
                    eval_at += settings.eval_freq
                    self._evaluate()

    def _update(self) -> None:
        """Play and learn once."""
        begun = time.perf_counter()
        results = self.algorithm.train()
        reports = self._exchange()
        if LEARNER not in results.get("learners", {}):  # no runner has answered: RLlib restarts them
            return
        made = sum(report.decisions for report in reports)
        self.decisions += made
        for member, reward in (result for report in reports for result in report.results):
            self.pool.hear(member, reward)
        numbers = numbers_of(results, LEARNER)
        numbers |= {f"score/{name}": score for name, score in self.pool.table().items()}
        numbers["play/games"] = sum(report.games for report in reports)
        numbers["play/runners"] = self.algorithm.env_runner_group.num_healthy_remote_workers()
        numbers["time/decisions_per_second"] = made / (time.perf_counter() - begun)
        self._log.write(self.decisions, numbers)
        if self.decisions >= self._past_at:
            self._past_at += self.settings.past_every
            freeze(self.algorithm, self.pool.take_past())
        self._kept = self._content(state_of(self.algorithm))

    def _exchange(self) -> list[Report]:
        """Tell the games the shares of seats; returns what has happened in them."""
        shares = self.pool.shares()
        found = self.algorithm.env_runner_group.foreach_env_runner(lambda runner: reports_of(runner, shares))
        return [report for reports in found for report in reports]

    def _evaluate(self) -> None:
        """Evaluate the learner and print the results."""
        found = self.evaluate_all()
        shown = ", ".join(
            f"{matchup.name} {result.win_share:.1%}" for matchup, result in zip(self.matchups, found)
        )
        self.console.print(f"{self.decisions:,} decisions: {shown}")

    def evaluate_all(self) -> list[Result]:
        """Evaluate the learner in every matchup; adds the results to log and history."""
        copy_learner(self._kept["state"], self.network)
        agent = NetworkAgent(POLICY, self.network, is_sampling=False)
        found = [evaluate(agent, matchup, self.settings.n_eval_episodes) for matchup in self.matchups]
        shares = {matchup.name: round(result.win_share, 4) for matchup, result in zip(self.matchups, found)}
        self._log.write(self.decisions, {f"eval/{name}": share for name, share in shares.items()})
        self._history.append({"decisions": self.decisions, "evaluation": shares})
        return found

    def finish(self) -> None:
        """Show the evaluation and export the policy.

        Raises:
            RunError: if the policy cannot be exported.

        """
        results = self.evaluate_all()
        columns = ("agent", *[matchup.name for matchup in self.matchups])
        row = (POLICY, *[text_table.percent(found.win_share, found.interval) for found in results])
        text_table.show(text_table.TextTable(columns, 1, (row,)), is_markdown=False)
        path = self.folder / f"{POLICY}.onnx"
        try:
            export_learner(self.algorithm.get_module(LEARNER), self.network, path, self.card(results))
        except (OSError, RuntimeError) as error:
            raise RunError(f"cannot export {path}: {error}; with --resume it is tried again") from error
        self.console.print(f"policy: {path}", soft_wrap=True)

    def card(self, results: list[Result]) -> dict[str, Any]:
        """How the policy came about, as plain data."""
        return {
            "name": POLICY,
            "pocketmars_env": __version__,
            "settings": plain(self.settings),
            "decisions": self.decisions,
            "hours": round(self.seconds / 3600, 2),
            "evaluation": {
                matchup.name: {"win_share": round(found.win_share, 4), "games": found.games}
                for matchup, found in zip(self.matchups, results)
            },
            "history": self._history,
        }

    # --- checkpoints ------------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """Write a checkpoint of the last update."""
        checkpoints.save(self.folder, self._kept["decisions"], self._kept)

    def _content(self, state: dict[str, Any]) -> dict[str, Any]:
        return {
            "decisions": self.decisions,
            "seconds": self.seconds,
            "history": list(self._history),
            "past_at": self._past_at,
            "pool": self.pool.to_keep(),
            "state": state,
        }

    def _progress(self) -> Progress:
        return Progress(
            BarColumn(),
            TextColumn("{task.completed:,} / {task.total:,} decisions"),
            TimeRemainingColumn(),
            console=self.console,
        )


def reports_of(runner: Any, shares: NDArray[np.float64]) -> list[Report]:
    """`PoolGame.report` of all games of an RLlib runner; none where a runner only keeps weights."""
    if runner.env is None:
        return []
    return [env.unwrapped.report(shares) for env in runner.env.envs]
