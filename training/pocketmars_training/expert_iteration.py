"""Improve a policy with expert iteration: learn from a search guided by its own network.

    pocketmars train expert-iteration --start runs/table/table.onnx --run runs/expert
    pocketmars train expert-iteration --start runs/table/table.onnx --run runs/expert --resume

The learner plays against itself and against bots. In most positions where the network is not sure, a search
guided by it finds a better policy. The network learns that policy and the games' outcomes, which improves the
search in turn (Anthony, Tian and Barber, "Thinking fast and slow with deep learning and tree search",
NeurIPS 2017; Silver et al., "Mastering the game of Go without human knowledge", Nature 2017). The run writes
`table.onnx`. With ``--players 1`` it trains for the solo game and writes `solo.onnx`.
"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import Progress, TaskID
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from pocketmars_agents import make_agent
from pocketmars_training.data.expert import Expert
from pocketmars_training.data.mixed_games import MixedGames
from pocketmars_training.data.replay_buffer import Lesson, ReplayBuffer
from pocketmars_training.model.masking import masked
from pocketmars_training.model.network import Network
from pocketmars_training.model.shares import rivals_loss
from pocketmars_training.run.further import FurtherRun, FurtherSettings
from pocketmars_training.run.run import Milestones
from pocketmars_training.run.script import train
from pocketmars_training.run.training_spec import kinds_of

MOST_LESSONS = 4_000_000
VALUE_WEIGHT = 0.5
LOGGED = ("policy_loss", "value_loss", "rival_loss", "agreement", "entropy")
LONGEST_STEP = 1.0
"""Maximum norm of the gradient."""
LEAST_TARGET = 1e-6
"""Lower bound of action probabilities."""


@dataclass(frozen=True, kw_only=True)
class ExpertSettings(FurtherSettings):
    """Improve a policy with expert iteration: learn from a search guided by its own network."""

    decisions: int = 3_000_000
    """Decisions searched by the expert in finished games."""
    games: int = 480
    """Games played in parallel."""
    batch: int = 1_024
    """Training samples per optimizer step."""

    simulations: int = 100
    """Search simulations per decision."""
    temperature: float = 3.0
    """Divisor of the network's logits in the search; see `PuctAgent`."""
    sharpness: float = 50.0
    """Increase of an action's target logit per unit of win probability."""
    searched: float = 0.8
    """Share of the unsure decisions that are searched; the network makes the others itself."""
    sure: float = 0.98
    """Action probability from which the network counts as sure."""
    searched_if_sure: float = 0.1
    """Share of the sure decisions that are searched."""

    window: int = 600_000
    """Size of the replay buffer in samples; each takes 3.5 KB of memory."""
    update: int = 20_000
    """Decisions between updates."""
    passes: float = 4.0
    """Samples drawn per update, as a multiple of its decisions."""
    outcome: float = 0.6
    """Weight of the game's outcome in the value target; the rest is the search's value."""
    averaged: int = 250
    """Steps in the moving average of the weights; the average plays and is exported."""

    def __post_init__(self) -> None:
        super().__post_init__()
        enough = len(kinds_of(self.spec, self.players, self.handicaps))
        self._check("games", self.games >= enough, f"at least {enough}, one of each kind")
        for name in ("searched", "sure", "searched_if_sure", "outcome"):
            self._check(name, 0 <= getattr(self, name) <= 1, "in 0..1")
        self._check("searched", self.searched > 0, "above 0")
        for name in ("simulations", "update", "averaged"):
            self._check(name, getattr(self, name) >= 1, "at least 1")
        for name in ("temperature", "sharpness", "passes"):
            self._check(name, 0 < getattr(self, name) < float("inf"), "above 0")
        self._check("window", 1 <= self.window <= MOST_LESSONS, f"in 1..{MOST_LESSONS}")


class ExpertRun(FurtherRun):
    """A run of expert iteration.

    Args:
        settings: the settings of the run.

    """

    settings: ExpertSettings

    @property
    def network(self) -> Network:
        """The averaged network, which plays, guides the search and is exported."""
        return cast(Network, self._average.module)

    def build(self) -> None:
        super().build()
        settings = self.settings
        averaging = get_ema_multi_avg_fn(1 - 1 / settings.averaged)  # type: ignore[no-untyped-call]  # of PyTorch
        self._average = AveragedModel(self.learner, multi_avg_fn=averaging)
        self._average.update_parameters(self.learner)
        self.expert = Expert(
            settings.spec,
            self.network.to_mlp(),
            settings.simulations,
            settings.temperature,
            settings.sharpness,
            settings.threads,
        )
        self.buffer = ReplayBuffer(settings.spec, settings.window, settings.outcome)

    def close(self) -> None:
        """Unlocks the folder."""
        self.expert.close()
        super().close()

    def to_keep(self) -> dict[str, Any]:
        """Checkpoint content: both networks and the initial policy's card; samples are collected anew."""
        return super().to_keep() | {"average": self._average.state_dict()}

    def restore(self, content: dict[str, Any]) -> None:
        super().restore(content)
        self._average.load_state_dict(content["average"])
        self.expert.become(self.network.to_mlp())

    # --- learning ---------------------------------------------------------------------------------

    def learn(self, progress: Progress, bar: TaskID) -> None:
        progress.update(bar, phase="expert iteration")
        if not self.settings.resume:
            self.checkpoint()
        milestones = Milestones(self, progress, bar)
        rng = np.random.default_rng([self.settings.seed, self.decisions])
        rooms = self.new_games(rng)
        begun = self.decisions
        try:
            while self.decisions < self.settings.decisions:
                milestones.pass_by()
                goal = min(self.decisions + self.settings.update, self.settings.decisions)
                while begun + self.buffer.added < goal:
                    for room, games in enumerate(rooms):
                        self.play(room, games, rng)
                    progress.update(bar, completed=begun + self.buffer.added)
                made = begun + self.buffer.added - self.decisions
                self.improve(made, rng)
                self._decisions += made
        except KeyboardInterrupt:
            self.checkpoint()
            raise
        self.checkpoint()

    def new_games(self, rng: np.random.Generator) -> list[MixedGames]:
        """The training games, with equal parts for their kinds."""
        settings = self.settings
        bots = [make_agent(name) for name in settings.bots]
        kinds = kinds_of(settings.spec, settings.players, settings.handicaps)
        shares = settings.parts_of_games(len(kinds))
        return [
            MixedGames(settings.spec, share, kind, bots, settings.bot_share, rng)
            for share, kind in zip(shares, kinds)
        ]

    def play(self, room: int, games: MixedGames, rng: np.random.Generator) -> None:
        """One decision at every table; the lessons of games that end can be learnt from.

        Args:
            room: the number of these games among all.
            games: at whose tables.
            rng: decides what is searched, and the answers.

        """
        tables = games.learners()
        views = games.views(tables)
        policies = self.own_policies(views.observations, views.masks)
        searched = np.flatnonzero(self.is_searched(policies, views.masks, rng))
        seeds = rng.integers(0, 2**64, len(searched), np.uint64)
        advice = self.expert.advise(games.views(tables[searched]), seeds)
        surprises = divergences(advice.policies, policies[searched])
        for k, row in enumerate(searched.tolist()):
            lesson = Lesson(
                views.observations[row],
                views.masks[row],
                advice.policies[k],
                int(views.seats[row]),
                advice.shares[k],
                float(surprises[k]),
            )
            self.buffer.add((room, int(tables[row])), lesson)
        policies[searched] = advice.policies
        for ended in games.step(tables, drawn(policies, rng)):
            self.buffer.end_game((room, ended.table), ended.rewards)

    def own_policies(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """``(n, NUM_ACTIONS)`` float32: the network's probabilities."""
        with torch.no_grad():
            logits, *_ = self.network(torch.from_numpy(observations))
            policies: NDArray[np.float32] = (
                masked(logits, torch.from_numpy(masks != 0)).softmax(dim=1).numpy()
            )
        return policies

    def is_searched(
        self, policies: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.bool_]:
        """``(n,)`` bool: which decisions the expert is asked about."""
        settings = self.settings
        is_sure = policies.max(axis=1) >= settings.sure
        shares = np.where(is_sure, settings.searched_if_sure, settings.searched)
        chosen: NDArray[np.bool_] = (rng.random(len(shares)) < shares) & (masks.sum(axis=1) > 1)
        return chosen

    def improve(self, made: int, rng: np.random.Generator) -> None:
        """Learn from the lessons in the buffer, as often as so many new ones ask for."""
        settings = self.settings
        rate = self.set_learning_rate()
        steps = max(1, round(made * settings.passes / settings.batch))
        sums = np.zeros(len(LOGGED))
        for rows in self.buffer.batches(steps, settings.batch, rng):
            sums += self.step(rows)
        for name, total in zip(LOGGED, sums / steps):
            self.logger.record(f"expert/{name}", total)
        self.logger.record("expert/learning_rate", rate)
        self.logger.record("time/decisions_per_second", self.decisions / self.seconds)
        self.logger.dump(self.decisions)
        self.expert.become(self.network.to_mlp())

    def step(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """One step of the optimizer; returns what is logged of it."""
        batch = self.buffer.batch(rows)
        logits, values, opponent_win_split = self.learner(torch.from_numpy(batch.observations))
        logs = masked(logits, torch.from_numpy(batch.masks)).log_softmax(dim=1)
        policies = torch.from_numpy(batch.policies)
        policy_loss = divergence_from(policies, logs)
        shares, seats = torch.from_numpy(batch.shares), torch.from_numpy(batch.seats)
        value_loss = functional.mse_loss(values, (shares[:, 0] * seats - 1) / (seats - 1))
        rival_loss = rivals_loss(shares[:, 1:], seats, opponent_win_split)
        self.descend(policy_loss + VALUE_WEIGHT * (value_loss + rival_loss), LONGEST_STEP)
        self._average.update_parameters(self.learner)
        agreement = (logs.argmax(dim=1) == policies.argmax(dim=1)).float().mean()
        entropy = -(logs.exp() * logs).sum(dim=1).mean()
        numbers = policy_loss, value_loss, rival_loss, agreement, entropy
        return np.array([number.item() for number in numbers])


def divergence_from(targets: torch.Tensor, logs: torch.Tensor) -> torch.Tensor:
    """The Kullback-Leibler divergence of policies from targets, on average, to be made small.

    A search's estimates are noisy, and so are the logarithms of the targets' probabilities. In this direction
    they enter linearly, so that the noise averages out. In the other one a policy would learn the mean of the
    targets, which is more even than any of them: and more even with each iteration.

    Args:
        targets: ``(n, NUM_ACTIONS)`` float32, 0 where an action is illegal.
        logs: ``(n, NUM_ACTIONS)`` float32: logarithms of the policies' probabilities.

    """
    aims = targets.clamp(min=LEAST_TARGET).log()
    return (logs.exp() * (logs - aims)).sum(dim=1).mean()


def divergences(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """``(n,)`` float32: the Kullback-Leibler divergences of the policies `other` from `one`."""
    least = np.finfo(np.float32).tiny
    found: NDArray[np.float32] = (one * (np.log(one + least) - np.log(other + least))).sum(axis=1)
    return found


def drawn(policies: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """``(n,)`` int64: of each policy an answer, never one of probability 0."""
    sums = policies.astype(np.float64).cumsum(axis=1)
    numbers = rng.random(len(policies)) * sums[:, -1]
    found: NDArray[np.int64] = (sums <= numbers[:, None]).sum(axis=1)
    return found


SETTINGS = ExpertSettings


def main() -> None:
    """Runs the script."""
    train("pocketmars train expert-iteration", __doc__, SETTINGS, ExpertRun)


if __name__ == "__main__":
    main()
