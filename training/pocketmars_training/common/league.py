"""The league of opponents: bots, the current policy and its past versions.

In each new game, an opponent is drawn for every seat except the learner's. Once a run's imitation phase is
over, the current policy is drawn with a fixed probability. The remaining probability is divided among the
bots and past versions in proportion to max((1 - score)², `MIN_WEIGHT`). The score against an opponent is an
exponential moving average of (1 + r) / 2, where r is the learner's reward in a game.

The method is prioritized fictitious self-play (Vinyals et al., "Grandmaster level in StarCraft II using
multi-agent reinforcement learning", Nature 2019).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent, make_agent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.opponents import Opponents

DECAY = 0.98
"""Decay factor of the moving averages: each new result multiplies the weights of older results by
this factor."""
MIN_WEIGHT = 0.02
"""Minimum weight of an opponent, so that an opponent that always loses is still drawn sometimes."""


class Scores:
    """The learner's scores against all opponents; opponent 0 is the current policy.

    Args:
        count: the number of opponents.
        present_share: the probability that the current policy plays an opponent's seat.

    Attributes:
        scores: ``(opponents,)`` float64, the learner's score against each opponent, 0..1; 1/2 corresponds to
            an average reward of 0.

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
    """The opponents of a run and the learner's scores against them.

    Args:
        bots: the names of the bots.
        present_share: the probability that the current policy plays an opponent's seat once `admit_present`
            has been called; until then, the probability is 0.

    Attributes:
        bots: the bots.
        agents: the opponents, in this order: the current policy (until `admit_present` is called, the first
            bot instead), the bots, and the past versions of the policy.

    """

    def __init__(self, bots: tuple[str, ...], present_share: float) -> None:
        self.bots = [make_agent(name) for name in bots]
        self.agents: list[Agent] = [self.bots[0], *self.bots]
        self._later_share = present_share
        super().__init__(len(self.agents), present_share=0.0)

    def admit_present(self, present: Agent) -> None:
        """Add the current policy to the opponents that can be drawn."""
        self.agents[0] = present
        self.present_share = self._later_share

    def add_past(self, past: Agent) -> None:
        self.agents.append(past)
        self.add()

    def summary(self) -> str:
        """Return the scores as text for the console."""
        past = self.scores[1 + len(self.bots) :]
        parts = [f"{bot.name} {score:.2f}" for bot, score in zip(self.bots, self.scores[1:])]
        if len(past):
            parts.append(f"{len(past)} past selves {past.min():.2f} to {past.max():.2f}")
        return ", ".join(parts)

    def state_dict(self) -> dict[str, Any]:
        """Return the scores against all opponents, and the names of the past versions."""
        past = self.agents[1 + len(self.bots) :]
        return {"scores": self.scores.tolist(), "past": [agent.name for agent in past]}


class LeagueOpponents(Opponents):
    """The opponents of one environment, drawn from a league.

    Args:
        league: the run's league.
        seats: the number of seats in a game.
        count: the number of parallel games.

    """

    def __init__(self, spec: GameSpec, league: League, seats: int, count: int) -> None:
        super().__init__(spec, league.bots[0], seats, count)
        self.league = league
        self.agents = league.agents  # the same list, which grows with the league

    def line_ups(self, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Draw the opponents of n new games with the probabilities from `League.weights`.

        Returns:
            ``(n, places)`` int64: for each game and each opponent's seat, an index into `agents`.

        """
        if not len(seeds):
            return np.zeros((0, self.places), dtype=np.int64)
        rng = np.random.Generator(np.random.PCG64(seeds.tolist()))
        weights = self.league.weights()
        return rng.choice(len(weights), size=(len(seeds), self.places), p=weights)

    def end(self, games: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Update the scores with the learner's rewards in finished games.

        Each game updates the score against an opponent once for every seat that the opponent played.
        """
        for game, reward in zip(games.tolist(), rewards.tolist()):
            for number in self.seated[game].tolist():
                self.league.record(number, reward)
