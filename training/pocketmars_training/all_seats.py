"""Fine-tune a policy with self-play PPO, learning from every seat.

    pocketmars train all-seats --start runs/table/table.onnx --run runs/better
    pocketmars train all-seats --start runs/table/table.onnx --run runs/better --resume

The learner plays against itself, and some games against bots. `pocketmars train self-play` learns from one
seat per game and evaluates its opponents in small batches. Here one network plays nearly all seats of
hundreds of games in one batch and learns from all of them, which gives several times as many decisions in the
same time.
The run writes `table.onnx`. With ``--players 1`` the learner plays the one seat of the solo game, and the run
writes `solo.onnx`.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import Progress, TaskID
from torch.nn import functional

from pocketmars_agents import make_agent
from pocketmars_agents.network.mlp import Mlp
from pocketmars_training.data.experience import Batch, Experience, Player, joined
from pocketmars_training.model.masked_policy import of_actions
from pocketmars_training.model.masking import masked
from pocketmars_training.model.network import Network
from pocketmars_training.model.shares import rivals_loss
from pocketmars_training.run.further import FurtherRun, FurtherSettings, mlp_of
from pocketmars_training.run.run import Milestones
from pocketmars_training.run.script import train
from pocketmars_training.run.training_spec import kinds_of

VALUE_WEIGHT = 0.5
LONGEST_STEP = 0.5
"""Maximum norm of the gradient."""
EPSILON = 1e-8
"""Lower bound of divisors."""
ADAM_EPSILON = 1e-5
"""As in Stable-Baselines3: rare inputs get small steps."""
LOGGED = ("policy_loss", "value_loss", "rival_loss", "entropy", "barrier", "divergence", "clip_fraction")


@dataclass(frozen=True, kw_only=True)
class AllSeatsSettings(FurtherSettings):
    """Fine-tune a policy with self-play PPO, learning from every seat."""

    decisions: int = 40_000_000
    """Total decisions of the learner in finished games."""
    games: int = 2_560
    """Games played in parallel."""
    batch: int = 8_192
    """Decisions per optimizer step."""
    learning_rate: float = 2e-4
    """Adam's initial learning rate; it decays to a tenth by the end."""
    bot_share: float = 0.2
    """Share of the games in which a bot plays all seats but one; otherwise the learner plays all seats."""
    ladder_every: int = 4_000_000
    """Decisions between evaluations on the ladder."""
    checkpoint_every: int = 1_000_000
    """Decisions between checkpoints."""

    update: int = 65_536
    """Decisions between updates."""
    epochs: int = 1
    """Passes over the decisions of an update."""
    entropy: float = 0.02
    """Initial coefficient of the entropy bonus; it decays with the learning rate."""
    barrier: float = 0.005
    """Initial coefficient of the log barrier; it decays with the learning rate. The barrier keeps the
    probability of every legal action above 0, so that all are explored."""
    clip: float = 0.2
    """PPO's clipping range."""
    gae: float = 0.9
    """λ of generalized advantage estimation; rewards are not discounted."""
    layers: int | None = None
    """Number of hidden layers; by default that of the initial policy. Added layers begin as the identity."""
    bfloat16: bool = False
    """Multiply matrices in bfloat16: twice as fast on processors that support it, slower on others."""

    def __post_init__(self) -> None:
        super().__post_init__()
        enough = len(kinds_of(self.spec, self.players, self.handicaps)) * self.threads
        self._check("games", self.games >= enough, f"at least {enough}, one of each kind in each thread")
        self._check("update", self.update >= self.batch, "at least the batch")
        self._check("epochs", self.epochs >= 1, "at least 1")
        for name in ("clip", "gae"):
            self._check(name, 0 <= getattr(self, name) <= 1, "in 0..1")
        for name in ("entropy", "barrier"):
            self._check(name, 0 <= getattr(self, name) < float("inf"), "0 or more")
        least = len(mlp_of(self.start, self.spec).biases)
        is_enough = self.layers is None or self.layers >= least
        self._check("layers", is_enough, f"at least {least}, those of the start")


class AllSeatsRun(FurtherRun):
    """PPO run that learns from every seat.

    Args:
        settings: the settings of the run.

    """

    settings: AllSeatsSettings
    _exploring = 1.0  # remaining factor of entropy and barrier

    def first_network(self, mlp: Mlp) -> Network:
        network = super().first_network(mlp)
        network.trunk.deepen(self.settings.layers or 0)
        return network

    def build(self) -> None:
        super().build()
        self._pool = ThreadPoolExecutor(
            self.settings.threads, initializer=torch.set_num_threads, initargs=(1,)
        )

    def close(self) -> None:
        """Stops the threads and unlocks the folder."""
        self._pool.shutdown()
        super().close()

    def learn(self, progress: Progress, bar: TaskID) -> None:
        progress.update(bar, phase="self-improvement")
        if not self.settings.resume:
            self.checkpoint()
        milestones = Milestones(self, progress, bar)
        players = self.new_players()
        rng = np.random.default_rng([self.settings.seed, self.decisions])
        try:
            while self.decisions < self.settings.decisions:
                milestones.pass_by()
                experience = self.play(players)
                self.improve(experience, rng)
                self._decisions += experience.decisions
        except KeyboardInterrupt:
            self.checkpoint()
            raise
        progress.update(bar, completed=self.decisions)
        self.checkpoint()

    def new_players(self) -> list[Player]:
        """Makes one player per thread, each with a part of the games."""
        settings = self.settings
        kinds = kinds_of(settings.spec, settings.players, settings.handicaps)
        counts = settings.parts_of_games(settings.threads * len(kinds))
        return [
            Player(
                settings.spec,
                counts[thread :: settings.threads],
                kinds,
                [make_agent(name) for name in settings.bots],
                settings.bot_share,
                settings.gae,
                (settings.seed, self.decisions, thread),
            )
            for thread in range(settings.threads)
        ]

    def play(self, players: list[Player]) -> Experience:
        """Collects the experience of an update."""
        left = self.settings.decisions - self.decisions
        each = -(-min(self.settings.update, left) // len(players))
        return joined(list(self._pool.map(lambda player: player.play(self.answers, each), players)))

    def improve(self, experience: Experience, rng: np.random.Generator) -> None:
        """Updates the network from finished games."""
        rate = self.set_learning_rate()
        self._exploring = rate / self.settings.learning_rate
        steps = [
            self.step(experience.batch(rows))
            for _ in range(self.settings.epochs)
            for rows in self.batches(experience.decisions, rng)
        ]
        for name, number in zip(LOGGED, np.mean(steps, axis=0)):
            self.logger.record(f"all_seats/{name}", number)
        returns = experience.values + experience.advantages
        unexplained = np.var(experience.advantages) / max(np.var(returns), EPSILON)
        self.logger.record("all_seats/explained_variance", 1 - unexplained)
        self.logger.record("all_seats/learning_rate", rate)
        self.logger.record("time/decisions_per_second", self.decisions / self.seconds)
        self.logger.dump(self.decisions)

    def batches(self, number: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
        """Yields batches of shuffled rows; drops an incomplete last batch unless it is the only one."""
        rows, batch = rng.permutation(number), self.settings.batch
        for first in range(0, max(1, number - batch + 1), batch):
            yield rows[first : first + batch]

    def step(self, batch: Batch) -> list[float]:
        """One step of the optimizer; returns the numbers of `LOGGED`.

        The clipped objective of Schulman et al., "Proximal policy optimization algorithms", 2017, with a
        log barrier (Agarwal et al., "On the theory of policy gradient methods", JMLR 2021): the mean of the
        negative logarithms of the legal actions' probabilities. The entropy bonus has almost no effect on
        improbable actions; the barrier does.
        """
        logits, values, opponent_win_split = self.answers(batch.observations)
        policies = masked(logits, batch.masks).log_softmax(dim=1)
        changes = of_actions(policies, batch.actions) - batch.logs
        ratios, clip = changes.exp(), self.settings.clip
        spread = batch.advantages.std(correction=0) + EPSILON
        advantages = (batch.advantages - batch.advantages.mean()) / spread
        gain = torch.min(advantages * ratios, advantages * ratios.clamp(1 - clip, 1 + clip)).mean()
        value_loss = functional.mse_loss(values, batch.returns)
        rival_loss = rivals_loss(batch.shares[:, 1:], batch.seats, opponent_win_split)
        # An illegal action's probability is 0, its logarithm finite: it adds nothing.
        entropy = -(policies.exp() * policies).sum(dim=1).mean()
        barrier = -((policies * batch.masks).sum(dim=1) / batch.masks.sum(dim=1)).mean()
        exploring = self._exploring * (self.settings.barrier * barrier - self.settings.entropy * entropy)
        self.descend(VALUE_WEIGHT * (value_loss + rival_loss) + exploring - gain, LONGEST_STEP)
        divergence = (ratios - 1 - changes).mean()  # this estimate is never negative (Schulman, 2020)
        clipped = ((ratios - 1).abs() > clip).float().mean()
        numbers = -gain, value_loss, rival_loss, entropy, barrier, divergence, clipped
        return [number.item() for number in numbers]

    def answers(self, observations: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Outputs of the network that learns, float32; the same in play and in updates."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.settings.bfloat16):
            return tuple(answer.float() for answer in self.learner(observations))


SETTINGS = AllSeatsSettings


def main() -> None:
    """Runs the script."""
    train("pocketmars train all-seats", __doc__, SETTINGS, AllSeatsRun)


if __name__ == "__main__":
    main()
