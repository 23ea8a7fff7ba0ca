"""The league of opponents: bots, the current policy and its past selves.

Each new game draws an opponent for every other seat. A fixed share of the seats goes to the current policy;
the rest is divided among bots and past selves in proportion to (1 - score)², where the score against an
opponent is 1/2 plus half of the learner's mean reward (prioritized fictitious self-play; Vinyals et al.,
"Grandmaster level in StarCraft II using multi-agent reinforcement learning", Nature 2019).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent, make_agent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.opponents import Opponents

DECAY = 0.98
"""Decay factor of older results in a score, per game."""
MIN_WEIGHT = 0.02
"""Weight of an opponent that always loses, so that it is still drawn sometimes."""


class Scores:
    """The learner's scores against opponents, the first of which is the current policy.

    Args:
        count: the number of opponents.
        present_share: share of the seats of the current policy.

    Attributes:
        scores: the learner's score against each opponent, 0..1; 1/2 means equal strength.

    """

    def __init__(self, count: int, present_share: float) -> None:
        self.present_share = present_share
        self.scores = np.full(count, 0.5)

    def add(self) -> None:
        """Add an opponent."""
        self.scores = np.append(self.scores, 0.5)

    def weights(self) -> NDArray[np.float64]:
        """Return the probability that a seat goes to each opponent, ``(opponents,)`` float64."""
        by_score = np.maximum((1 - self.scores) ** 2, MIN_WEIGHT)
        by_score[0] = 0.0
        weights: NDArray[np.float64] = (1 - self.present_share) * by_score / by_score.sum()
        weights[0] = self.present_share
        return weights

    def record(self, number: int, reward: float) -> None:
        """Update the score against an opponent with the learner's reward of a game."""
        self.scores[number] = DECAY * self.scores[number] + (1 - DECAY) * (0.5 + reward / 2)


class League(Scores):
    """The opponents of a run with the learner's scores against them.

    Args:
        bots: names of agents.
        present_share: share of the seats of the current policy after `admit_present`.

    Attributes:
        agents: all opponents: the current policy (until `admit_present` the first bot), bots, past selves.

    """

    def __init__(self, bots: tuple[str, ...], present_share: float) -> None:
        self.bots = [make_agent(name) for name in bots]
        self.agents: list[Agent] = [self.bots[0], *self.bots]
        self._later_share = present_share
        super().__init__(len(self.agents), present_share=0.0)

    def admit_present(self, present: Agent) -> None:
        """Add the current policy."""
        self.agents[0] = present
        self.present_share = self._later_share

    def add_past(self, past: Agent) -> None:
        """Add a past self."""
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
        spec: the game.
        league: the run's league.
        seats: the number of seats at a table.
        count: the number of games.

    """

    def __init__(self, spec: GameSpec, league: League, seats: int, count: int) -> None:
        super().__init__(spec, league.bots[0], seats, count)
        self.league = league
        self.agents = league.agents  # the same list: it grows with the league

    def line_ups(self, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """``(n, places)`` int64: opponents drawn by the league's weights."""
        if not len(seeds):
            return np.zeros((0, self.places), dtype=np.int64)
        rng = np.random.Generator(np.random.PCG64(seeds.tolist()))
        weights = self.league.weights()
        return rng.choice(len(weights), size=(len(seeds), self.places), p=weights)

    def end(self, games: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Record the results in the league."""
        for game, reward in zip(games.tolist(), rewards.tolist()):
            for number in self._session[game].tolist():
                self.league.record(number, reward)
