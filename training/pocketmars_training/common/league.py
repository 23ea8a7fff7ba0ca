"""The league of opponents: bots, the current policy and its past versions.

In each new game, an opponent is drawn for every seat except the learner's. Once a past version has joined,
the current policy is drawn with a fixed probability. The remaining probability is divided among the bots and
past versions in proportion to max((1 - score)², `MIN_WEIGHT`). The score against an opponent is an
exponential moving average of (1 + r) / 2, where r is the learner's reward in a game.

The method is prioritized fictitious self-play (Vinyals et al., "Grandmaster level in StarCraft II using
multi-agent reinforcement learning", Nature 2019).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent
from pocketmars_training.common.self_play_table import LEARNER, Result

DECAY = 0.98
"""Decay factor of the moving averages: each new result multiplies the weights of older results by
this factor."""
MIN_WEIGHT = 0.02
"""Minimum weight of an opponent, so that an opponent that always loses is still drawn sometimes."""


class Scores:
    """The learner's scores against all opponents; opponent 0 is the current policy.

    `scores`, ``(opponents,)`` float64, are in 0..1; 1/2 corresponds to an average reward of 0.
    `present_share` is the probability that the current policy plays an opponent's seat.
    """

    def __init__(self, count: int, present_share: float) -> None:
        self.present_share = present_share
        self.scores = np.full(count, 0.5)

    def add(self) -> None:
        self.scores = np.append(self.scores, 0.5)

    def weights(self) -> NDArray[np.float64]:
        """Return each opponent's probability of being drawn for a seat, ``(opponents,)`` float64."""
        by_score = np.maximum((1 - self.scores) ** 2, MIN_WEIGHT)
        by_score[0] = 0.0
        weights: NDArray[np.float64] = (1 - self.present_share) * by_score / by_score.sum()
        weights[0] = self.present_share
        return weights

    def record(self, number: int, reward: float) -> None:
        """Update the score against opponent `number` with the learner's reward in one game."""
        self.scores[number] = DECAY * self.scores[number] + (1 - DECAY) * (0.5 + reward / 2)


class League(Scores):
    """Bots and past versions of the policy, as the opponents of the current policy.

    In each game, the learner plays a random seat. An opponent is drawn for every other seat; if this is the
    current policy, the learner plays that seat too. `agents` has the bots, then the past versions of the
    policy; the score of the k-th agent is ``scores[k + 1]``.
    """

    def __init__(self, bots: Sequence[Agent], present_share: float) -> None:
        self.agents, self._num_bots = list(bots), len(bots)
        super().__init__(1 + len(bots), present_share)

    @property
    def past(self) -> list[Agent]:
        """The past versions of the policy."""
        return self.agents[self._num_bots :]

    def add_past(self, past: Agent) -> None:
        self.agents.append(past)
        self.add()

    def weights(self) -> NDArray[np.float64]:
        """See `Scores.weights`; before the first past version joins, only bots are drawn."""
        weights = super().weights()
        return weights if self.past else np.append(0.0, weights[1:] / weights[1:].sum())

    def line_up(self, seats: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw who plays each seat of a new game; see `Opponents`."""
        weights = self.weights()
        drawn = rng.choice(len(weights), size=seats, p=weights) - 1  # the current policy becomes `LEARNER`
        drawn[rng.integers(seats)] = LEARNER
        return drawn

    def record_results(self, results: Sequence[Result]) -> None:
        """Update the scores with the learner's rewards in finished games.

        Each game updates the score against an opponent once for every seat that the opponent played, with
        the mean reward of the learner's seats.
        """
        for line_up, rewards in results:
            is_learner = line_up == LEARNER
            reward = float(rewards[: len(line_up)][is_learner].mean())
            for number in line_up[~is_learner].tolist():
                self.record(1 + number, reward)

    def summary(self) -> str:
        """Return the scores as text for the console."""
        past = self.scores[1 + self._num_bots :]
        bots = self.agents[: self._num_bots]
        parts = [f"{bot.name} {score:.2f}" for bot, score in zip(bots, self.scores[1:])]
        if len(past):
            parts.append(f"{len(past)} past selves {past.min():.2f} to {past.max():.2f}")
        return ", ".join(parts)
