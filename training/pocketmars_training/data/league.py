"""The league of opponents: bots, the current policy and its past selves.

Each new game draws an opponent for every other seat. A fixed share of the seats goes to the current
policy; the others are drawn from bots and past selves with
the weight (1 - score)², where the score against somebody is 1/2 plus half of the mean reward
(prioritized fictitious self-play; Vinyals et al., "Grandmaster level in StarCraft II using multi-agent
reinforcement learning", Nature 2019).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent, make_agent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.opponents import Opponents

FORGETTING = 0.98
"""What a result still counts after the next one against the same opponent."""
LEAST_WEIGHT = 0.02
"""Of an opponent that is always beaten: so that it is not forgotten."""


def priorities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sampling weights of opponents from the learner's scores against them, of any shape."""
    return np.maximum((1 - scores) ** 2, LEAST_WEIGHT)


class League:
    """The opponents of a run, and how the learner does against them.

    Args:
        bots: names of agents.
        present_share: the share of seats that the present self gets, once it takes part.

    Attributes:
        agents: all opponents: the present self (None until `admit`), the bots, the past selves.
        scores: the learner's score against each of them, 0..1; 1/2 is equal play.

    """

    def __init__(self, bots: tuple[str, ...], present_share: float) -> None:
        self.present_share = present_share
        self.bots = [make_agent(name) for name in bots]
        self.agents: list[Agent] = [self.bots[0], *self.bots]
        self.scores = np.full(len(self.agents), 0.5)
        self._has_present = False

    def admit_present(self, present: Agent) -> None:
        """Adds the current policy."""
        self.agents[0] = present
        self._has_present = True

    def add_past(self, past: Agent) -> None:
        """Adds a past self."""
        self.agents.append(past)
        self.scores = np.append(self.scores, 0.5)

    def weights(self) -> NDArray[np.float64]:
        """``(agents,)`` float64: the probability of each to get a seat."""
        to_learn = priorities(self.scores)
        to_learn[0] = 0.0
        share = self.present_share if self._has_present else 0.0
        weights: NDArray[np.float64] = (1 - share) * to_learn / to_learn.sum()
        weights[0] = share
        return weights

    def hear(self, number: int, reward: float) -> None:
        """A game against an opponent has ended with this reward of the learner's."""
        self.scores[number] = FORGETTING * self.scores[number] + (1 - FORGETTING) * (0.5 + reward / 2)

    def table(self) -> str:
        """The opponents with the learner's scores against them."""
        past = self.scores[1 + len(self.bots) :]
        parts = [f"{bot.name} {score:.2f}" for bot, score in zip(self.bots, self.scores[1:])]
        if len(past):
            parts.append(f"{len(past)} past selves {past.min():.2f} to {past.max():.2f}")
        return ", ".join(parts)

    def to_keep(self) -> dict[str, Any]:
        """What a checkpoint keeps of the league: the scores, and the names of the past selves."""
        past = self.agents[1 + len(self.bots) :]
        return {"scores": self.scores.tolist(), "past": [agent.name for agent in past]}


class LeagueOpponents(Opponents):
    """The opponents of one environment, drawn from a league.

    Args:
        spec: the game that is played.
        league: of the run.
        seats: the number of seats at a table.
        count: how many games.

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
        """Tell the league."""
        for game, reward in zip(games.tolist(), rewards.tolist()):
            for number in self._session[game].tolist():
                self.league.hear(number, reward)
