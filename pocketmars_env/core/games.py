"""`Games`, a batch of games that are stepped together."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.arrays import flag_array, integer_array, output_array
from pocketmars_env.core.compiled.states import States, copy_states, take_states
from pocketmars_env.core.compiled.threads import MIN_SHORT_PART, Result, check_threads, in_threads
from pocketmars_env.core.errors import IllegalAction, quoted
from pocketmars_env.core.game import Game, Views
from pocketmars_env.core.game_spec import Config, GameSpec
from pocketmars_env.core.observation_dtype import FLOAT32, Outputs, observation_dtype_of, observe_all
from pocketmars_env.core.position_codec import Snapshot
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.settings import check_integer, signature_with

if TYPE_CHECKING:
    from pocketmars_env.core.cuda.device_games import DeviceGames

MAX_GAMES = 2**24
TO_PLAY = -1
"""The value in the argument `seats` that selects the seat to play."""


class Games:
    """N games with the same settings, stepped together.

    Game `i` starts with seed ``(seed + i) % 2**64`` and is identical to a `Game` with this seed and the same
    settings. If several threads call methods of the same object, the calls run one after another, but
    properties do not wait for a running method. Use separate objects for parallel calls.

    Args:
        count: the number of games, N, in 1..2**24.
        spec: the `GameSpec` of the games; left out by classes for one game, such as `pocketmars_env.Games`.
        seed: the first game's seed, in 0..2**64 - 1; if None, a seed is drawn from the operating system.
        num_threads: the maximum number of threads that work on the games, in 1..256; results do not depend
            on this number.
        observation_dtype: ``"float32"``, or ``"uint8"`` for unscaled counts; multiplying the counts by
            `spec.scales` gives the float32 observations.
        settings: the settings of all games; see `spec.config`.

    Attributes:
        config: the settings of all games.
        states: ``(N,)`` state records of dtype `spec.state`: the games' own memory, not a copy.
        num_threads: the maximum number of threads that work on the games.
        observation_dtype: the dtype of observations, float32 or uint8.

    Raises:
        ValueError: for an invalid argument or setting, or if the settings do not allow uint8 observations;
            the message describes what is accepted.
        TypeError: for an unknown setting.

    Examples:
        >>> from pocketmars_env import Games
        >>> games = Games(256, mode="solo", seed=1)
        >>> while not games.over.all():
        ...     games.step(games.random_actions(), ~games.over)
        >>> games.scores.shape
        (256, 2)

    """

    spec: GameSpec
    """The game's `GameSpec`; a class attribute of classes for one game."""

    config: Any

    def __init_subclass__(cls) -> None:
        cls.__signature__ = signature_with(cls.spec.config, cls.__init__, ("spec",))  # type: ignore[attr-defined]

    def __init__(
        self,
        count: int,
        spec: GameSpec | None = None,
        /,
        *,
        seed: SupportsIndex | None = None,
        num_threads: int = 1,
        observation_dtype: str = "float32",
        **settings: Any,
    ) -> None:
        spec = spec or self.spec
        check_integer("count", count, 1, MAX_GAMES)
        config, first_seed = spec.config(**settings), check_seed(seed)
        check_threads(num_threads)
        ensure_compiled(spec)
        dtype = observation_dtype_of(spec, config, observation_dtype)
        self._begin(spec, config, spec.codec.blank(count, config), num_threads, dtype, (first_seed, 0))
        self.reset(seeds=[(first_seed + i) % 2**64 for i in range(count)])

    def _begin(
        self,
        spec: GameSpec,
        config: Config,
        states: States,
        num_threads: int,
        dtype: np.dtype[Any],
        stream: tuple[int, int],
    ) -> None:
        self.spec, self.config, self.states, self.num_threads = spec, config, states, num_threads
        self.observation_dtype = dtype
        self._stream, self._words = np.uint64(stream[0]), stream[1]  # the random stream of `random_actions`
        self._lock = threading.Lock()

    @classmethod
    def of(
        cls,
        spec: GameSpec,
        config: Config,
        states: States,
        num_threads: int = 1,
        dtype: np.dtype[Any] = FLOAT32,
        stream: tuple[int, int] = (0, 0),
    ) -> Self:
        """Create games from contiguous ``(N,)`` state records, without copying or checking them.

        `stream` is the random stream of `random_actions`: its seed, and how many numbers have been drawn.
        """
        games = cls.__new__(cls)
        games._begin(spec, config, states, num_threads, dtype, stream)
        return games

    @classmethod
    def blank(
        cls,
        spec: GameSpec,
        config: Config,
        count: int,
        num_threads: int = 1,
        dtype: np.dtype[Any] = FLOAT32,
    ) -> Self:
        """Create `count` games that have not started."""
        ensure_compiled(spec)
        return cls.of(spec, config, spec.codec.blank(count, config), num_threads, dtype)

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

    @property
    def termination(self) -> NDArray[np.int64]:
        """How each game ended, as ``(N,)`` int64 indices into `spec.terminations`; -1 before the end."""
        terminations = np.empty(len(self), dtype=np.int64)
        self.spec.batch.terminations_all(self.states, terminations)
        return terminations

    def reset(
        self,
        which: NDArray[np.bool_] | None = None,
        seeds: Sequence[int] | NDArray[np.uint64] | None = None,
    ) -> None:
        """Start new games.

        Args:
            which: ``(N,)`` bool, the games to start; by default all.
            seeds: ``(N,)`` integers in 0..2**64 - 1, one for each game, including those that are not started;
                by default each game's previous seed + N, modulo 2**64.

        Raises:
            ValueError: if an array has the wrong shape or dtype, or if a seed is out of range; no game
                changes.

        """
        flags = flag_array("which", which, len(self))
        checked_seeds = None if seeds is None else self._seed_array(seeds)
        with self._lock:
            numbers = self.states["seed"] + np.uint64(len(self)) if checked_seeds is None else checked_seeds
            self.spec.batch.new_games(self.states, numbers, flags)

    def _seed_array(self, seeds: Sequence[int] | NDArray[np.uint64]) -> NDArray[np.uint64]:
        numbers = list(seeds) if isinstance(seeds, Sequence | np.ndarray) and np.ndim(seeds) == 1 else []
        if len(numbers) != len(self) or None in numbers:
            raise ValueError(f"seeds must be {len(self)} integers in 0..2**64-1, got {quoted(seeds)}")
        return np.array([check_seed(seed) for seed in numbers], dtype=np.uint64)

    def step(self, actions: NDArray[np.int64], which: NDArray[np.bool_] | None = None) -> None:
        """Play an action in each selected game.

        Args:
            actions: ``(N,)`` integers; entries for games that are not selected are ignored.
            which: ``(N,)`` bool, the selected games; by default all.

        Raises:
            IllegalAction: if an action is illegal in a selected game; every action is illegal in a finished
                game. The message names the first game with an illegal action, and the legal actions in this
                game. In case of an error, all games remain as they were.
            ValueError: if an array has the wrong shape or dtype; all games remain as they were.

        """
        numbers = integer_array("actions", actions, len(self))
        games = np.flatnonzero(flag_array("which", which, len(self)))
        with self._lock:
            illegal = self._step_some(games, numbers[games])
        if illegal >= 0:
            i = int(games[illegal])
            game = self.game(i)
            accepted = self.spec.names_of(game.legal)
            raise IllegalAction(
                f"action {numbers[i]} is illegal in game {i} ({game!r}); accepted: {accepted}"
            )

    def _step_some(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Play an action in each of the given games; if an action is illegal, no game changes.

        Args:
            games: ``(n,)`` int64: indices of the games, without duplicates.
            actions: ``(n,)`` int64: ``actions[k]`` is played in game ``games[k]``.

        """
        illegal = int(self.spec.batch.first_illegal(self.states, games, actions))

        def step(rows: slice) -> None:
            self.spec.batch.step_some(self.states, games[rows], actions[rows])

        if illegal < 0:
            self._in_threads(step, len(games))
        return illegal

    def masks(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return ``(N, NUM_ACTIONS)`` int8: the mask of each game's seat to play; zeros for finished games.

        Args:
            out: a writeable, C-contiguous array for the result, ``(N, NUM_ACTIONS)`` int8; by default a new
                array. It must not overlap the memory of the games (`states`).

        Raises:
            ValueError: if `out` is neither None nor such an array.

        """
        masks = output_array("out", out, (len(self), self.spec.num_actions), np.int8)
        with self._lock:
            self._in_threads(lambda rows: self.spec.batch.mask_all(self.states[rows], masks[rows]), len(self))
            return masks

    def observe(
        self, seats: NDArray[np.int64] | None = None, out: Outputs | tuple[None, None] = (None, None)
    ) -> Outputs:
        """Return observations ``(N, OBSERVATION_SIZE)`` and action masks ``(N, NUM_ACTIONS)`` int8.

        The dtype of the observations, float32 or uint8, is the constructor's `observation_dtype`. A mask is
        all zeros unless the selected seat is the seat to play.

        Args:
            seats: ``(N,)`` integers, the seat in each game; -1, the default, selects the seat to play (seat 0
                in finished games).
            out: a tuple of two writeable, C-contiguous arrays for the results, with the shapes and dtypes
                above; a new array is created for each entry that is None. For about 10,000 games or more,
                reusing arrays saves more than half of this method's time. The arrays must not overlap the
                memory of the games (`states`) or each other.

        Raises:
            ValueError: if `seats` has the wrong shape or dtype, if a seat does not exist, or if `out` is not
                such a tuple.

        """
        if not isinstance(out, tuple) or len(out) != 2:
            raise ValueError(f"out must be a pair of arrays, got {type(out).__name__}")
        observations, masks = out
        arrays = (
            output_array(
                "out[0]", observations, (len(self), self.spec.observation_size), self.observation_dtype.type
            ),
            output_array("out[1]", masks, (len(self), self.spec.num_actions), np.int8),
        )
        seats = np.full(len(self), TO_PLAY) if seats is None else seats
        seats = integer_array("seats", seats, len(self), TO_PLAY, self.config.seats - 1)
        with self._lock:
            return self._observe(seats, arrays)

    def _observe(self, seats: NDArray[np.int64], out: Outputs | None = None) -> Outputs:
        """Return the observation and action mask of one seat per game; the arguments are not checked."""
        return observe_all(self.spec, self.states, seats, self.observation_dtype, self.num_threads, out)

    def random_actions(self) -> NDArray[np.int64]:
        """Return ``(N,)`` int64: a uniformly random legal action for each game, 0 for finished games.

        The actions come from a separate random stream that depends only on the constructor's `seed`. `reset`
        does not restart this stream.
        """
        actions, words = np.empty(len(self), dtype=np.int64), np.empty(len(self), dtype=np.uint64)
        with self._lock:
            first = self._words
            self._words += len(self)

            def choose(rows: slice) -> None:
                self.spec.batch.choose_all(
                    self.states[rows], ~self._stream, first + rows.start, words[rows], actions[rows]
                )

            self._in_threads(choose, len(self))
        return actions

    @property
    def scores(self) -> NDArray[np.int64]:
        """``(N, seats)`` int64: the score of every seat as if the games ended now."""
        with self._lock:
            return self.standings()[0]

    @property
    def winners(self) -> NDArray[np.bool_]:
        """``(N, seats)`` bool: whether each seat has won; all False before the end of a game."""
        with self._lock:
            return self.standings()[1] & self.over[:, None]

    def standings(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return scores ``(N, seats)`` int64 and winners ``(N, seats)`` bool as if the games ended now."""
        scores = np.empty((len(self), self.spec.max_seats), dtype=np.int64)
        winners = np.empty(len(self), dtype=np.int64)
        self.spec.batch.scores_all(self.states, scores, winners)
        seats = self.config.seats
        return scores[:, :seats], (winners[:, None] >> np.arange(seats)) & 1 == 1

    def views(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> Views:
        """Return a batch of views: for every `k`, the view of seat ``seats[k]`` in game ``games[k]``.

        Args:
            games: ``(n,)`` int64: indices of the games.
            seats: ``(n,)`` int64: a seat for each entry of `games`.

        Raises:
            ValueError: if an array has the wrong shape or dtype, or if a game or seat does not exist.

        """
        with self._lock:
            return Views(self.spec, self.states, games, seats, self.num_threads)

    def game(self, i: int) -> Any:
        """Return a copy of game `i` as a `Game` whose history starts at the current position.

        Raises:
            IndexError: if there is no such game.

        """
        if not 0 <= i < len(self):
            raise IndexError(f"game must be in 0..{len(self) - 1}, got {i}")
        with self._lock:
            return Game.of(self.spec, copy_states(self.states[i : i + 1]))

    def snapshot(self, i: int) -> Snapshot:
        """Return everything on the table of game `i` as JSON-serializable data; see `Game.snapshot`.

        Raises:
            IndexError: if there is no such game.

        """
        data: Snapshot = self.game(i).snapshot()
        return data

    def take(self, games: NDArray[np.int64]) -> Self:
        """Return copies of the games with the given indices, ``(n,)`` int64."""
        return self._of(take_states(self.states, games))

    def part(self, rows: slice) -> Self:
        """Return a slice of the games that shares their memory."""
        return self._of(self.states[rows])

    def _of(self, states: States) -> Self:
        return self.of(*self._parts(states))

    def _parts(self, states: States) -> tuple[Any, ...]:
        """Return the arguments of `of` for games like these with the given states."""
        stream = int(self._stream), self._words
        return self.spec, self.config, states, self.num_threads, self.observation_dtype, stream

    def clone(self) -> Self:
        """Return an independent copy; its random events and `random_actions` will be the same as here."""
        with self._lock:
            return self._of(copy_states(self.states))

    def to_device(self) -> "DeviceGames":
        """Copy the games to GPU memory, and return the copies.

        The copies' random events and `random_actions` will be the same as here.

        Raises:
            NoDevice: if numba-cuda is not installed, or if there is no CUDA device.

        """
        from pocketmars_env.core.cuda.device_games import DeviceGames  # needed only for a GPU

        with self._lock:
            return DeviceGames(self, (int(self._stream), self._words))

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return self.of, self._parts(self.states)  # without the lock, which cannot be pickled

    def _in_threads(self, call: Callable[[slice], Result], count: int) -> list[Result]:
        return in_threads(call, count, self.num_threads, MIN_SHORT_PART)
