"""Who answers for the seats that are not the learner's."""

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.agent import Agent, answers
from pocketmars_env.engine import batch
from pocketmars_env.engine.state import States
from pocketmars_env.views import Views

OpponentsLike = str | Agent | Sequence[str | Agent]
"""An agent or the name of one, for all other seats or a list with one for each of them."""


class OpponentError(RuntimeError):
    """An opponent's answers are no legal actions. The games are as they were before."""


class Opponents:
    """The agents beside the learner in N games.

    Every game has a random stream for their answers, apart from the one of its cards: what they
    answer in it does not depend on the games beside it.

    Args:
        opponents: as `OpponentsLike` says; a list goes clockwise from the learner's seat.
        seats: the number of seats at a table.
        count: how many games, N.

    Attributes:
        agents: ``seats - 1`` agents, clockwise from the learner's seat.

    Raises:
        ValueError: for a list of another length, or what is no agent; names what is accepted.

    """

    def __init__(self, opponents: OpponentsLike, seats: int, count: int) -> None:
        listed = [opponents] * (seats - 1) if is_one(opponents) else list(opponents)  # type: ignore[arg-type]
        if len(listed) != seats - 1:
            raise ValueError(f"opponents must be one agent or a list of {seats - 1}, got {len(listed)}")
        made: dict[Any, Agent] = {}  # the same name is the same agent, which then is asked in one call
        for one in listed:
            if isinstance(one, str) and one not in made:
                made[one] = agent_of_name(one)
        self.agents = [made[one] if isinstance(one, str) else check_agent(one) for one in listed]
        self._seats = seats
        self._seeds = np.zeros(count, dtype=np.uint64)
        self._drawn = np.zeros(count, dtype=np.int64)

    def begin(self, games: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        """Start the streams of some games anew.

        Args:
            games: ``(n,)`` int64: which of the N.
            seeds: ``(n,)`` uint64: the seeds of their streams.

        """
        self._seeds[games] = seeds
        self._drawn[games] = 0

    def answer(
        self, states: States, games: NDArray[np.int64], learners: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """``(n,)`` int64: the opponents' answers in some games.

        Args:
            states: ``(N,)`` `STATE`: all games.
            games: ``(n,)`` int64: those in which an opponent is asked.
            learners: ``(n,)`` int64: the learner's seat in each of them.

        Raises:
            OpponentError: if an opponent does not answer with n integers.

        """
        asked = states["asked_seat"][games].astype(np.int64)
        seeds = np.empty(len(games), dtype=np.uint64)
        batch.next_words(self._seeds, self._drawn, games, seeds)
        if all(agent is self.agents[0] for agent in self.agents):
            return self._ask(self.agents[0], Views(states, games, asked), seeds)
        actions = np.empty(len(games), dtype=np.int64)
        places = (asked - learners) % self._seats - 1
        for place, agent in enumerate(self.agents):
            chosen = np.flatnonzero(places == place)
            if len(chosen):
                views = Views(states, games[chosen], asked[chosen])
                actions[chosen] = self._ask(agent, views, seeds[chosen])
        return actions

    @staticmethod
    def _ask(agent: Agent, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        actions = np.asarray(answers(agent, views, seeds))
        if actions.shape != (len(views),) or not np.issubdtype(actions.dtype, np.integer):
            raise OpponentError(
                f"the opponent {agent.name!r} must answer with {len(views)} integers, "
                f"got {actions.dtype} of shape {actions.shape}"
            )
        return actions.astype(np.int64)


def is_one(opponents: OpponentsLike) -> bool:
    """Whether this is one opponent, not a list of them."""
    return isinstance(opponents, str) or not isinstance(opponents, Sequence)


def agent_of_name(name: str) -> Agent:
    """The agent of a name, such as ``"random"``; see `agents.make_agent`.

    Raises:
        ValueError: names what is accepted.

    """
    # Bots build on environments, not the other way round: their package is looked up when needed.
    agent: Agent = importlib.import_module("agents").make_agent(name)
    return agent


def check_agent(agent: Any) -> Agent:
    """The agent itself.

    Raises:
        ValueError: unless it has a name and a method ``act``.

    """
    if isinstance(agent, type) or not callable(getattr(agent, "act", None)):
        raise ValueError(f"an opponent must be the name of an agent, or an agent, got {agent!r}")
    if not isinstance(getattr(agent, "name", None), str):
        raise ValueError(f"the opponent {agent!r} has no name: set the attribute 'name'")
    checked: Agent = agent
    return checked
