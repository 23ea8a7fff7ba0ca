"""A training run on a Ray cluster."""

import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from pocketmars_training.common.evaluation import Result
from pocketmars_training.common.network import Network
from pocketmars_training.common.run import Run
from pocketmars_training.common.training_spec import training_of
from pocketmars_training.rllib.cluster import cluster, waiting_for
from pocketmars_training.rllib.config import make_config
from pocketmars_training.rllib.game import Report
from pocketmars_training.rllib.log import Log, numbers_of
from pocketmars_training.rllib.module import new_network
from pocketmars_training.rllib.pool import LEARNER, Pool
from pocketmars_training.rllib.settings import ScaleOutSettings
from pocketmars_training.rllib.state import freeze, load_learner, restore_state, state_of


class ScaleOutRun(Run):
    """A run of RLlib's PPO against the current policy, past selves and bots."""

    settings: ScaleOutSettings
    network: Network

    def __init__(self, settings: ScaleOutSettings) -> None:
        training = training_of(settings.spec)
        super().__init__(settings, training.matchups(settings.players), (), training.policy_name)

    def build(self) -> None:
        settings, self.num_timesteps = self.settings, 0
        torch.set_num_threads(settings.threads)
        self.network = new_network(settings.spec, settings.net_arch)
        self.pool = Pool(settings.bots, settings.past_kept, settings.present_share)
        self._next_past = settings.past_every
        self._kept: dict[str, Any] = {}
        self.resources.enter_context(cluster(settings))

    def open_log(self) -> None:
        self.logger = Log(self.folder)

    def state_dict(self) -> dict[str, Any]:
        """Return the state for a checkpoint, as of the last complete update."""
        return super().state_dict() | self._kept

    def load_state_dict(self, content: dict[str, Any]) -> None:
        super().load_state_dict(content)
        self._next_past = content["next_past"]
        self.pool.load_state_dict(content["pool"])
        self._keep(content["rllib"])

    def _keep(self, state: dict[str, Any]) -> None:
        """Store the state for checkpoints, and copy the learner's weights to `network`."""
        load_learner(self.network, state)
        self._kept = {"rllib": state, "pool": self.pool.state_dict(), "next_past": self._next_past}

    def start_games(self) -> None:
        if waiting := waiting_for(self.settings):
            self.console.print(waiting)
        # `num_timesteps` gives a resumed run new deals. RLlib adds offsets; NumPy needs seeds below 2**32.
        seed = (self.settings.seed + self.num_timesteps) % 2**31
        self.algorithm = make_config(self.settings, seed).build_algo()
        self.resources.callback(self.algorithm.stop)
        if self._kept:
            restore_state(self.algorithm, self._kept["rllib"])
        else:
            self._keep(state_of(self.algorithm))
        self._exchange()  # sends the shares and discards earlier results

    def update(self) -> int:
        started = time.perf_counter()
        results = self.algorithm.train()
        reports = self._exchange()
        for member, reward in (result for report in reports for result in report.results):
            self.pool.record(self.pool.members.index(member), reward)
        if LEARNER not in results.get("learners", {}):  # no runner responded; RLlib restarts failed runners
            return 0
        made = sum(report.decisions for report in reports)
        numbers = numbers_of(results, LEARNER)
        numbers |= {f"score/{name}": score for name, score in self.pool.named_scores().items()}
        numbers["play/games"] = sum(report.games for report in reports)
        numbers["play/runners"] = self.algorithm.env_runner_group.num_healthy_remote_workers()
        numbers["time/decisions_per_second"] = made / (time.perf_counter() - started)
        for name, number in numbers.items():
            self.logger.record(name, number)
        self.logger.dump(self.num_timesteps + made)
        if self.num_timesteps + made >= self._next_past:
            self._next_past += self.settings.past_every
            freeze(self.algorithm, self.pool.add_past())
        self._keep(state_of(self.algorithm))
        return made

    def _exchange(self) -> list[Report]:
        """Send the result of `Pool.shares` to all environments, and return the environments' reports."""
        shares = self.pool.shares()
        groups = self.algorithm.env_runner_group.foreach_env_runner(lambda runner: reports_of(runner, shares))
        return [report for reports in groups for report in reports]

    def evaluate_learner(self) -> list[Result]:
        """Evaluate the learner, and write the results to the log immediately."""
        results = super().evaluate_learner()
        self.logger.dump(self.num_timesteps)
        return results


def reports_of(runner: Any, shares: NDArray[np.float64]) -> list[Report]:
    """Call `PoolGame.report` for all environments of an RLlib runner; the driver's runner may have none."""
    return [] if runner.env is None else [env.unwrapped.report(shares) for env in runner.env.envs]
