"""`GameArray`, an array of games that are stepped together on the CPU."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States, copy_states, take_states
from pocketmars_env.core.compiled.threads import MIN_SHORT_PART, Result, in_threads
from pocketmars_env.core.game_spec import Config, GameSpec, Snapshot
from pocketmars_env.core.observation_dtype import FLOAT32, Outputs, observe_all
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.view import Views


class StateColumns:
    """Base class of `GameArray` and `Games` with their common properties.

    Subclasses store their N games in `states`, ``(N,)`` state records.
    """

    states: States

    def __len__(self) -> int:
        return len(self.states)

    @property
    def to_play(self) -> NDArray[np.int64]:
        """``(N,)`` int64: the seat to play in each game, -1 for finished games."""
        return self.states["to_play"].astype(np.int64)

    @property
    def over(self) -> NDArray[np.bool_]:
        """``(N,)`` bool: which games have ended."""
        return self.states["over"].astype(np.bool_)

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """``(N,)`` bool: which games were ended by the round limit."""
        return self.states["truncated"].astype(np.bool_)


class GameArray(StateColumns):
    """N games with the same settings.

    Unlike those of `Games`, its methods do not check their arguments, except that `step_some` detects illegal
    actions.

    The constructor's arguments are also attributes.

    Args:
        states: contiguous ``(N,)`` state records; the array is not copied.
        num_threads: the maximum number of threads; results do not depend on it.

    """

    def __init__(self, spec: GameSpec, config: Config, states: States, num_threads: int = 1) -> None:
        self.spec = spec
        self.config = config
        self.states = states
        self.num_threads = num_threads

    @classmethod
    def blank(cls, spec: GameSpec, config: Config, count: int, num_threads: int = 1) -> Self:
        """Create `count` games that have not started."""
        ensure_compiled(spec)
        return cls(spec, config, spec.blank_states(count, config), num_threads)

    def begin(self, seeds: NDArray[np.uint64], which: NDArray[np.bool_] | None = None) -> None:
        """Start new games.

        Args:
            seeds: ``(N,)`` uint64; entries for games that are not started are ignored.
            which: ``(N,)`` bool, the games to start; by default all.

        """
        flags = np.ones(len(self), dtype=np.bool_) if which is None else which
        self.spec.batch.new_games(self.states, seeds, flags)

    def step_some(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Play an action in each of the given games.

        If an action is illegal, no game changes.

        Args:
            games: ``(n,)`` int64: indices of the games, without duplicates.
            actions: ``(n,)`` int64: ``actions[k]`` is played in game ``games[k]``.

        Returns:
            The first `k` for which ``actions[k]`` is illegal, or -1 if all actions are legal.

        """
        illegal = int(self.spec.batch.first_illegal(self.states, games, actions))

        def step(rows: slice) -> None:
            self.spec.batch.step_some(self.states, games[rows], actions[rows])

        if illegal < 0:
            self._in_threads(step, len(games))
        return illegal

    def masks(self, out: NDArray[np.int8]) -> NDArray[np.int8]:
        """For each game, write the action mask of the seat to play into `out`; return `out`.

        The masks are ``(N, NUM_ACTIONS)`` int8; the masks of finished games are all zeros.
        """
        self._in_threads(lambda rows: self.spec.batch.mask_all(self.states[rows], out[rows]), len(self))
        return out

    def observe(
        self, seats: NDArray[np.int64], dtype: np.dtype[Any] = FLOAT32, out: Outputs | None = None
    ) -> Outputs:
        """Return the observation and action mask of one seat per game; for the shapes, see `Outputs`.

        Args:
            seats: ``(N,)`` int64: the seat in each game; -1 selects the seat to play (seat 0 in finished
                games).
            dtype: the dtype of the observations, float32 or uint8, as returned by `observation_dtype_of`.
            out: arrays for the results; by default new arrays.

        """
        return observe_all(self.spec, self.states, seats, dtype, self.num_threads, out)

    def random_actions(self, stream: np.uint64, first: int) -> NDArray[np.int64]:
        """Return ``(N,)`` int64: a uniformly random legal action for each game, 0 for finished games.

        Args:
            stream: the seed of a random stream.
            first: the stream index of the 32-bit word that game 0 uses; game `i` uses word ``first + i``.

        """
        actions, words = np.empty(len(self), dtype=np.int64), np.empty(len(self), dtype=np.uint64)

        def choose(rows: slice) -> None:
            self.spec.batch.choose_all(
                self.states[rows], stream, first + rows.start, words[rows], actions[rows]
            )

        self._in_threads(choose, len(self))
        return actions

    def standings(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return scores ``(N, seats)`` int64 and winners ``(N, seats)`` bool as if the games ended now."""
        scores = np.empty((len(self), self.spec.max_seats), dtype=np.int64)
        winners = np.empty(len(self), dtype=np.int64)
        self.spec.batch.scores_all(self.states, scores, winners)
        seats = self.config.seats
        return scores[:, :seats], (winners[:, None] >> np.arange(seats)) & 1 == 1

    def terminations(self) -> NDArray[np.int64]:
        """Return how each game ended, as ``(N,)`` indices into `GameSpec.terminations`; -1 before the end."""
        terminations = np.empty(len(self), dtype=np.int64)
        self.spec.batch.terminations_all(self.states, terminations)
        return terminations

    def views(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> Views:
        """Return a batch of views: for every `k`, the view of seat ``seats[k]`` in game ``games[k]``."""
        return Views(self.spec, self.states, games, seats, self.num_threads)

    def game(self, i: int) -> Any:
        """Return a copy of game `i` as a `Game` whose history starts at the current position."""
        return self.spec.game._of(copy_states(self.states[i : i + 1]))

    def snapshot(self, i: int) -> Snapshot:
        """Return everything on the table of game `i` as JSON-serializable data; see `Game.snapshot`."""
        return self.spec.snapshot(self.states[i : i + 1])

    def some(self, games: NDArray[np.int64]) -> Self:
        """Return copies of the games with the given indices, ``(n,)`` int64."""
        return type(self)(self.spec, self.config, take_states(self.states, games), self.num_threads)

    def part(self, rows: slice) -> Self:
        """Return a slice of the games that shares their memory."""
        return type(self)(self.spec, self.config, self.states[rows], self.num_threads)

    def clone(self) -> Self:
        """Return copies of all games."""
        return type(self)(self.spec, self.config, copy_states(self.states), self.num_threads)

    def _in_threads(self, call: Callable[[slice], Result], count: int) -> list[Result]:
        return in_threads(call, count, self.num_threads, MIN_SHORT_PART)
