"""Replay of recorded games, which gives the state before each action and an episode for each seat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.arena.results import GameResult
from pocketmars_env.core.compiled.states import bytes_of
from pocketmars_env.core.game_spec import spec_of
from pocketmars_env.core.games import Games
from pocketmars_env.core.observation_dtype import FLOAT32, observe_all


@dataclass(frozen=True)
class Episode:
    """The observations, action masks and actions of one seat in a game in which the seat made T decisions."""

    number: int  # the index of the game in the recording
    game: GameResult  # the recorded game, with its actions and result
    seat: int  # the seat that made the decisions
    # ``(T + 1, OBSERVATION_SIZE)`` float32 or uint8, one before each action of the seat and one in the
    # final state
    observations: NDArray[Any]
    masks: NDArray[np.int8]  # ``(T + 1, NUM_ACTIONS)`` int8, 1 for a legal action; the last mask is all zeros
    actions: NDArray[np.int64]  # ``(T,)`` int64


class Replays:
    """Recorded games of one configuration, replayed together; `first` is the index of the first one.

    `before` has the states before the ``n`` decisions of all games, ordered by game and then by decision;
    `actions`, ``(n,)`` int64, are in the same order. `finals` has the final state of each game.
    """

    def __init__(self, games: Sequence[GameResult], first: int = 0) -> None:
        self.games = games
        self.first = first
        self.lengths = np.array([len(game.actions) for game in games])  # numbers of decisions
        self.actions = np.concatenate([np.array(game.actions, dtype=np.int64) for game in games])
        config = games[0].match.config
        spec = spec_of(config)
        self.before = Games.blank(spec, config, len(self.actions))
        self.finals = Games.blank(spec, config, len(games))
        self.finals.reset(seeds=[game.match.seed for game in games])
        starts = np.cumsum(self.lengths) - self.lengths
        before, now = bytes_of(self.before.states), bytes_of(self.finals.states)
        for number in range(int(self.lengths.max())):
            running = np.flatnonzero(self.lengths > number)
            rows = starts[running] + number
            before[rows] = now[running]
            bad = self.finals._step_some(running, self.actions[rows])
            if bad >= 0:
                raise ValueError(f"game {first + running[bad]}: action {number} is not legal")
        self._check_ends()

    def _check_ends(self) -> None:
        """Raise a ValueError unless every game is over and has the recorded scores."""
        ends = zip(self.games, self.finals.over, self.finals.standings()[0], strict=True)
        for index, (game, is_over, scores) in enumerate(ends):
            result = bool(is_over), tuple(scores.tolist())
            if result != (True, game.scores):
                raise ValueError(
                    f"game {self.first + index}: its actions do not lead to the scores {game.scores}"
                )

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat that chose each action, ``(n,)`` int64."""
        return self.before.to_play

    @property
    def places(self) -> NDArray[np.int64]:
        """For each action, the index of its game in `games`, ``(n,)`` int64."""
        return np.repeat(np.arange(len(self.games)), self.lengths)

    def episodes(self, dtype: np.dtype[Any] = FLOAT32) -> Iterator[Episode]:
        """Yield an episode for each game and each seat that made a decision, ordered by game and seat."""
        starts = np.cumsum(self.lengths) - self.lengths
        for i, (game, start, length) in enumerate(zip(self.games, starts, self.lengths, strict=True)):
            seats = self.before.part(slice(start, start + length)).to_play
            for seat in np.unique(seats).tolist():
                rows = start + np.flatnonzero(seats == seat)
                states = self.before.take(rows), self.finals.part(slice(i, i + 1))
                seen = [
                    observe_all(games.spec, games.states, np.full(len(games), seat), dtype, num_threads=1)
                    for games in states
                ]
                observations, masks = (np.concatenate(both) for both in zip(*seen, strict=True))
                yield Episode(self.first + i, game, seat, observations, masks, self.actions[rows])
