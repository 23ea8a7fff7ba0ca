"""The league of opponents: bots, the current policy and its past selves.

In each new game, an opponent is drawn for every seat except the learner's. After imitation, the current
policy is drawn with a fixed probability. The remaining probability is divided among bots and past selves in
proportion to (1 - score)², but at least `MIN_WEIGHT`. The score against an opponent is 1/2 plus half of the
learner's average reward, in which recent games count more (prioritized fictitious self-play; Vinyals et al.,
"Grandmaster level in StarCraft II using multi-agent reinforcement learning", Nature 2019).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent, make_agent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.opponents import Opponents

DECAY = 0.98
"""Factor by which each recorded result reduces the weight of older results in a score."""
MIN_WEIGHT = 0.02
"""Minimum weight, so that an opponent that always loses is still drawn sometimes."""


class Scores:
    """The learner's scores against all opponents; the first opponent is the current policy.

    Args:
        present_share: the current policy's share of the opponents' seats.

    Attributes:
        scores: the learner's score against each opponent, 0..1; 1/2 means an average reward of 0.

    """

    def __init__(self, count: int, present_share: float) -> None:
        self.present_share = present_share
        self.scores = np.full(count, 0.5)

    def add(self) -> None:
        self.scores = np.append(self.scores, 0.5)

    def weights(self) -> NDArray[np.float64]:
        """Return the probability that a seat goes to each opponent, ``(opponents,)`` float64."""
        by_score = np.maximum((1 - self.scores) ** 2, MIN_WEIGHT)
        by_score[0] = 0.0
        weights: NDArray[np.float64] = (1 - self.present_share) * by_score / by_score.sum()
        weights[0] = self.present_share
        return weights

    def record(self, number: int, reward: float) -> None:
        """Update the score against an opponent with the learner's reward in one game."""
        self.scores[number] = DECAY * self.scores[number] + (1 - DECAY) * (0.5 + reward / 2)


class League(Scores):
    """The opponents of a run and the learner's scores against them.

    Args:
        bots: the names of the bots.
        present_share: the current policy's share of the opponents' seats from the call of `admit_present` on;
            before this call, the share is 0.

    Attributes:
        agents: the current policy (before `admit_present`, the first bot instead), the bots and the past
            selves.

    """

    def __init__(self, bots: tuple[str, ...], present_share: float) -> None:
        self.bots = [make_agent(name) for name in bots]
        self.agents: list[Agent] = [self.bots[0], *self.bots]
        self._later_share = present_share
        super().__init__(len(self.agents), present_share=0.0)

    def admit_present(self, present: Agent) -> None:
        """Start to draw the current policy as an opponent."""
        self.agents[0] = present
        self.present_share = self._later_share

    def add_past(self, past: Agent) -> None:
        self.agents.append(past)
        self.add()

    def summary(self) -> str:
        """Return the scores as text."""
        past = self.scores[1 + len(self.bots) :]
        parts = [f"{bot.name} {score:.2f}" for bot, score in zip(self.bots, self.scores[1:])]
        if len(past):
            parts.append(f"{len(past)} past selves {past.min():.2f} to {past.max():.2f}")
        return ", ".join(parts)

    def state_dict(self) -> dict[str, Any]:
        """Return the scores and the names of the past selves."""
        past = self.agents[1 + len(self.bots) :]
        return {"scores": self.scores.tolist(), "past": [agent.name for agent in past]}


class LeagueOpponents(Opponents):
    """The opponents of one environment, drawn from a league.

    Args:
        league: the run's league.
        seats: the number of seats in a game.

    """

    def __init__(self, spec: GameSpec, league: League, seats: int, count: int) -> None:
        super().__init__(spec, league.bots[0], seats, count)
        self.league = league
        self.agents = league.agents  # the same list, which grows with the league

    def line_ups(self, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Draw the opponents of n new games with the league's probabilities.

        Returns:
            ``(n, places)`` int64: indices into `agents`.

        """
        if not len(seeds):
            return np.zeros((0, self.places), dtype=np.int64)
        rng = np.random.Generator(np.random.PCG64(seeds.tolist()))
        weights = self.league.weights()
        return rng.choice(len(weights), size=(len(seeds), self.places), p=weights)

    def end(self, games: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Record the results in the league, once for each opponent's seat."""
        for game, reward in zip(games.tolist(), rewards.tolist()):
            for number in self._session[game].tolist():
                self.league.record(number, reward)
