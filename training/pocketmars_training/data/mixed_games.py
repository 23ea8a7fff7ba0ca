"""Games in which a learner has all seats, or one seat beside a bot; it learns from what it is asked there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.view import Views
from pocketmars_env.envs.rewards import final_rewards_all

LEARNER = -1
"""Stands in a line-up where others have their bot's number."""


class Ended(NamedTuple):
    """A game that is over."""

    table: int  # where it was played
    rewards: NDArray[np.float64]  # (seats,), those of automata included


class MixedGames:
    """Games of one kind side by side, of which the next begins where one ends.

    Args:
        spec: the game that is played.
        count: how many.
        kind: settings of `Games`, see `kinds_of` of `training_spec.py`.
        bots: of whom one may sit at a table, in all seats but the learner's.
        bot_share: the share of games with a bot.
        rng: decides the deals, the line-ups and the bots' answers.

    Attributes:
        games: `Games`, none of which is over.

    """

    def __init__(
        self,
        spec: GameSpec,
        count: int,
        kind: Mapping[str, Any],
        bots: Sequence[Agent],
        bot_share: float,
        rng: np.random.Generator,
    ) -> None:
        self.games = spec.games(count, **kind, seed=int(rng.integers(0, 2**63)))
        self._bots, self._bot_share, self._rng = bots, bot_share, rng
        self._line_ups = np.full((count, self.games.config.players), LEARNER)
        self._draw_line_ups(np.arange(count))

    def learners(self) -> NDArray[np.int64]:
        """``(n,)`` int64: the tables at which the learner is asked."""
        return np.flatnonzero(self._to_play_are() == LEARNER)

    def views(self, tables: NDArray[np.int64]) -> Views:
        """What the seats see that are asked at some tables."""
        return self.games.views(tables, self.games.to_play[tables])

    def step(self, tables: NDArray[np.int64], actions: NDArray[np.int64]) -> Iterator[Ended]:
        """One answer at every table; returns the games that end, for which others have begun.

        Args:
            tables: ``(n,)`` int64: those of `learners`.
            actions: ``(n,)`` int64: the learner's.

        """
        every = np.zeros(len(self.games), dtype=np.int64)
        every[tables] = actions
        asked_are = self._to_play_are()
        for number, bot in enumerate(self._bots):
            to_play = np.flatnonzero(asked_are == number)
            if len(to_play):
                seeds = self._rng.integers(0, 2**64, size=len(to_play), dtype=np.uint64)
                every[to_play] = choose_actions(bot, self.views(to_play), seeds)
        self.games.step(every)
        over = np.flatnonzero(self.games.over)
        rewards = final_rewards_all("win", self.games.scores()[over], self.games.winners()[over])
        self._begin(over)
        return map(Ended, over.tolist(), rewards)

    def _begin(self, tables: NDArray[np.int64]) -> None:
        which = np.zeros(len(self.games), dtype=np.bool_)
        which[tables] = True
        self.games.reset(which)
        self._draw_line_ups(tables)

    def _draw_line_ups(self, tables: NDArray[np.int64]) -> None:
        rng, players = self._rng, self.games.config.players
        for table in tables.tolist():
            self._line_ups[table] = LEARNER
            if rng.random() < self._bot_share:
                self._line_ups[table] = rng.integers(len(self._bots))
                self._line_ups[table, rng.integers(players)] = LEARNER

    def _to_play_are(self) -> NDArray[np.int64]:
        """``(count,)`` int64: who is asked at each table."""
        to_play: NDArray[np.int64] = self._line_ups[np.arange(len(self.games)), self.games.to_play]
        return to_play
