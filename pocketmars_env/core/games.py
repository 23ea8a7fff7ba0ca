"""Many games at once: arrays in, arrays out, one compiled call for all of them."""

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core import batch
from pocketmars_env.core.arrays import flag_array, integer_array, output_array
from pocketmars_env.core.game import Game, IllegalAction, check_seed
from pocketmars_env.core.object_lock import ObjectLock
from pocketmars_env.core.warming import ensure_compiled
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS, action_name
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.rules.state import States, copy_states
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot, blank_states

MAX_GAMES = 2**24
ASKED_SEAT = -1
"""Stands for the seat that has to answer."""


class Games:
    """N games of one configuration.

    Game `i` starts with the seed ``seed + i``, so that it equals ``Game(..., seed=seed + i)``. Several
    threads may use one object: its calls wait for each other. Threads that shall work side by side
    need objects of their own.

    Args:
        count: how many games, N.
        players: 2, 3 or 4; the solo game has one player whatever stands here.
        mode: ``"multi"``, or ``"solo"`` against Devious Automatics.
        level: ``"standard"``, ``"super_droid"`` or ``"cyborg"`` (solo).
        draft: whether the cards are drafted.
        edition: ``"grey_fox"`` or ``"board_and_dice"``: whose tie-breaks count.
        da_agent: whether the DA's choices are asked of seat 1 (solo).
        seed: the first game's seed; None draws one from the operating system.
        round_limit: the round at whose end a game is truncated; by default 200, solo 60.
        handicap: points added to the DA's score, 0..20 (solo).

    Raises:
        ValueError: names the setting and what is accepted.

    >>> games = Games(256, mode="solo", seed=1)
    >>> while not games.over.all():
    ...     games.step(games.random_actions(), ~games.over)
    >>> games.scores().shape
    (256, 2)

    """

    def __init__(
        self,
        count: int,
        players: int = 2,
        mode: str = "multi",
        level: str | None = "standard",
        draft: bool = False,
        edition: str = "grey_fox",
        da_agent: bool = False,
        seed: SupportsIndex | None = None,
        round_limit: int | None = None,
        handicap: int = 0,
    ) -> None:
        if type(count) is not int or not 1 <= count <= MAX_GAMES:
            raise ValueError(f"count must be an integer in 1..{MAX_GAMES}, got {count!r}")
        self.config = GameConfig(players, mode, level, draft, edition, da_agent, round_limit, handicap)
        first = check_seed(seed)
        ensure_compiled()
        self.states: States = blank_states(count, self.config)
        self._lock = ObjectLock()
        self._call = 0  # how often random actions were drawn
        self._words = np.empty(count, dtype=np.uint64)
        self._stream = np.uint64(first)
        self.reset(seeds=[(first + i) % 2**64 for i in range(count)])

    def __len__(self) -> int:
        return len(self.states)

    def reset(
        self,
        which: NDArray[np.bool_] | None = None,
        seeds: Sequence[int] | NDArray[np.uint64] | None = None,
    ) -> None:
        """Start games anew.

        Args:
            which: ``(N,)`` bool, the games to start; by default all.
            seeds: ``(N,)`` integers in 0 .. 2**64 - 1; by default every game's last seed + N.

        Raises:
            ValueError: for an array of another shape or type; nothing is changed.

        """
        flags = flag_array("which", which, len(self))
        given = None if seeds is None else self._seed_array(seeds)
        with self._lock:
            numbers = self.states["seed"] + np.uint64(len(self)) if given is None else given
            batch.new_games(self.states, numbers, flags)

    def _seed_array(self, seeds: Sequence[int] | NDArray[np.uint64]) -> NDArray[np.uint64]:
        numbers = list(seeds) if isinstance(seeds, Sequence | np.ndarray) and np.ndim(seeds) == 1 else []
        if len(numbers) != len(self) or None in numbers:
            raise ValueError(f"seeds must be {len(self)} integers in 0..2**64-1, got {seeds!r}")
        return np.array([check_seed(seed) for seed in numbers], dtype=np.uint64)

    @property
    def asked(self) -> NDArray[np.int64]:
        """``(N,)`` int64: the seat that has to answer in each game, -1 where it is over."""
        return self.states["asked_seat"].astype(np.int64)

    @property
    def over(self) -> NDArray[np.bool_]:
        """``(N,)`` bool: which games have ended."""
        return self.states["over"].astype(np.bool_)

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """``(N,)`` bool: which games were ended by the round limit."""
        return self.states["truncated"].astype(np.bool_)

    def step(self, actions: NDArray[np.int64], which: NDArray[np.bool_] | None = None) -> None:
        """Answer the question of every game.

        Args:
            actions: ``(N,)`` integers.
            which: ``(N,)`` bool, the games to answer in; by default all.

        Raises:
            IllegalAction: names the first game whose action is not legal (any action is illegal
                in a game that is over) and what is accepted there; no game is changed.
            ValueError: for an array of another shape or type; no game is changed.

        """
        numbers = integer_array("actions", actions, len(self))
        flags = flag_array("which", which, len(self))
        with self._lock:
            bad = batch.step_all(self.states, numbers, flags)
        if bad >= 0:
            game = self.game(bad)
            accepted = ", ".join(f"{legal} {action_name(legal)}" for legal in game.legal())
            raise IllegalAction(f"action {numbers[bad]} in game {bad} ({game!r}); accepted: {accepted}")

    def masks(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """``(N, NUM_ACTIONS)`` int8: the asked seats' action masks; zeros where a game is over.

        Args:
            out: a writeable, C-contiguous array of that shape and dtype to write them into.

        Raises:
            ValueError: if `out` is another array.

        """
        masks = output_array("out", out, (len(self), NUM_ACTIONS), np.int8)
        with self._lock:
            batch.mask_all(self.states, masks)
        return masks

    def observe(self, seats: NDArray[np.int64] | None = None) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Observations ``(N, OBSERVATION_SIZE)`` float32 and masks ``(N, NUM_ACTIONS)`` int8.

        Args:
            seats: ``(N,)`` the seat in each game; -1, the default, is the one that is asked (seat 0
                where the game is over).

        Raises:
            ValueError: for seats of another shape, or that do not exist.

        """
        given = np.full(len(self), ASKED_SEAT) if seats is None else seats
        chosen = integer_array("seats", given, len(self), ASKED_SEAT, self.config.seats - 1)
        observations = np.empty((len(self), OBSERVATION_SIZE), dtype=np.float32)
        masks = np.empty((len(self), NUM_ACTIONS), dtype=np.int8)
        with self._lock:
            batch.observe_all(self.states, chosen, observations, masks)
        return observations, masks

    def random_actions(self) -> NDArray[np.int64]:
        """``(N,)`` int64: a uniformly random legal action in every game, 0 where it is over.

        They come from a stream of their own, decided by the first seed.
        """
        actions = np.empty(len(self), dtype=np.int64)
        with self._lock:
            batch.choose_all(self.states, ~self._stream, self._call, self._words, actions)
            self._call += 1
        return actions

    def scores(self) -> NDArray[np.int64]:
        """``(N, seats)`` int64: the points of every seat if the games ended now."""
        return self._standings()[0]

    def winners(self) -> NDArray[np.bool_]:
        """``(N, seats)`` bool: who has won; all False while a game goes on."""
        sets = self._standings()[1]
        wins = (sets[:, None] >> np.arange(self.config.seats)) & 1
        return wins.astype(np.bool_) & self.over[:, None]

    def _standings(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        scores = np.empty((len(self), MAX_SEATS), dtype=np.int64)
        winners = np.empty(len(self), dtype=np.int64)
        with self._lock:
            batch.scores_all(self.states, scores, winners)
        return scores[:, : self.config.seats], winners

    def game(self, i: int) -> Game:
        """Game `i` as a `Game` of its own.

        Raises:
            IndexError: if there is no such game.

        """
        if not 0 <= i < len(self):
            raise IndexError(f"game must be in 0..{len(self) - 1}, got {i}")
        with self._lock:
            return Game._of(copy_states(self.states[i : i + 1]))

    def snapshot(self, i: int) -> Snapshot:
        """The snapshot of game `i`.

        Raises:
            IndexError: if there is no such game.

        """
        return self.game(i).snapshot()

    def clone(self) -> "Games":
        """Equal games that go their own way; their future chance is the same."""
        twin = type(self).__new__(type(self))
        with self._lock:
            twin.__dict__.update(self.__dict__)
            twin.states = copy_states(self.states)
        twin._words = np.empty_like(self._words)
        twin._lock = ObjectLock()
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> "Games":
        return self.clone()
