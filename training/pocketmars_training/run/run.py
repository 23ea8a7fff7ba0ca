"""A training run: its folder, its checkpoints, its progress; the scripts share it."""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from stable_baselines3.common.logger import configure
from torch import nn, optim

from pocketmars_agents import Agent, make_agent
from pocketmars_agents.arena import tables
from pocketmars_env.core.version import __version__
from pocketmars_training.model.export import export
from pocketmars_training.model.model_agent import ModelAgent
from pocketmars_training.run import checkpoints
from pocketmars_training.run.ladder import Climb, climb
from pocketmars_training.run.run_folder import RunError, begin_folder, plain
from pocketmars_training.run.settings import LocalSettings
from pocketmars_training.run.training_spec import Rung


class Run(ABC):
    """One training, from its first decision to the exported policy.

    Args:
        settings: of the script.
        rungs: of the ladder.
        rivals: bots that are measured on the ladder beside the learner, when it has learnt.
        name: of the policy.

    Attributes:
        decisions: that have been made and learnt from.
        logger: of TensorBoard's log.

    Raises:
        RunError: if the folder holds a run already, or not the one that is to be resumed.
        CheckpointError: if there is no sound checkpoint to resume from.

    """

    def __init__(
        self, settings: LocalSettings, rungs: Sequence[Rung], opponent_win_split: Sequence[str], name: str
    ) -> None:
        self.settings, self.rungs, self.name = settings, rungs, name
        self.opponent_win_split = [make_agent(rival) for rival in opponent_win_split]
        self.console = tables.plain_console(None if sys.stdout.isatty() else tables.PLAIN_WIDTH)
        self.folder = settings.run
        self._begun, self._earlier_seconds = time.perf_counter(), 0.0
        self._history: list[dict[str, Any]] = []
        self._lock = begin_folder(settings)
        try:
            self.build()
            if settings.resume:
                checkpoints.restore_newest(self.folder, self._restore)
            self.logger = configure(str(self.folder), ["tensorboard"])
        except BaseException:
            self._lock.close()
            raise

    # --- what kinds of training differ in ---------------------------------------------------------

    @property
    @abstractmethod
    def decisions(self) -> int: ...

    @property
    @abstractmethod
    def network(self) -> nn.Module:
        """What learns: gives logits and values for observations, see `export`."""

    @property
    @abstractmethod
    def optimizer(self) -> optim.Optimizer: ...

    @abstractmethod
    def build(self) -> None:
        """Make what learns, untrained."""

    @abstractmethod
    def learn(self, progress: Progress, bar: TaskID) -> None:
        """Go on from `decisions` to the last one.

        Args:
            progress: shows it.
            bar: which of its bars.

        """

    @abstractmethod
    def to_keep(self) -> dict[str, Any]:
        """What belongs to a checkpoint, beside what all runs have: the network is in ``"policy"``."""

    @abstractmethod
    def restore(self, content: dict[str, Any]) -> None:
        """Take up what a checkpoint has."""

    def after_update(self) -> None:  # noqa: B027  # most kinds have nothing to do then
        """Called between two updates."""

    # --- the course of a run ----------------------------------------------------------------------

    @property
    def seconds(self) -> float:
        """Of this run, in its earlier processes too."""
        return self._earlier_seconds + time.perf_counter() - self._begun

    def close(self) -> None:
        """Unlocks the folder."""
        self.logger.close()
        self._lock.close()

    def train(self) -> None:
        """Train to the end, show the ladder and export the policy.

        Raises:
            KeyboardInterrupt: with a checkpoint, unless it comes before there is something to keep.
            CheckpointError: if a checkpoint cannot be written.
            RunError: if the policy cannot be exported.

        """
        begun = self.decisions
        with self._progress() as progress:
            bar = progress.add_task("", total=self.settings.decisions, completed=begun, phase="")
            self.learn(progress, bar)
        made, seconds = self.decisions - begun, time.perf_counter() - self._begun
        self.console.print(
            f"{self.decisions:,} decisions with seed {self.settings.seed}; in this process "
            f"{made:,} in {seconds:,.0f} s: {made / seconds:,.0f} decisions/s, evaluations included"
        )
        self.finish()

    def finish(self) -> None:
        """Show the ladder, with the rivals on it, and export the policy.

        Raises:
            RunError: if the policy cannot be exported.

        """
        climbs = {self.name: self.climb_all(ModelAgent(self.name, self.network, is_sampling=False))}
        self.log_ladder(climbs[self.name])
        self.logger.dump(self.decisions)
        climbs |= {rival.name: self.climb_all(rival) for rival in self.opponent_win_split}
        columns = ("agent", *[rung.name for rung in self.rungs])
        rows = [
            (agent, *[tables.percent(c.share, c.interval) for c in found]) for agent, found in climbs.items()
        ]
        tables.show(tables.Table(columns, 1, tuple(rows)), is_markdown=False)
        path = self.folder / f"{self.name}.onnx"
        try:
            export(self.network, path, self.card(climbs[self.name]), self.settings.spec)
        except (OSError, RuntimeError) as error:
            raise RunError(f"cannot export {path}: {error}; with --resume it is tried again") from error
        self.console.print(f"policy: {path}", soft_wrap=True)

    def log_ladder(self, climbs: Sequence[Climb]) -> None:
        """Put the learner's shares into the log, and into the history that the policy's card shows."""
        shares = {rung.name: round(found.share, 4) for rung, found in zip(self.rungs, climbs)}
        for name, share in shares.items():
            self.logger.record(f"ladder/{name}", share)
        self._history.append({"decisions": self.decisions, "ladder": shares})

    def climb_all(self, agent: Agent) -> list[Climb]:
        """How the agent does on every rung."""
        return [climb(agent, rung, self.settings.ladder_games) for rung in self.rungs]

    def card(self, climbs: Sequence[Climb]) -> dict[str, Any]:
        """How the policy came about, as plain data."""
        return {
            "name": self.name,
            "pocketmars_env": __version__,
            "settings": plain(self.settings),
            "decisions": self.decisions,
            "hours": round(self.seconds / 3600, 2),
            "ladder": {
                rung.name: {"share": round(found.share, 4), "games": found.games}
                for rung, found in zip(self.rungs, climbs)
            },
            "history": self._history,
        }

    # --- checkpoints ------------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """Write a checkpoint."""
        content = {
            "decisions": self.decisions,
            "seconds": self.seconds,
            "history": self._history,
            "optimizer": self.optimizer.state_dict(),
            **self.to_keep(),
        }
        checkpoints.save(self.folder, self.decisions, content)

    def _restore(self, content: dict[str, Any]) -> None:
        self.restore(content)
        self.optimizer.load_state_dict(content["optimizer"])
        self._earlier_seconds = content["seconds"]
        self._history = content["history"]

    def _progress(self) -> Progress:
        return Progress(
            TextColumn("{task.fields[phase]}"),
            BarColumn(),
            TextColumn("{task.completed:,} / {task.total:,} decisions"),
            TimeRemainingColumn(),
            console=self.console,
        )


class Milestones:
    """Between updates: progress, checkpoints and the ladder.

    Args:
        run: whose.
        progress: shows it.
        bar: which of its bars.

    """

    def __init__(self, run: Run, progress: Progress, bar: TaskID) -> None:
        self._run, self._progress, self._bar = run, progress, bar
        self._ladder_at = run.decisions + run.settings.ladder_every
        self._checkpoint_at = run.decisions + run.settings.checkpoint_every

    def pass_by(self) -> None:
        """Do what is due after so many decisions."""
        run = self._run
        self._progress.update(self._bar, completed=run.decisions)
        run.after_update()
        if run.decisions >= self._checkpoint_at:
            self._checkpoint_at += run.settings.checkpoint_every
            run.checkpoint()
        if run.decisions >= self._ladder_at:
            self._ladder_at += run.settings.ladder_every
            self._climb()

    def _climb(self) -> None:
        run = self._run
        found = run.climb_all(ModelAgent(run.name, run.network, is_sampling=False))
        run.log_ladder(found)
        shown = ", ".join(f"{rung.name} {result.share:.1%}" for rung, result in zip(run.rungs, found))
        run.console.print(f"{run.decisions:,} decisions: {shown}")
