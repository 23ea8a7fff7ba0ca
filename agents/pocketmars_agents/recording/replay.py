"""Recorded games, played again: the state before each answer, and what the seats saw."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.recording.games import RecordedGame
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Games
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.state import STATE, new_states

WORDS = STATE.itemsize // 8
"""A state as 64-bit words: NumPy copies records field by field, which takes ten times as long."""


@dataclass(frozen=True)
class Episode:
    """What one seat saw and did in a game of T of its decisions.

    Attributes:
        seat: the seat.
        observations: ``(T + 1, OBSERVATION_SIZE)`` float32; the last one is that of the end.
        masks: ``(T + 1, NUM_ACTIONS)`` int8, 1 for a legal action; the last one is all zeros.
        actions: ``(T,)`` int64.

    """

    seat: int
    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]


@dataclass(frozen=True)
class Replay:
    """A game of n decisions, of all seats.

    Attributes:
        number: the game's place in the recording.
        game: how it was played, and how it ended.
        states: ``(n,)`` `STATE`: before each answer.
        final: ``(1,)`` `STATE`: the end.
        actions: ``(n,)`` int64: the answers.

    """

    number: int
    game: RecordedGame
    states: States
    final: States
    actions: NDArray[np.int64]

    @cached_property
    def seats(self) -> NDArray[np.int64]:
        """``(n,)`` int64: who gave them."""
        return self.states["asked_seat"].astype(np.int64)

    def asked(self) -> list[int]:
        """The seats that were asked at all, ascending: each has an episode."""
        return [seat for seat, count in enumerate(self.game.decisions) if count]

    def episode(self, seat: int) -> Episode:
        """What a seat that was asked saw and did."""
        rows = np.flatnonzero(self.seats == seat)
        seen = np.concatenate([words_of(self.states)[rows], words_of(self.final)])
        observations, masks = observed(states_of(seen), np.full(len(seen), seat))
        return Episode(seat, observations, masks, self.actions[rows])


def observed(states: States, seats: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Observations ``(n, OBSERVATION_SIZE)`` and masks ``(n, NUM_ACTIONS)`` of one seat of each state."""
    observations = np.empty((len(states), OBSERVATION_SIZE), dtype=np.float32)
    masks = np.empty((len(states), NUM_ACTIONS), dtype=np.int8)
    batch.observe_all(states, seats, observations, masks)
    return observations, masks


def words_of(states: States) -> NDArray[np.int64]:
    """``(n, WORDS)`` int64: the memory of states."""
    return np.asarray(states).view(np.int64).reshape(-1, WORDS)


def states_of(words: NDArray[np.int64]) -> States:
    """``(n,)`` `STATE`: a copy of the states with that memory."""
    states = new_states(len(words))
    words_of(states)[:] = words
    return states


class Replays:
    """Games of one configuration, played again side by side.

    Args:
        games: at least one.
        first: the place of the first one in the recording.

    Attributes:
        games: as above.
        first: as above.
        lengths: ``(len(games),)`` int64: their decisions, n in all.
        states: ``(n,)`` `STATE`: before each answer, game by game.
        finals: ``(len(games),)`` `STATE`: their ends.
        actions: ``(n,)`` int64: the answers.

    Raises:
        ValueError: names the game whose actions do not fit the rules.

    """

    def __init__(self, games: Sequence[RecordedGame], first: int = 0) -> None:
        self.games = games
        self.first = first
        self.lengths = np.array([len(game.actions) for game in games])
        self.actions = np.concatenate([np.array(game.actions, dtype=np.int64) for game in games])
        self.states = new_states(len(self.actions))
        table = Games(len(games), **games[0].match.config.as_dict(), seed=0)
        table.reset(seeds=[game.match.seed for game in games])
        self.finals = table.states
        starts = np.cumsum(self.lengths) - self.lengths
        before, now = words_of(self.states), words_of(self.finals)
        for number in range(int(self.lengths.max())):
            running = np.flatnonzero(self.lengths > number)
            rows = starts[running] + number
            before[rows] = now[running]
            bad = batch.step_some(self.finals, running, self.actions[rows])
            if bad >= 0:
                raise ValueError(f"game {first + running[bad]}: action {number} is not legal")
        self._check_ends(table)

    def _check_ends(self, table: Games) -> None:
        """Raise a ValueError that names a game whose actions lead to another end."""
        for place, (game, is_over, scores) in enumerate(zip(self.games, table.over, table.scores())):
            found = bool(is_over), tuple(scores.tolist())
            if found != (True, game.scores):
                raise ValueError(f"game {self.first + place}: its actions do not end it with {game.scores}")

    @property
    def seats(self) -> NDArray[np.int64]:
        """``(n,)`` int64: who answered."""
        return self.states["asked_seat"].astype(np.int64)

    @property
    def places(self) -> NDArray[np.int64]:
        """``(n,)`` int64: in which of `games`."""
        return np.repeat(np.arange(len(self.games)), self.lengths)

    def __iter__(self) -> Iterator[Replay]:
        ends = np.cumsum(self.lengths)
        for i, (game, length, end) in enumerate(zip(self.games, self.lengths, ends, strict=True)):
            rows = slice(end - length, end)
            yield Replay(self.first + i, game, self.states[rows], self.finals[i : i + 1], self.actions[rows])
