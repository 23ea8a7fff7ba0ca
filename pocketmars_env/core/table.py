"""`Table`, games whose seats are taken by agents."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.agent import Agent, choose_actions, prepare, wants_events
from pocketmars_env.core.arrays import integer_array
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import Game, Views
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.presentation.interface import Entry

Indices = NDArray[np.int64]
Words = NDArray[np.uint64]
ONLY_GAME = np.zeros(1, dtype=np.int64)
"""The index of a `Game` that a table uses as one game."""
NOBODY = -1
"""The entry of a line-up for a seat whose actions come from outside."""


class AgentError(RuntimeError):
    """Raised if an agent chooses an illegal action, or does not return one integer per view."""


class Streams:
    """Random streams of 64-bit words, one for each seat of each game, or one for each game.

    Args:
        seeds: ``(N, S)`` uint64: the seeds of the streams. S is the number of seats, or 1 if the seats of a
            game share its stream.

    Attributes:
        drawn: ``(N, S)`` int64: the number of words already drawn from each stream.

    """

    def __init__(self, spec: GameSpec, seeds: Words) -> None:
        self._spec = spec
        self.seeds, self.drawn = seeds, np.zeros(seeds.shape, dtype=np.int64)

    def restart(self, games: Indices, seeds: Words) -> None:
        """Start new streams for the given games, with seeds of shape ``(n, S)``."""
        self.seeds[games], self.drawn[games] = seeds, 0

    def __call__(self, games: Indices, seats: Indices) -> Words:
        """Return the next word for each of the given seats, ``(n,)`` uint64."""
        words = np.empty(len(games), dtype=np.uint64)
        rows = games if self.seeds.shape[1] == 1 else games * self.seeds.shape[1] + seats
        self._spec.batch.next_words(self.seeds.reshape(-1), self.drawn.reshape(-1), rows, words)
        return words


class Decisions(NamedTuple):
    """Decisions of agents, at most one in each game.

    Attributes:
        games: ``(n,)`` int64: indices of the games.
        seats: ``(n,)`` int64: the seats to play.
        numbers: ``(n,)`` int64: indices of the agents.

    """

    games: Indices
    seats: Indices
    numbers: Indices


class Table:
    """Games whose seats are taken by agents: the only place in which agents choose actions.

    If the agents meet the conditions of `Agent` or `BatchAgent`, and each game has its own streams, the
    actions in one game do not depend on other games.

    Args:
        games: `Games`, or a `Game` that counts as one game.
        agents: the agents.
        line_up: ``(N, seats)`` int64: for each seat of each game, the index of an agent, or `NOBODY` if
            its actions come from outside.
        words: returns a random 64-bit word for each of n decisions, given the indices of the games and the
            seats, both ``(n,)`` int64; usually `Streams`.
        num_threads: the maximum number of threads that write the agents' views.

    """

    def __init__(
        self,
        games: Games | Game,
        agents: Sequence[Agent],
        line_up: Indices,
        words: Callable[[Indices, Indices], Words],
        num_threads: int = 1,
    ) -> None:
        self.games, self.agents, self.line_up, self.words = games, agents, line_up, words
        self.num_threads = num_threads
        for number in range(len(agents)):
            self.prepare(number)

    def prepare(self, number: int) -> None:
        """Prepare an agent for its first decision; see `agent.prepare`."""
        prepare(self.agents[number], self.games.spec)

    def waiting(self, games: Indices) -> Decisions:
        """Return the decisions that agents have to make now in the given games."""
        seats = self.games.states["to_play"][games].astype(np.int64)
        numbers = self.line_up[games, seats]
        is_waiting = (numbers != NOBODY) & (seats >= 0)
        return Decisions(games[is_waiting], seats[is_waiting], numbers[is_waiting])

    def advance(self, games: Indices) -> None:
        """Let the agents act in the given games, ``(n,)`` int64, until no game waits for an agent.

        Raises:
            AgentError: if an agent chooses an illegal action, or does not return one integer per view.

        """
        while self.agents and len((decisions := self.waiting(games)).games):
            self.act(decisions)
            games = decisions.games

    def act(self, decisions: Decisions) -> None:
        """Let the agents make decisions, and play their actions."""
        actions = self.decide(decisions)
        illegal = self.games._step_some(decisions.games, actions)
        if illegal >= 0:
            raise self.illegal_action(int(decisions.games[illegal]), int(actions[illegal]))

    def decide(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the agents' actions, ``(n,)`` int64; their legality is not checked.

        Raises:
            AgentError: if an agent does not return one integer per view.

        """
        games, seats, _ = decisions
        if len(self.agents) == 1 and len(games):  # the usual case, for which grouping would take longer
            agent = self.agents[0]
            return self.choose(agent, self.views(agent, games, seats), self.words(games, seats))
        actions = np.empty(len(games), dtype=np.int64)
        for agent, rows in self.groups(decisions):
            views = self.views(agent, games[rows], seats[rows])
            actions[rows] = self.choose(agent, views, self.words(games[rows], seats[rows]))
        return actions

    def groups(self, decisions: Decisions) -> Iterator[tuple[Agent, Any]]:
        """Yield each agent that has to decide, with the indices of its decisions."""
        numbers = decisions.numbers
        order = np.argsort(numbers, kind="stable")
        for rows in filter(len, np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)):
            yield self.agents[int(numbers[rows[0]])], rows

    def views(self, agent: Agent, games: Indices, seats: Indices) -> Views:
        """Return the views of an agent's seats, one per given game, with events if the agent wants them."""
        views = Views(self.games.spec, self.games.states, games, seats, self.num_threads)
        if wants_events(agent):
            views.events = self.events(games, seats)
        return views

    def events(self, games: Indices, seats: Indices) -> tuple[tuple[Entry, ...], ...]:
        """Return the events of each of the given seats; empty if the games have no past."""
        return tuple(map(self.games.events, seats.tolist())) if isinstance(self.games, Game) else ()

    @staticmethod
    def choose(agent: Agent, views: Views, words: Words) -> NDArray[np.int64]:
        """Return an agent's actions for n views, ``(n,)`` int64.

        Raises:
            AgentError: if the agent does not return n integers. Agents can also raise anything else.

        """
        actions = choose_actions(agent, views, words)
        try:
            return integer_array(f"the actions of the agent {quoted(agent.name)}", actions, len(views))
        except ValueError as error:
            raise AgentError(str(error)) from error

    def illegal_action(self, game: int, action: int) -> AgentError:
        """Return the exception for an illegal action of the agent to play; it names the legal actions."""
        position = Game.of(self.games.spec, self.games.states[game : game + 1])
        seat = position.to_play or 0
        agent = self.agents[int(self.line_up[game, seat])]
        accepted = position.spec.names_of(position.legal)
        return AgentError(
            f"the agent {quoted(agent.name)} in seat {seat} played the illegal action {action}; "
            f"accepted: {accepted}"
        )
