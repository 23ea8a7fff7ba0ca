"""A training run: its folder, its checkpoints, its progress; the scripts share it."""

import sys
import time
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecMonitor

from agents import Agent, make_agent, tables
from pocketmars_env import __version__
from training import checkpoints
from training.export import export
from training.imitation import ROUNDS, Learnt, imitate
from training.joined_vec_env import JoinedVecEnv
from training.ladder import Climb, Rung, climb
from training.model_agent import ModelAgent
from training.network import Network, new_model
from training.run_folder import RunError, begin_folder, plain
from training.settings import Settings


class Run:
    """One training, from its first decision to the exported policy.

    Args:
        settings: of the script.
        env: whose games the learner plays.
        rungs: of the ladder.
        rivals: bots that are measured on the ladder beside the learner, when it has learnt.
        name: of the policy.

    Raises:
        RunError: if the folder holds a run already, or not the one that is to be resumed.
        CheckpointError: if there is no sound checkpoint to resume from.

    """

    def __init__(
        self, settings: Settings, env: JoinedVecEnv, rungs: Sequence[Rung], rivals: Sequence[str], name: str
    ) -> None:
        self.settings, self.env, self.rungs, self.name = settings, env, rungs, name
        self.rivals = [make_agent(rival) for rival in rivals]
        self.console = Console(width=None if sys.stdout.isatty() else tables.PLAIN_WIDTH)
        self.folder = settings.run
        self._begun, self._earlier_seconds = time.perf_counter(), 0.0
        self._history: list[dict[str, Any]] = []
        self._lock = begin_folder(settings)
        try:
            self.model = new_model(VecMonitor(env), settings)
            self.network = Network(self.model.policy)
            if settings.resume:
                checkpoints.restore_newest(self.folder, self._restore)
            self.model.set_logger(configure(str(self.folder), ["tensorboard"]))
        except BaseException:
            self._lock.close()
            raise
        env.seed(settings.seed + self.model.num_timesteps)

    @property
    def seconds(self) -> float:
        """Of this run, in its earlier processes too."""
        return self._earlier_seconds + time.perf_counter() - self._begun

    def close(self) -> None:
        """Let others have the folder."""
        self.model.logger.close()
        self.env.close()
        self._lock.close()

    # --- the course of a run ----------------------------------------------------------------------

    def train(self) -> None:
        """Train to the end, show the ladder and export the policy.

        Raises:
            KeyboardInterrupt: with a checkpoint, unless it comes before the end of the imitation.
            CheckpointError: if a checkpoint cannot be written.
            RunError: if the policy cannot be exported.

        """
        begun = self.model.num_timesteps
        with self._progress() as progress:
            bar = progress.add_task("", total=self.settings.decisions, completed=begun, phase="imitation")
            if not self.settings.resume:  # a run that is resumed has a checkpoint from after it
                self._imitate(progress, bar)
            progress.update(bar, completed=self.model.num_timesteps, phase="self-improvement")
            self._improve(Reporter(self, progress, bar))
        made, seconds = self.model.num_timesteps - begun, time.perf_counter() - self._begun
        self.console.print(
            f"{self.model.num_timesteps:,} decisions with seed {self.settings.seed}; in this process "
            f"{made:,} in {seconds:,.0f} s: {made / seconds:,.0f} decisions/s, evaluations included"
        )
        self.finish()

    def _imitate(self, progress: Progress, bar: TaskID) -> None:
        logger = self.model.logger

        def advance(decisions: int) -> None:
            self.model.num_timesteps += decisions
            progress.advance(bar, decisions)

        def report(number: int, learnt: Learnt) -> None:
            logger.record("imitation/agreement", learnt.agreement)
            logger.record("imitation/loss", learnt.loss)
            logger.dump(self.model.num_timesteps)
            self.console.print(
                f"{self.model.num_timesteps:,} decisions: after round {number} of {ROUNDS} of the imitation "
                f"{learnt.agreement:.1%} of the answers are those of {self.settings.teacher}"
            )

        if self.settings.imitation_decisions:
            imitate(self.network, self.env, self.settings, advance, report)
        self.checkpoint()

    def _improve(self, report: "Reporter") -> None:
        left = self.settings.decisions - self.model.num_timesteps
        if left <= 0:
            return
        try:
            self.model.learn(left, callback=report, reset_num_timesteps=False)
        except KeyboardInterrupt:
            self.model.num_timesteps = report.learnt
            self.checkpoint()
            raise
        self.checkpoint()

    def finish(self) -> None:
        """Show the ladder, with the rivals on it, and export the policy.

        Raises:
            RunError: if the policy cannot be exported.

        """
        climbs = {self.name: self.climb_all(ModelAgent(self.name, self.network, is_sampling=False))}
        self.log_ladder(climbs[self.name])
        self.model.logger.dump(self.model.num_timesteps)
        climbs |= {rival.name: self.climb_all(rival) for rival in self.rivals}
        columns = ("agent", *[rung.name for rung in self.rungs])
        rows = [
            (agent, *[tables.percent(c.share, c.interval) for c in found]) for agent, found in climbs.items()
        ]
        tables.show(tables.Table(columns, 1, tuple(rows)), is_markdown=False)
        path = self.folder / f"{self.name}.onnx"
        try:
            export(self.network, path, self.card(climbs[self.name]))
        except (OSError, RuntimeError) as error:
            raise RunError(f"cannot export {path}: {error}; with --resume it is tried again") from error
        self.console.print(f"policy: {path}", soft_wrap=True)

    def log_ladder(self, climbs: Sequence[Climb]) -> None:
        """Put the learner's shares into the log, and into the history that the policy's card shows."""
        shares = {rung.name: round(found.share, 4) for rung, found in zip(self.rungs, climbs)}
        for name, share in shares.items():
            self.model.logger.record(f"ladder/{name}", share)
        self._history.append({"decisions": self.model.num_timesteps, "ladder": shares})

    def climb_all(self, agent: Agent) -> list[Climb]:
        """How the agent does on every rung."""
        return [climb(agent, rung, self.settings.ladder_games) for rung in self.rungs]

    def card(self, climbs: Sequence[Climb]) -> dict[str, Any]:
        """How the policy came about, as plain data."""
        return {
            "name": self.name,
            "pocketmars_env": __version__,
            "settings": plain(self.settings),
            "decisions": self.model.num_timesteps,
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
            "decisions": self.model.num_timesteps,
            "seconds": self.seconds,
            "history": self._history,
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            **self.more_to_keep(),
        }
        checkpoints.save(self.folder, self.model.num_timesteps, content)

    def _restore(self, content: dict[str, Any]) -> None:
        self.model.policy.load_state_dict(content["policy"])
        self.model.policy.optimizer.load_state_dict(content["optimizer"])
        self.model.num_timesteps = content["decisions"]
        self._earlier_seconds = content["seconds"]
        self._history = content["history"]
        self.restore_more(content)

    def more_to_keep(self) -> dict[str, Any]:
        """What else belongs to a checkpoint."""
        return {}

    def restore_more(self, content: dict[str, Any]) -> None:
        """Take up what `more_to_keep` gave."""

    def after_update(self) -> None:
        """Called between two updates."""

    def _progress(self) -> Progress:
        return Progress(
            TextColumn("{task.fields[phase]}"),
            BarColumn(),
            TextColumn("{task.completed:,} / {task.total:,} decisions"),
            TimeRemainingColumn(),
            console=self.console,
        )


class Reporter(BaseCallback):
    """Between updates: progress, checkpoints and the ladder.

    Args:
        run: whose model learns.
        progress: shows it.
        bar: which of its bars.

    Attributes:
        learnt: the decisions that the policy has learnt from.

    """

    def __init__(self, run: Run, progress: Progress, bar: TaskID) -> None:
        super().__init__()
        self._run, self._progress, self._bar = run, progress, bar
        self.learnt = run.model.num_timesteps
        self._ladder_at = self.learnt + run.settings.ladder_every
        self._checkpoint_at = self.learnt + run.settings.checkpoint_every

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        self.learnt = self.num_timesteps  # no decisions are counted here that wait to be learnt from
        self._progress.update(self._bar, completed=self.num_timesteps)
        self._run.after_update()
        if self.num_timesteps >= self._checkpoint_at:
            self._checkpoint_at += self._run.settings.checkpoint_every
            self._run.checkpoint()
        if self.num_timesteps >= self._ladder_at:
            self._ladder_at += self._run.settings.ladder_every
            self._climb()

    def _on_training_end(self) -> None:
        self._progress.update(self._bar, completed=self.num_timesteps)

    def _climb(self) -> None:
        agent = ModelAgent(self._run.name, self._run.network, is_sampling=False)
        found = self._run.climb_all(agent)
        self._run.log_ladder(found)
        shown = ", ".join(f"{rung.name} {result.share:.1%}" for rung, result in zip(self._run.rungs, found))
        self._run.console.print(f"{self.num_timesteps:,} decisions: {shown}")
