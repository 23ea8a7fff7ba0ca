"""`Games`, a batch of games that are stepped together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.arrays import flag_array, integer_array, output_array
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.compiled.threads import check_threads
from pocketmars_env.core.errors import IllegalAction, quoted
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_array import GameArray, StateColumns
from pocketmars_env.core.game_spec import Config, GameSpec, Snapshot
from pocketmars_env.core.object_lock import ObjectLock
from pocketmars_env.core.observation_dtype import Outputs, observation_dtype_of
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.settings import check_integer, check_names, setting_names, signature_with
from pocketmars_env.core.view import Views

if TYPE_CHECKING:
    from pocketmars_env.core.cuda.device_games import DeviceGames

MAX_GAMES = 2**24
TO_PLAY = -1
"""The value in the argument `seats` that selects the seat to play."""


class Games(StateColumns):
    """A batch of N games with the same settings.

    Game `i` starts with seed ``(seed + i) % 2**64`` and is identical to a `Game` with this seed and the same
    settings. If several threads call methods of the same object, the calls run one after another, but
    properties do not wait for a running method. Use separate objects for parallel calls.

    Args:
        count: the number of games, N, in 1..2**24.
        seed: the first game's seed, in 0..2**64 - 1; if None, a seed is drawn from the operating system.
        num_threads: the maximum number of threads that work on the games, in 1..256; results do not depend
            on this number.
        observation_dtype: ``"float32"``, or ``"uint8"`` for unscaled counts; multiplying the counts by
            `spec.scales` gives the float32 observations.
        settings: the settings of all games; see `spec.config`.

    Attributes:
        spec: the game's `GameSpec`, set by subclasses.
        config: the settings of all games.

    Raises:
        ValueError: for an invalid argument or setting, or if the settings do not allow uint8 observations;
            the message describes what is accepted.
        TypeError: for an unknown setting.

    Examples:
        >>> from pocketmars_env import Games
        >>> games = Games(256, mode="solo", seed=1)
        >>> while not games.over.all():
        ...     games.step(games.random_actions(), ~games.over)
        >>> games.scores().shape
        (256, 2)

    """

    spec: ClassVar[GameSpec]

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "spec"):
            cls.__signature__ = signature_with(cls.spec.config, cls.__init__)  # type: ignore[attr-defined]

    def __init__(
        self,
        count: int,
        *,
        seed: SupportsIndex | None = None,
        num_threads: int = 1,
        observation_dtype: str = "float32",
        **settings: Any,
    ) -> None:
        check_integer("count", count, 1, MAX_GAMES)
        check_names(f"games of {self.spec.title}", settings, setting_names(self.spec.config))
        self.config = self.spec.config(**settings)
        first = check_seed(seed)
        self._games = GameArray.blank(self.spec, self.config, count, check_threads(num_threads))
        self._dtype = observation_dtype_of(self.spec, self.config, observation_dtype)
        self._lock = ObjectLock()
        self._stream, self._words = np.uint64(first), 0  # the random stream of `random_actions`
        self.reset(seeds=[(first + i) % 2**64 for i in range(count)])

    @property
    def states(self) -> States:  # type: ignore[override]  # read-only
        """``(N,)`` state records of dtype `spec.state`: the games' own memory, not a copy."""
        return self._games.states

    @property
    def num_threads(self) -> int:
        """The maximum number of threads that work on the games."""
        return self._games.num_threads

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
        given = None if seeds is None else self._seed_array(seeds)
        with self._lock.lock:
            numbers = self.states["seed"] + np.uint64(len(self)) if given is None else given
            self._games.begin(numbers, flags)

    def _seed_array(self, seeds: Sequence[int] | NDArray[np.uint64]) -> NDArray[np.uint64]:
        numbers = list(seeds) if isinstance(seeds, Sequence | np.ndarray) and np.ndim(seeds) == 1 else []
        if len(numbers) != len(self) or None in numbers:
            raise ValueError(f"seeds must be {len(self)} integers in 0..2**64-1, got {quoted(seeds)}")
        return np.array([check_seed(seed) for seed in numbers], dtype=np.uint64)

    @property
    def termination(self) -> NDArray[np.int64]:
        """How each game ended, as ``(N,)`` int64 indices into `spec.terminations`; -1 before the end."""
        return self._games.terminations()

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
        with self._lock.lock:
            bad = self._games.step_some(games, numbers[games])
        if bad >= 0:
            i = int(games[bad])
            game = self.game(i)
            accepted = self.spec.names_of(game.legal())
            raise IllegalAction(
                f"action {numbers[i]} is illegal in game {i} ({game!r}); accepted: {accepted}"
            )

    def masks(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return ``(N, NUM_ACTIONS)`` int8: the mask of each game's seat to play; zeros for finished games.

        Args:
            out: a writeable, C-contiguous array for the result, ``(N, NUM_ACTIONS)`` int8; by default a new
                array. It must not overlap the memory of the games (`states`).

        Raises:
            ValueError: if `out` is neither None nor such an array.

        """
        masks = output_array("out", out, (len(self), self.spec.num_actions), np.int8)
        with self._lock.lock:
            return self._games.masks(masks)

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
            output_array("out[0]", observations, (len(self), self.spec.observation_size), self._dtype.type),
            output_array("out[1]", masks, (len(self), self.spec.num_actions), np.int8),
        )
        given = np.full(len(self), TO_PLAY) if seats is None else seats
        chosen = integer_array("seats", given, len(self), TO_PLAY, self.config.seats - 1)
        with self._lock.lock:
            return self._games.observe(chosen, self._dtype, arrays)

    def random_actions(self) -> NDArray[np.int64]:
        """Return ``(N,)`` int64: a uniformly random legal action for each game, 0 for finished games.

        The actions come from a separate random stream that depends only on the constructor's `seed`. `reset`
        does not restart this stream.
        """
        with self._lock.lock:
            first = self._words
            self._words += len(self)
            return self._games.random_actions(~self._stream, first)

    def scores(self) -> NDArray[np.int64]:
        """Return ``(N, seats)`` int64: the score of every seat as if the games ended now."""
        with self._lock.lock:
            return self._games.standings()[0]

    def winners(self) -> NDArray[np.bool_]:
        """Return ``(N, seats)`` bool: whether each seat has won; all False before the end of a game."""
        with self._lock.lock:
            return self._games.standings()[1] & self.over[:, None]

    def views(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> Views:
        """Return a batch of views: for every `k`, the view of seat ``seats[k]`` in game ``games[k]``.

        Args:
            games: ``(n,)`` int64: indices of the games.
            seats: ``(n,)`` int64: a seat for each entry of `games`.

        Raises:
            ValueError: if an array has the wrong shape or dtype, or if a game or seat does not exist.

        """
        with self._lock.lock:
            return self._games.views(games, seats)

    def game(self, i: int) -> Any:
        """Return a copy of game `i` as a `Game` whose history starts at the current position.

        Raises:
            IndexError: if there is no such game.

        """
        if not 0 <= i < len(self):
            raise IndexError(f"game must be in 0..{len(self) - 1}, got {i}")
        with self._lock.lock:
            return self._games.game(i)

    def snapshot(self, i: int) -> Snapshot:
        """Return everything on the table of game `i` as JSON-serializable data; see `Game.snapshot`.

        Raises:
            IndexError: if there is no such game.

        """
        data: Snapshot = self.game(i).snapshot()
        return data

    def clone(self) -> Self:
        """Return an independent copy; its random events and `random_actions` will be the same as here."""
        twin = type(self).__new__(type(self))
        with self._lock.lock:
            twin.__dict__.update(self.__dict__)
            twin._games = self._games.clone()
        twin._lock = ObjectLock()
        return twin

    def to_device(self) -> "DeviceGames":
        """Copy the games to GPU memory, and return the copies.

        The copies' random events and `random_actions` will be the same as here.

        Raises:
            NoDevice: if numba-cuda is not installed, or if there is no CUDA device.

        """
        from pocketmars_env.core.cuda.device_games import DeviceGames  # needed only for a GPU

        with self._lock.lock:
            stream = int(self._stream), self._words
            return DeviceGames(self.spec, self.config, self.states, self._dtype, self.num_threads, stream)

    @classmethod
    def of_states(
        cls,
        config: Config,
        states: States,
        dtype: np.dtype[Any],
        num_threads: int = 1,
        stream: tuple[int, int] = (0, 0),
    ) -> Self:
        """Create games from copies of ``(N,)`` state records.

        `stream` is the random stream of `random_actions`: its seed, and how many numbers have been drawn.
        """
        settings = config.as_dict()
        games = cls(len(states), seed=0, num_threads=num_threads, observation_dtype=dtype.name, **settings)
        games.states[:] = states
        games._stream, games._words = np.uint64(stream[0]), stream[1]
        return games

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()


# --- the classes of a game --------------------------------------------------------------------------


def class_of(spec: GameSpec, is_many: bool) -> type[Any]:
    """Return the game's subclass of `Games`, or of `Game` if `is_many` is false; create it if missing."""
    base = Games if is_many else Game
    own = [one for one in base.__subclasses__() if getattr(one, "spec", None) is spec]
    return own[0] if own else type(base.__name__, (base,), {"spec": spec, "__reduce__": reduced})


def reduced(found: Game | Games) -> tuple[Any, ...]:
    """Implement ``__reduce__`` for generated classes, which pickle cannot import by name."""
    return restored, (found.spec, isinstance(found, Games), found.__dict__)


def restored(spec: GameSpec, is_many: bool, content: dict[str, Any]) -> Game | Games:
    """Unpickle a game, or N games if `is_many` is true, pickled with `reduced`."""
    kind: Any = spec.games if is_many else spec.game
    found: Game | Games = kind.__new__(kind)
    found.__dict__.update(content)
    return found
