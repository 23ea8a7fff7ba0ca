"""Training runs: progress, evaluations, checkpoints and the exported policy."""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch import nn

from pocketmars_agents import Agent, make_agent
from pocketmars_agents.arena import text_table
from pocketmars_env.core.version import __version__
from pocketmars_training.common import checkpoints
from pocketmars_training.common.evaluation import Result, evaluate, show_results
from pocketmars_training.common.export import export
from pocketmars_training.common.network_agent import NetworkAgent
from pocketmars_training.common.run_folder import RunError, begin_folder, plain
from pocketmars_training.common.settings import RunSettings
from pocketmars_training.common.training_spec import Matchup


class Run(ABC):
    """A training run, from the first decision to the exported policy, ``<name>.onnx``.

    Agents are evaluated in the `matchups`; the bots `baselines` are evaluated too at the end of the run.
    """

    num_timesteps: int
    """The number of decisions collected for training so far, including those for imitation."""
    network: nn.Module
    """The network to evaluate and export; see `export`."""
    logger: Any
    """The log, with Stable-Baselines3's logger methods `record`, `dump` and `close`."""

    def __init__(
        self, settings: RunSettings, matchups: Sequence[Matchup], baselines: Sequence[str], name: str
    ) -> None:
        self.settings: Any = settings
        self.matchups, self.name = matchups, name
        self.baselines = [make_agent(bot) for bot in baselines]
        self.folder = settings.run
        self.console = text_table.plain_console(None if sys.stdout.isatty() else text_table.PLAIN_WIDTH)
        self._started, self._earlier_seconds = time.perf_counter(), 0.0
        self._history: list[dict[str, Any]] = []
        with ExitStack() as stack:
            self.resources = stack
            stack.enter_context(begin_folder(settings))
            self.build()
            if settings.resume:
                checkpoints.restore_newest(self.folder, self.load_state_dict)
            self.open_log()
            stack.callback(self.logger.close)
            self.resources = stack.pop_all()

    @abstractmethod
    def build(self) -> None:
        """Create the initial network and the other objects that the run needs."""

    def open_log(self) -> None:
        """Open the log; by default, a TensorBoard log."""
        from stable_baselines3.common.logger import configure  # not installed with the extra rllib

        self.logger = configure(str(self.folder), ["tensorboard"])

    def start_games(self) -> None:
        """Start the training games."""
        raise NotImplementedError

    def update(self) -> int:
        """Collect decisions for one update, learn from them, and return the number of new decisions."""
        raise NotImplementedError

    def learn(self) -> None:
        """Train until `total_timesteps` decisions are made, calling `between_updates` before each update."""
        self.show_progress(self.num_timesteps, phase="training")
        self.start_games()
        if not checkpoints.kept(self.folder):
            self.checkpoint()
        try:
            while self.num_timesteps < self.settings.total_timesteps:
                self.between_updates()
                self.num_timesteps += self.update()
        except KeyboardInterrupt:
            self.checkpoint()
            raise
        self.checkpoint()

    def state_dict(self) -> dict[str, Any]:
        """Return the state for a checkpoint, as tensors and plain data."""
        return {
            "num_timesteps": self.num_timesteps,
            "seconds": self.seconds,
            "history": self._history,
        }

    def load_state_dict(self, content: dict[str, Any]) -> None:
        """Restore the state from a checkpoint."""
        self.num_timesteps = content["num_timesteps"]
        self._earlier_seconds, self._history = content["seconds"], content["history"]

    @property
    def seconds(self) -> float:
        """The run's duration in seconds; in a resumed run, this includes the time before the checkpoint."""
        return self._earlier_seconds + time.perf_counter() - self._started

    def close(self) -> None:
        """Close the log, release all other resources and unlock the folder."""
        self.resources.close()

    def train(self) -> None:
        """Train until `total_timesteps` decisions are made, show evaluation results and export the policy."""
        first = self.num_timesteps
        columns = (
            TextColumn("{task.fields[phase]}"),
            BarColumn(),
            TextColumn("{task.completed:,} / {task.total:,} decisions"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self.console) as self._progress:
            self._bar = self._progress.add_task(
                "", total=self.settings.total_timesteps, completed=first, phase=""
            )
            self.learn()
            self.show_progress(self.num_timesteps)
        made, seconds = self.num_timesteps - first, time.perf_counter() - self._started
        self.console.print(
            f"{self.num_timesteps:,} decisions with seed {self.settings.seed}; in this process "
            f"{made:,} in {seconds:,.0f} s: {made / seconds:,.0f} decisions/s, evaluations included"
        )
        self.finish()

    @property
    def phase_start(self) -> int:
        """The number of decisions from which those between evaluations and checkpoints are counted."""
        return 0

    def is_due(self, frequency: int, last: int) -> bool:
        """Return whether a multiple of `frequency` was reached after `last`, both numbers of decisions."""
        start = self.phase_start
        return (self.num_timesteps - start) // frequency > max(0, last - start) // frequency

    def show_progress(self, num_timesteps: int, phase: str | None = None) -> None:
        """Update the progress bar and, if given, the name of the phase."""
        fields = {} if phase is None else {"phase": phase}
        self._progress.update(self._bar, completed=num_timesteps, **fields)  # type: ignore[arg-type]

    def between_updates(self) -> None:
        """Update the progress bar; when due, write a checkpoint and evaluate the learner."""
        self.show_progress(self.num_timesteps)
        last = checkpoints.num_timesteps_of(checkpoints.kept(self.folder)[-1])
        if self.is_due(self.settings.save_freq, last):
            self.checkpoint()
        self.evaluate_when_due()

    def checkpoint(self) -> None:
        """Write a checkpoint."""
        checkpoints.save(self.folder, self.num_timesteps, self.state_dict())

    # --- evaluation -------------------------------------------------------------------------------

    def evaluate_when_due(self) -> None:
        """Evaluate the learner if a multiple of `eval_freq` was reached after the last evaluation."""
        last = self._history[-1]["decisions"] if self._history else 0
        if not self.is_due(self.settings.eval_freq, last):
            return
        results = self.evaluate_learner()
        win_rates = ", ".join(
            f"{matchup.name} {result.win_share:.1%}" for matchup, result in zip(self.matchups, results)
        )
        self.console.print(f"{self.num_timesteps:,} decisions: {win_rates}")

    def evaluate(self, agent: Agent) -> list[Result]:
        """Evaluate an agent in every matchup."""
        return [evaluate(agent, matchup, self.settings.n_eval_episodes) for matchup in self.matchups]

    def evaluate_learner(self) -> list[Result]:
        """Evaluate the learner, and add the win rates to the log and to the history in the model card."""
        results = self.evaluate(NetworkAgent(self.name, self.network, is_sampling=False))
        shares = {matchup.name: round(result.win_share, 4) for matchup, result in zip(self.matchups, results)}
        for name, share in shares.items():
            self.logger.record(f"eval/{name}", share)
        games = self.settings.n_eval_episodes  # may change when the run is resumed
        if self._history and self._history[-1]["decisions"] == self.num_timesteps:
            self._history.pop()  # a finished run is evaluated again
        self._history.append({"decisions": self.num_timesteps, "evaluation": shares, "games": games})
        return results

    def finish(self) -> list[Result]:
        """Evaluate the learner and the baselines, export the policy, and return the learner's results."""
        results = self.evaluate_learner()
        self.logger.dump(self.num_timesteps)
        self.checkpoint()  # keeps this evaluation if the run is extended
        rows = {self.name: results} | {bot.name: self.evaluate(bot) for bot in self.baselines}
        show_results(self.matchups, rows)
        path = self.folder / f"{self.name}.onnx"
        try:
            export(self.network, path, self.card(results), self.settings.spec)
        except (OSError, RuntimeError) as error:
            raise RunError(f"cannot export {path}: {error}; run again with --resume {self.folder}") from error
        self.console.print(f"policy: {path}", soft_wrap=True)
        return results

    def card(self, results: Sequence[Result]) -> dict[str, Any]:
        """Return the policy's model card, which is stored in the ONNX file's metadata, as plain data."""
        return {
            "name": self.name,
            "pocketmars_env": __version__,
            "settings": plain(self.settings),
            "decisions": self.num_timesteps,
            "hours": round(self.seconds / 3600, 2),
            "evaluation": {
                matchup.name: {"win_share": round(result.win_share, 4), "games": result.games}
                for matchup, result in zip(self.matchups, results)
            },
            "history": self._history,
        }
