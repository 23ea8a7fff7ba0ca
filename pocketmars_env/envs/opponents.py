"""`Opponents`, the agents that play all seats except the learner's."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.agent import Agent, choose_actions, prepare
from pocketmars_env.core.arrays import integer_array
from pocketmars_env.core.bots import bot_of
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.view import Views

OneOpponent = str | Agent
OpponentsLike = OneOpponent | Sequence[OneOpponent]
"""One agent or bot name for all opponents, or a sequence with an agent or bot name for each opponent."""


class OpponentError(RuntimeError):
    """Raised if an opponent chooses an illegal action, or does not return one integer per view."""


class Opponents:
    """The learners' opponents in N games.

    Every game has a separate random stream for its opponents. If the agents meet the conditions of `Agent` or
    `BatchAgent`, their actions in one game do not depend on other games. Subclasses can override `line_ups`
    to select the opponents of each game, and `end` to use the results of games.

    Args:
        opponents: the agents or bot names (see `OpponentsLike`); a sequence is in clockwise order and begins
            with the learner's left neighbor.
        seats: the number of seats in a game.
        count: the number of games, N.

    Attributes:
        agents: the distinct agents.
        count: the number of games, N.
        places: the number of opponents in a game.

    Raises:
        ValueError: for a sequence of the wrong length, an unknown bot name, or an object that is not an
            agent.

    """

    def __init__(self, spec: GameSpec, opponents: OpponentsLike, seats: int, count: int) -> None:
        self.spec, self.count = spec, count
        self.places = seats - 1
        listed: list[Any] = [opponents] * self.places
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            listed = list(opponents)
        if len(listed) != self.places:
            raise ValueError(f"opponents must be one agent or a list of {self.places}, got {len(listed)}")
        # Opponents with the same key share one agent, so that one call of `_act` chooses all their actions.
        keys = [one if isinstance(one, str) else id(one) for one in listed]
        distinct = dict(zip(keys, listed))
        self.agents = [agent_of(one) for one in distinct.values()]
        for agent in self.agents:
            prepare(agent, spec)
        self._line_up = np.array([list(distinct).index(key) for key in keys], dtype=np.int64)
        self._session = np.zeros((count, self.places), dtype=np.int64)  # indices into `agents`
        self._seeds = np.zeros(count, dtype=np.uint64)
        self._drawn = np.zeros(count, dtype=np.int64)

    def begin(self, games: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        """Select the opponents for n new games, and start the opponents' random streams.

        Args:
            games: ``(n,)`` int64: indices of the games.
            seeds: ``(n,)`` uint64: the seeds of the opponents' random streams.

        """
        self._seeds[games] = seeds
        self._drawn[games] = 0
        self._session[games] = self.line_ups(seeds)

    def line_ups(self, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return ``(n, places)`` int64: the opponents for n new games, as indices into `agents`.

        The columns are in clockwise order and begin with the learner's left neighbor.

        Args:
            seeds: ``(n,)`` uint64: the seeds of the opponents' random streams in these games.

        """
        return np.broadcast_to(self._line_up, (len(seeds), self.places))

    def end(self, games: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Receive the results of finished games; by default this method does nothing.

        `OpponentGames` calls this method, but not for episodes that end with an illegal action by the learner
        or before the learner's first decision.

        Args:
            games: ``(n,)`` int64: indices of the games.
            rewards: ``(n,)`` float64: the learners' rewards.

        """

    def name_at(self, game: int, place: int) -> str:
        """Return the name of the opponent at a place; place 0 is the learner's left neighbor."""
        return self.agents[int(self._session[game, place])].name

    def act(
        self,
        states: States,
        games: NDArray[np.int64],
        learners: NDArray[np.int64],
        num_threads: int = 1,
    ) -> NDArray[np.int64]:
        """Return ``(n,)`` int64: an opponent's action in each given game; callers must check its legality.

        Args:
            states: ``(N,)`` state records: the states of all games.
            games: ``(n,)`` int64, at least one: indices of games in which it is an opponent's turn.
            learners: ``(n,)`` int64: the learner's seat for each entry of `games`.
            num_threads: the maximum number of threads that write the opponents' views.

        Raises:
            OpponentError: if an opponent does not return one integer per view.

        """
        to_play = states["to_play"][games].astype(np.int64)
        seeds = np.empty(len(games), dtype=np.uint64)
        self.spec.batch.next_words(self._seeds, self._drawn, games, seeds)
        places = (to_play - learners) % (self.places + 1) - 1
        session = self._session[games, places]
        first = session[0]
        if (session == first).all():
            return self._act(self.agents[first], Views(self.spec, states, games, to_play, num_threads), seeds)
        actions = np.empty(len(games), dtype=np.int64)
        for number in np.unique(session).tolist():
            chosen = np.flatnonzero(session == number)
            views = Views(self.spec, states, games[chosen], to_play[chosen], num_threads)
            actions[chosen] = self._act(self.agents[number], views, seeds[chosen])
        return actions

    @staticmethod
    def _act(agent: Agent, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        given = choose_actions(agent, views, seeds)
        try:
            return integer_array(f"the actions of the opponent {quoted(agent.name)}", given, len(views))
        except ValueError as error:
            raise OpponentError(str(error)) from error


def agent_of(one: OneOpponent) -> Agent:
    """Return an opponent's agent: the given agent itself, or the bot with the given name; see `bot_of`.

    Raises:
        ValueError: for an unknown name, or for an object that has no method `act` or no string `name`.

    """
    if isinstance(one, str):
        return bot_of(one)
    if isinstance(one, type) or not callable(getattr(one, "act", None)):
        raise ValueError(f"an opponent must be the name of an agent, or an agent, got {quoted(one)}")
    if not isinstance(getattr(one, "name", None), str):
        raise ValueError(f"the opponent {quoted(one)} has no name: set the attribute 'name'")
    return one
