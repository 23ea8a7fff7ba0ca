"""Games of the learner in all seats, or of the learner and its opponents."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.table import NOBODY, Table
from pocketmars_env.envs.rewards import final_rewards_all
from pocketmars_training.common.evaluation import win_shares

LEARNER = NOBODY
"""The learner's number in a line-up; the number of a bot is its index in the list of bots."""


class Result(NamedTuple):
    """The players and the rewards of a finished game."""

    line_up: NDArray[np.int64]  # see `SelfPlayTable.line_up`
    rewards: NDArray[np.float64]  # (seats,) final rewards of the type "win", including those of automata


class FinishedGame(NamedTuple):
    """The learner's decisions and the result of a finished game."""

    game: int  # index in `SelfPlayTable.games`
    decisions: list[Any]  # recorded with `SelfPlayTable.record`
    result: Result


class Opponents(Protocol):
    """A source of the learner's opponents."""

    @property
    def agents(self) -> list[Agent]:
        """The opponents; the list can grow."""

    def line_up(self, seats: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw who plays each seat of a new game, ``(seats,)`` int64: `LEARNER`, or an index in `agents`."""

    def record_results(self, results: Sequence[Result]) -> None:
        """Take note of the results of finished games."""


class Bots(NamedTuple):
    """Opponents in some games, in each of which a randomly drawn bot plays all seats but the learner's."""

    agents: list[Agent]  # the bots
    share: float  # the probability that a new game is a game with a bot
    # the learner's seat in games with a bot; None selects a random seat in each game
    learner_seat: int | None = None

    def line_up(self, seats: int, rng: np.random.Generator) -> NDArray[np.int64]:
        drawn = np.full(seats, LEARNER)
        if rng.random() < self.share:
            drawn[:] = rng.integers(len(self.agents))
            drawn[rng.integers(seats) if self.learner_seat is None else self.learner_seat] = LEARNER
        return drawn

    def record_results(self, results: Sequence[Result]) -> None:
        """Do nothing: the results do not change the line-ups."""


def win_shares_from(
    seats: NDArray[np.int64], rewards: NDArray[np.float64], max_seats: int
) -> NDArray[np.float32]:
    """Return the win shares ``(n, max_seats)`` float32 of n finished games, in turn order from a given seat.

    Args:
        seats: ``(n,)`` int64, the seat whose share comes first in each row.
        rewards: ``(n, seats)`` float64, the final rewards.
        max_seats: the game's maximum number of seats; absent seats have a share of 0.

    """
    count = rewards.shape[1]
    shares = np.zeros((len(seats), max_seats), np.float32)
    in_turn = (seats[:, None] + np.arange(count)) % count
    shares[:, :count] = np.take_along_axis(win_shares(rewards, count), in_turn, axis=1)
    return shares


class SelfPlayTable(Table):
    """Parallel games of a learner and its opponents; finished games are replaced by new ones.

    The settings `kind` are arguments of `Games`; see `kinds_of`. With `deals`, every game is dealt with a
    random seed below this number; with 0, every game has a new deal. `line_up`, ``(count, seats)`` int64, has
    who plays each seat that makes decisions: `LEARNER`, or the index of an opponent in `Opponents.agents`.
    """

    def __init__(
        self,
        spec: GameSpec,
        count: int,
        kind: Mapping[str, Any],
        opponents: Opponents,
        rng: np.random.Generator,
        deals: int = 0,
    ) -> None:
        games = Games(count, spec, **kind, seed=int(rng.integers(0, 2**63)))
        line_up = np.full((count, games.config.seats_to_play), LEARNER)
        super().__init__(games, opponents.agents, line_up, self._words)
        self.games: Games
        self._opponents, self._rng, self._deals = opponents, rng, deals
        self._decisions: list[list[Any]] = [[] for _ in range(count)]
        if deals:
            self.games.reset(seeds=self._seeds())
        self._draw_line_ups(np.arange(count))

    def learner_games(self) -> NDArray[np.int64]:
        """Return the indices ``(n,)`` int64 of the games in which it is the learner's turn."""
        players = self.line_up[np.arange(len(self.games)), self.games.to_play]
        return np.flatnonzero(players == LEARNER)

    def learner_views(self, indices: NDArray[np.int64]) -> Views:
        """Return the views of the seats to play in the given games."""
        return self.games.views(indices, self.games.to_play[indices])

    def record(self, game: int, decision: Any) -> None:
        """Store a decision of the learner until the game ends."""
        self._decisions[game].append(decision)

    def step(self, indices: NDArray[np.int64], actions: NDArray[np.int64]) -> list[FinishedGame]:
        """Play one action in every game, replace the games that end, and return the ended games.

        Args:
            indices: ``(n,)`` int64, the result of `learner_games`.
            actions: ``(n,)`` int64, the learner's actions in these games.

        """
        all_actions = np.zeros(len(self.games), dtype=np.int64)
        all_actions[indices] = actions
        waiting = self.waiting(np.arange(len(self.games)))
        all_actions[waiting.games] = self.decide(waiting)
        self.games.step(all_actions)
        over = np.flatnonzero(self.games.over)
        rewards = final_rewards_all("win", *self.games.take(over).standings())
        decisions = [self._decisions[game] for game in over]
        results = map(Result, self.line_up[over], rewards)
        ended = list(map(FinishedGame, over.tolist(), decisions, results))
        self.games.reset(self.games.over, self._seeds())
        self._draw_line_ups(over)
        return ended

    def _words(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.uint64]:
        return self._rng.integers(0, 2**64, size=len(games), dtype=np.uint64)

    def _seeds(self) -> NDArray[np.uint64] | None:
        """Draw a fixed deal for every game; None stands for new deals."""
        if not self._deals:
            return None
        return self._rng.integers(self._deals, size=len(self.games), dtype=np.uint64)

    def _draw_line_ups(self, indices: NDArray[np.int64]) -> None:
        for index in indices.tolist():
            self.line_up[index] = self._opponents.line_up(self.line_up.shape[1], self._rng)
            self._decisions[index] = []


def tables_of(
    spec: GameSpec,
    counts: Sequence[int],
    kinds: Sequence[Mapping[str, Any]],
    opponents: Opponents,
    rng: np.random.Generator,
    deals: int = 0,
) -> list[SelfPlayTable]:
    """Start `counts[k]` games with the settings ``kinds[k]``, for each k; see `kinds_of`."""
    return [
        SelfPlayTable(spec, count, kind, opponents, rng, deals)
        for count, kind in zip(counts, kinds, strict=True)
    ]
