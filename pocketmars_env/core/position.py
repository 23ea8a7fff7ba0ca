"""`Position`, state records and every question about them."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.card_sets import members
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.observation_dtype import FLOAT32, entry_points_of
from pocketmars_env.core.position_codec import ResumeState, Snapshot
from pocketmars_env.core.settings import check_integer


class Position:
    """A position of a game, without its past.

    Args:
        spec: the game's `GameSpec`.
        states: ``(1,)`` state records; the array is not copied.

    """

    def __init__(self, spec: GameSpec, states: States) -> None:
        self.spec = spec
        self.states = states
        self._config: Any = None
        # Attribute look-ups in `spec` on every step would be slow.
        self._batch: Any = spec.batch
        self._num_actions = spec.num_actions

    @property
    def config(self) -> Any:
        """The game's settings, an instance of `spec.config`."""
        if self._config is None:
            self._config = self.spec.config.of_state(self.states[0])
        return self._config

    @property
    def seats(self) -> int:
        """The number of seats, including those of automata."""
        return int(self.config.seats)

    # --- the decision -------------------------------------------------------------------------------

    @property
    def to_play(self) -> int | None:
        """The seat to play, or None when the game is over."""
        seat = int(self.states["to_play"][0])
        return None if seat < 0 else seat

    @property
    def decision(self) -> str | None:
        """The name of the current decision, such as ``"TURN"``, or None when the game is over."""
        number = int(self.states["decision"][0])
        return None if number < 0 else self.spec.decisions[number].name

    @property
    def legal(self) -> list[int]:
        """The legal actions in ascending order; an empty list when the game is over."""
        actions = np.empty(self._num_actions, dtype=np.int64)
        return list(actions[: self._batch.legal_at(self.states, 0, actions)].tolist())

    def describe(self, action: int) -> str:
        """Return a description of an action at the current decision, such as "keep Comms 1".

        The action need not be legal. For a short, unique name of an action, see `spec.action_name`.

        Raises:
            ValueError: if there is no such action.

        """
        decision = int(self.states["decision"][0])
        return self.spec.describe_action(action, None if decision < 0 else decision)

    # --- the end ------------------------------------------------------------------------------------

    @property
    def round(self) -> int | None:
        """The number of the current round; None if the game has no rounds."""
        return int(self.states["round_number"][0]) or None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.states["over"][0])

    @property
    def truncated(self) -> bool:
        """Whether the round limit has ended the game."""
        return bool(self.states["truncated"][0])

    @property
    def termination(self) -> str | None:
        """How the game ended, one of `spec.terminations`; None before the end."""
        number = self._termination()
        return None if number < 0 else self.spec.terminations[number]

    def _termination(self) -> int:
        """Return the index of `termination` in `spec.terminations`; -1 before the end."""
        numbers = np.empty(1, dtype=np.int64)
        self._batch.terminations_all(self.states, numbers)
        return int(numbers[0])

    @property
    def scores(self) -> list[int]:
        """The score of every seat, including automata, as if the game ended now."""
        scores = np.empty(self.spec.max_seats, dtype=np.int64)
        self._batch.scores_at(self.states, 0, scores)
        return list(scores[: self.seats].tolist())

    @property
    def winners(self) -> list[int]:
        """The winning seats (several if they share the win); an empty list until the game is over."""
        if not self.over:
            return []
        scores = np.empty(self.spec.max_seats, dtype=np.int64)
        return members(int(self._batch.scores_at(self.states, 0, scores)))

    # --- observations -------------------------------------------------------------------------------

    def observe(self, seat: int | None = None) -> NDArray[np.float32]:
        """Return the observation of a seat, ``(OBSERVATION_SIZE,)`` float32 in [0, 1].

        Args:
            seat: the seat; None selects the seat to play, or seat 0 when the game is over.

        Raises:
            ValueError: if `seat` is neither None nor an ``int`` in 0..seats - 1.

        """
        return self._observe(self._check_seat(seat), FLOAT32)[0]

    def mask(self, seat: int | None = None) -> NDArray[np.int8]:
        """Return the action mask of a seat, ``(NUM_ACTIONS,)`` int8: 1 for legal and 0 for illegal actions.

        Only the seat to play has legal actions. The argument `seat` has the same meaning as in `observe`.
        """
        return self._mask(self._check_seat(seat))

    def _mask(self, seat: int) -> NDArray[np.int8]:
        """Return the action mask of a seat as a new array; environments use this method."""
        mask = np.empty(self._num_actions, dtype=np.int8)
        self._batch.mask_at(self.states, 0, seat, mask)
        return mask

    def _observe(self, seat: int, dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return a seat's observation and action mask as new arrays; environments use this method."""
        observation = np.empty(self.spec.observation_size, dtype=dtype)
        mask = np.empty(self._num_actions, dtype=np.int8)
        entry_points_of(self.spec, dtype).observe_at(self.states, 0, seat, observation, mask)
        return observation, mask

    def _check_seat(self, seat: int | None) -> int:
        if seat is None:
            return self.to_play or 0
        return check_integer("seat", seat, 0, self.seats - 1)

    # --- plain data ---------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return everything on the table, including hidden cards, as JSON-serializable data."""
        return self.spec.codec.snapshot(self.states)

    def resume_state(self) -> ResumeState:
        """Return the fields of the state that the snapshot lacks, such as the seed, as plain integers."""
        return self.spec.codec.resume_state(self.states)

    def to_bytes(self) -> bytes:
        """Return the state record as bytes."""
        return self.states.tobytes()

    def clone(self) -> Self:
        """Return an independent copy with the same future random events."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.states = copy_states(self.states)
        return twin

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_batch": None}  # modules cannot be pickled

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.__dict__.update(content, _batch=content["spec"].batch)
