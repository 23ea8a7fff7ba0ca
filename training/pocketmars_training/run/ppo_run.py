"""A training run with Stable-Baselines3's MaskablePPO, after an imitation."""

from collections.abc import Sequence
from typing import Any

from rich.progress import Progress, TaskID
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor
from torch import optim

from pocketmars_training.data.imitation import ROUNDS, Learnt, imitate
from pocketmars_training.data.joined_vec_env import JoinedVecEnv
from pocketmars_training.model.network import Network, new_model
from pocketmars_training.run.run import Milestones, Run
from pocketmars_training.run.settings import Settings
from pocketmars_training.run.training_spec import Rung


class PpoRun(Run):
    """One training with MaskablePPO.

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

    settings: Settings

    def __init__(
        self,
        settings: Settings,
        env: JoinedVecEnv,
        rungs: Sequence[Rung],
        opponent_win_split: Sequence[str],
        name: str,
    ) -> None:
        self.env = env
        super().__init__(settings, rungs, opponent_win_split, name)
        self.model.set_logger(self.logger)
        env.seed(settings.seed + self.decisions)

    @property
    def decisions(self) -> int:
        return self.model.num_timesteps

    @property
    def network(self) -> Network:
        return self._network

    @property
    def optimizer(self) -> optim.Optimizer:
        optimizer: optim.Optimizer = self.model.policy.optimizer
        return optimizer

    def build(self) -> None:
        self.model = new_model(VecMonitor(self.env), self.settings)
        self._network = Network.of_policy(self.model.policy)

    def close(self) -> None:
        """Unlocks the folder."""
        self.env.close()
        super().close()

    # --- learning ---------------------------------------------------------------------------------

    def learn(self, progress: Progress, bar: TaskID) -> None:
        if not self.settings.resume:  # a run that is resumed has a checkpoint from after it
            progress.update(bar, phase="imitation")
            self._imitate(progress, bar)
        progress.update(bar, completed=self.decisions, phase="self-improvement")
        self._improve(Reporter(self, progress, bar))

    def _imitate(self, progress: Progress, bar: TaskID) -> None:
        def advance(decisions: int) -> None:
            self.model.num_timesteps += decisions
            progress.advance(bar, decisions)

        def report(number: int, learnt: Learnt) -> None:
            self.logger.record("imitation/agreement", learnt.agreement)
            self.logger.record("imitation/loss", learnt.loss)
            self.logger.dump(self.decisions)
            self.console.print(
                f"{self.decisions:,} decisions: after round {number} of {ROUNDS} of the imitation "
                f"{learnt.agreement:.1%} of the answers are those of {self.settings.teacher}"
            )

        if self.settings.imitation_decisions:
            imitate(self.network, self.env, self.settings, advance, report)
        self.checkpoint()

    def _improve(self, report: "Reporter") -> None:
        left = self.settings.decisions - self.decisions
        if left <= 0:
            return
        try:
            self.model.learn(left, callback=report, reset_num_timesteps=False)
        except KeyboardInterrupt:
            self.model.num_timesteps = report.learnt
            self.checkpoint()
            raise
        self.checkpoint()

    # --- checkpoints ------------------------------------------------------------------------------

    def to_keep(self) -> dict[str, Any]:
        return {"policy": self.model.policy.state_dict()}

    def restore(self, content: dict[str, Any]) -> None:
        self.model.policy.load_state_dict(content["policy"])
        self.model.num_timesteps = content["decisions"]


class Reporter(BaseCallback):
    """Lets a run pass its milestones between updates.

    Args:
        run: whose model learns.
        progress: shows it.
        bar: which of its bars.

    Attributes:
        learnt: the decisions that the policy has learnt from.

    """

    def __init__(self, run: PpoRun, progress: Progress, bar: TaskID) -> None:
        super().__init__()
        self._progress, self._bar = progress, bar
        self._milestones = Milestones(run, progress, bar)
        self.learnt = run.decisions

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        self.learnt = self.num_timesteps  # no decisions are counted here that wait to be learnt from
        self._milestones.pass_by()

    def _on_training_end(self) -> None:
        self._progress.update(self._bar, completed=self.num_timesteps)
