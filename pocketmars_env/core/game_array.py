"""Array of games: the base of all code that steps many games at once."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States, copy_states, take_states
from pocketmars_env.core.game_spec import Config, GameSpec, Snapshot
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.view import Views


class GameArray:
    """N games of one configuration, without checks of arguments; `Games` checks them.

    Args:
        spec: the game.
        config: the settings of the games.
        states: ``(N,)`` state records, which the array takes over.

    Attributes:
        spec: as above.
        config: as above.
        states: as above.

    """

    def __init__(self, spec: GameSpec, config: Config, states: States) -> None:
        self.spec = spec
        self.config = config
        self.states = states

    @classmethod
    def blank(cls, spec: GameSpec, config: Config, count: int) -> Self:
        """`count` games that have not started."""
        ensure_compiled(spec)
        return cls(spec, config, spec.blank_states(count, config))

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
        """``(N,)`` bool: which games the round limit has ended."""
        return self.states["truncated"].astype(np.bool_)

    def begin(self, seeds: NDArray[np.uint64], which: NDArray[np.bool_] | None = None) -> None:
        """Start new games.

        Args:
            seeds: ``(N,)`` uint64.
            which: ``(N,)`` bool, the games to start; by default all.

        """
        self.spec.batch.new_games(self.states, seeds, self._flags(which))

    def step(self, actions: NDArray[np.int64], which: NDArray[np.bool_] | None = None) -> int:
        """Play an action in each game; returns the index of the first illegal action, or -1.

        No game changes unless all actions are legal.

        Args:
            actions: ``(N,)`` int64.
            which: ``(N,)`` bool, the games to step; by default all.

        """
        return int(self.spec.batch.step_all(self.states, actions, self._flags(which)))

    def step_some(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Play an action in some games; returns the index of the first illegal action, or -1.

        No game changes unless all actions are legal.

        Args:
            games: ``(n,)`` int64: indices of the games, without duplicates.
            actions: ``(n,)`` int64: an action for each of those.

        """
        return int(self.spec.batch.step_some(self.states, games, actions))

    def masks(self, out: NDArray[np.int8]) -> NDArray[np.int8]:
        """Write the masks of the seats to play into `out`, ``(N, NUM_ACTIONS)`` int8; returns it."""
        self.spec.batch.mask_all(self.states, out)
        return out

    def observe(self, seats: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Observations ``(N, OBSERVATION_SIZE)`` float32 and masks ``(N, NUM_ACTIONS)`` int8, as new arrays.

        Args:
            seats: ``(N,)`` int64: the seat in each game; -1 is the seat to play.

        """
        observations = np.empty((len(self), self.spec.observation_size), dtype=np.float32)
        masks = np.empty((len(self), self.spec.num_actions), dtype=np.int8)
        self.spec.batch.observe_all(self.states, seats, observations, masks)
        return observations, masks

    def standings(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Scores ``(N, seats)`` int64 and winners ``(N, seats)`` bool if the games ended now."""
        scores = np.empty((len(self), self.spec.max_seats), dtype=np.int64)
        winners = np.empty(len(self), dtype=np.int64)
        self.spec.batch.scores_all(self.states, scores, winners)
        seats = self.config.seats
        return scores[:, :seats], (winners[:, None] >> np.arange(seats)) & 1 == 1

    def views(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> Views:
        """The `Views` of seats in some games."""
        return Views(self.spec, self.states, games, seats)

    def game(self, i: int) -> Any:
        """A copy of game `i` as a `Game`."""
        return self.spec.game._of(copy_states(self.states[i : i + 1]))

    def snapshot(self, i: int) -> Snapshot:
        """The true state of game `i` as JSON-able data."""
        return self.spec.snapshot(self.states[i : i + 1])

    def some(self, games: NDArray[np.int64]) -> Self:
        """Copies of the games with indices ``(n,)`` int64."""
        return type(self)(self.spec, self.config, take_states(self.states, games))

    def part(self, rows: slice) -> Self:
        """A slice of the games, which shares their memory."""
        return type(self)(self.spec, self.config, self.states[rows])

    def clone(self) -> Self:
        """Copies of all games."""
        return type(self)(self.spec, self.config, copy_states(self.states))

    def _flags(self, which: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        return np.ones(len(self), dtype=np.bool_) if which is None else which
