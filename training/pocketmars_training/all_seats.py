"""Make a policy better that a training has made, with PPO that learns from every seat it has.

    pocketmars train all-seats --start runs/table/table.onnx --run runs/better
    pocketmars train all-seats --start runs/table/table.onnx --run runs/better --resume

The learner plays against itself, and some games against bots. `pocketmars train self-play` learns from one
seat of a game, and its opponents answer a few questions at a time. Here one network answers nearly all
questions, of hundreds of games at once, and learns from all of them: several times as many decisions in the
same time.
In the end the run's folder holds `table.onnx`. With ``--players 1`` the learner plays the solo game, where it
has one seat, and the policy is `solo.onnx`.
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
"""To which the gradient's norm is cut."""
EPSILON = 1e-8
"""Nothing is divided by less."""
ADAM_EPSILON = 1e-5
"""As in Stable-Baselines3: inputs that are rarely seen learn by small steps."""
LOGGED = ("policy_loss", "value_loss", "rival_loss", "entropy", "barrier", "divergence", "clip_fraction")


@dataclass(frozen=True, kw_only=True)
class AllSeatsSettings(FurtherSettings):
    """Make a policy better that a training has made, with PPO that learns from every seat it has."""

    decisions: int = 40_000_000
    """The learner's decisions in all, in games that have ended."""
    games: int = 2_560
    """Games that are played side by side."""
    batch: int = 8_192
    """Decisions in a step of the optimizer."""
    learning_rate: float = 2e-4
    """Adam's, at the start; it falls to a tenth of that by the end."""
    bot_share: float = 0.2
    """The share of the games with a bot, in all seats but one; in the others all seats are the learner's."""
    ladder_every: int = 4_000_000
    """Decisions between two evaluations on the ladder."""
    checkpoint_every: int = 1_000_000
    """Decisions between two checkpoints."""

    update: int = 65_536
    """Decisions between two updates."""
    epochs: int = 1
    """How often an update goes over its decisions."""
    entropy: float = 0.02
    """Weight of the bonus for undecided policies, at the start; it falls as the learning rate does."""
    barrier: float = 0.005
    """Weight of the log barrier, at the start; it falls, too. It keeps all probabilities above 0, so that
    every answer is tried now and then."""
    clip: float = 0.2
    """PPO's clipping range."""
    gae: float = 0.9
    """λ of the generalized advantage estimation; rewards are not discounted."""
    layers: int | None = None
    """Hidden layers; by default as many as the start has. Further ones change nothing until they learn."""
    bfloat16: bool = False
    """Compute with matrices in bfloat16: twice as quick on processors that can do so, slower on others."""

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
    """A run that learns from every seat of the learner.

    Args:
        settings: of the run.

    """

    settings: AllSeatsSettings
    _exploring = 1.0  # what is left of entropy and barrier

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
        """End the threads, and let others have the folder."""
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
        """One for each thread, with its part of the games."""
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
        """What an update learns from."""
        left = self.settings.decisions - self.decisions
        each = -(-min(self.settings.update, left) // len(players))
        return joined(list(self._pool.map(lambda player: player.play(self.answers, each), players)))

    def improve(self, experience: Experience, rng: np.random.Generator) -> None:
        """Learn from games that are over."""
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
        """Rows in an order by chance; a last batch that is not full is left out, unless there is no other."""
        rows, batch = rng.permutation(number), self.settings.batch
        for first in range(0, max(1, number - batch + 1), batch):
            yield rows[first : first + batch]

    def step(self, batch: Batch) -> list[float]:
        """One step of the optimizer; returns the numbers of `LOGGED`.

        The clipped objective of Schulman et al., "Proximal policy optimization algorithms", 2017, with a
        log barrier (Agarwal et al., "On the theory of policy gradient methods", JMLR 2021): the mean of the
        negative logarithms of the legal answers' probabilities. The bonus for entropy does hardly anything
        for an answer that has become improbable; the barrier does.
        """
        logits, values, rivals = self.answers(batch.observations)
        policies = masked(logits, batch.masks).log_softmax(dim=1)
        changes = of_actions(policies, batch.actions) - batch.logs
        ratios, clip = changes.exp(), self.settings.clip
        spread = batch.advantages.std(correction=0) + EPSILON
        advantages = (batch.advantages - batch.advantages.mean()) / spread
        gain = torch.min(advantages * ratios, advantages * ratios.clamp(1 - clip, 1 + clip)).mean()
        value_loss = functional.mse_loss(values, batch.returns)
        rival_loss = rivals_loss(batch.shares[:, 1:], batch.seats, rivals)
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
        """Of the network that learns, float32; the same whether it plays or learns."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.settings.bfloat16):
            return tuple(answer.float() for answer in self.learner(observations))


SETTINGS = AllSeatsSettings


def main() -> None:
    """The script."""
    train("pocketmars train all-seats", __doc__, SETTINGS, AllSeatsRun)


if __name__ == "__main__":
    main()
