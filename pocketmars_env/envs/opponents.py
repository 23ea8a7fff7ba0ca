"""`Opponents`, the agents that play all seats except the learner's, and `LearnerTable`, where they sit."""

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.agent import Agent
from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.table import NOBODY, AgentError, Streams, Table

GROUP = "pocketmars.bots"
OneOpponent = str | Agent
OpponentsLike = OneOpponent | Sequence[OneOpponent]
"""One agent or bot name for all opponents, or a sequence with an agent or bot name for each opponent."""

OpponentError = AgentError
"""The error if an opponent chooses an illegal action, or does not return one integer per view."""


class Opponents:
    """The learners' opponents in N games.

    Subclasses can override `line_ups` to select the opponents of each game, and `end` to use the results of
    games.

    Args:
        opponents: the agents or bot names (see `OpponentsLike`); a sequence is in clockwise order and begins
            with the learner's left neighbor.
        seats: the number of seats in a game.
        count: the number of games, N.

    Attributes:
        agents: the distinct agents.
        count: the number of games, N.
        places: the number of opponents in a game.
        seated: ``(count, places)`` int64: the opponents in each game, as indices into `agents`, clockwise
            from the learner's left neighbor.

    Raises:
        ValueError: for a sequence of the wrong length, an unknown bot name, or an object that is not an
            agent.

    """

    def __init__(self, spec: GameSpec, opponents: OpponentsLike, seats: int, count: int) -> None:
        self.spec, self.count = spec, count
        self.places = seats - 1
        per_place: list[Any] = [opponents] * self.places
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            per_place = list(opponents)
        if len(per_place) != self.places:
            raise ValueError(f"opponents must be one agent or a list of {self.places}, got {len(per_place)}")
        # Opponents with the same key share one agent, so that one call chooses all their actions.
        keys = [opponent if isinstance(opponent, str) else id(opponent) for opponent in per_place]
        distinct = dict(zip(keys, per_place))
        self.agents = [agent_of(opponent) for opponent in distinct.values()]
        self._line_up = np.array([list(distinct).index(key) for key in keys], dtype=np.int64)
        self.seated = np.zeros((count, self.places), dtype=np.int64)

    def line_ups(self, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return ``(n, places)`` int64: the opponents for n new games, as indices into `agents`.

        The columns are in clockwise order and begin with the learner's left neighbor.

        Args:
            seeds: ``(n,)`` uint64: the seeds of the opponents' random streams in these games.

        """
        return np.broadcast_to(self._line_up, (len(seeds), self.places))

    def end(self, games: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Receive the results of finished games; by default this method does nothing.

        Vector environments call this method, but not for episodes that end with an illegal action by the
        learner or before the learner's first decision.

        Args:
            games: ``(n,)`` int64: indices of the games.
            rewards: ``(n,)`` float64: the learners' rewards.

        """


class LearnerTable(Table):
    """Games with a learner in one seat each; opponents with one random stream per game take all other seats.

    `opponents` is None if only the learner makes decisions, as in solo games against the automaton. `seats`,
    ``(N,)`` int64, contains the learner's seat in each game.
    """

    def __init__(
        self, games: Games | Game, opponents: Opponents | None, count: int, num_threads: int = 1
    ) -> None:
        self.opponents = opponents
        self.seats = np.zeros(count, dtype=np.int64)
        agents = [] if opponents is None else opponents.agents
        line_up = np.full((count, games.config.seats), NOBODY)
        streams = Streams(games.spec, np.zeros((count, 1), dtype=np.uint64))
        super().__init__(games, agents, line_up, streams, num_threads)
        self._streams = streams

    def seat(self, games: NDArray[np.int64], learners: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        """Seat a learner and opponents in each of n new games.

        Args:
            games: ``(n,)`` int64: indices of the games.
            learners: ``(n,)`` int64: the learners' seats.
            seeds: ``(n,)`` uint64: the seeds of the opponents' random streams.

        """
        self.seats[games] = learners
        if self.opponents is None:
            return
        self._streams.restart(games, seeds[:, None])
        self.opponents.seated[games] = self.opponents.line_ups(seeds)
        self.line_up[games, learners] = NOBODY
        for distance, agents in enumerate(self.opponents.seated[games].T, start=1):
            self.line_up[games, (learners + distance) % self.line_up.shape[1]] = agents


def agent_of(opponent: OneOpponent) -> Agent:
    """Return an opponent's agent: the given agent itself, or the bot with the given name; see `bot_of`."""
    if isinstance(opponent, str):
        return bot_of(opponent)
    if isinstance(opponent, type) or not callable(getattr(opponent, "act", None)):
        raise ValueError(f"an opponent must be the name of an agent, or an agent, got {quoted(opponent)}")
    if not isinstance(getattr(opponent, "name", None), str):
        raise ValueError(f"the opponent {quoted(opponent)} has no name: set the attribute 'name'")
    return opponent


def bot_of(name: str) -> Agent:
    """Return the bot with the given name, such as ``"greedy"``.

    `pocketmars_env` imports no package that defines bots. Instead, such a package declares an entry point in
    the group ``pocketmars.bots``: a function that takes a bot's name and returns the bot, or raises a
    ValueError whose message gives the reason, such as an unknown name. The entry point of this project is
    `pocketmars_agents.make_agent`.

    The bot comes from the first entry point that accepts the name. The entry point of this project is tried
    first, then the entry points of other packages in alphabetical order.
    """
    complaints = []
    for entry_point in sorted(
        entry_points(group=GROUP), key=lambda point: (point.name != "built_in", point.name)
    ):
        try:
            bot: Agent = entry_point.load()(name)
        except ValueError as error:
            complaints.append(error_text(error))
        except (Exception, SystemExit) as error:  # importing and calling it runs arbitrary code
            reason = f"{type(error).__name__}: {error_text(error)}"
            complaints.append(
                f"the entry point {quoted(entry_point.name)} of the group {GROUP} failed: {reason}"
            )
        else:
            return bot
    if not complaints:
        raise ValueError(f"unknown bot {quoted(name)}: no installed package provides bots")
    raise ValueError("; ".join(complaints))
