"""`Game`, a single game whose rules run as compiled code."""

import itertools
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.arrays import action_number
from pocketmars_env.core.compiled.card_sets import members
from pocketmars_env.core.errors import IllegalAction, quoted
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.observation_dtype import FLOAT32, entry_points_of
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.recorded_game import RecordedGame
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.settings import check_integer, check_names, setting_names, signature_with
from pocketmars_env.core.view import View

if TYPE_CHECKING:
    from pocketmars_env.core.presentation.interface import Entry


class Game(RecordedGame):
    """A single game whose rules run as compiled code.

    Use a game in one thread only: concurrent steps can be recorded in the wrong order.

    Args:
        seed: an integer in 0..2**64 - 1 that determines all random events. Equal seeds, settings and actions
            give the same game on every platform. If None, a seed is drawn from the operating system.
        settings: the game's settings; see `spec.config`.

    Attributes:
        spec: the game's `GameSpec`, set by subclasses.

    Raises:
        ValueError: for an invalid seed or setting; the message describes what is accepted.
        TypeError: for an unknown setting.

    """

    spec: ClassVar[GameSpec]
    _batch: ClassVar[Any]
    _num_actions: ClassVar[int]

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "spec"):
            # Attribute look-ups in `spec` on every step would be slow.
            cls._batch, cls._num_actions = cls.spec.batch, cls.spec.num_actions
            cls.__signature__ = signature_with(cls.spec.config, cls.__init__)  # type: ignore[attr-defined]

    def __init__(self, *, seed: SupportsIndex | None = None, **settings: Any) -> None:
        check_names(f"a game of {self.spec.title}", settings, setting_names(self.spec.config))
        config = self.spec.config(**settings)
        number = check_seed(seed)
        ensure_compiled(self.spec)
        states = self.spec.blank_states(1, config)
        self._batch.new_game_at(states, 0, np.uint64(number))
        self._begin(states, {"seed": number}, config)

    # --- the decision -------------------------------------------------------------------------------

    @property
    def config(self) -> Any:
        """The game's settings, an instance of `spec.config`."""
        if self._config is None:
            self._config = self.spec.config_of(self._states[0])
        return self._config

    @property
    def seats(self) -> int:
        """The number of seats, including those of automata."""
        return int(self.config.seats)

    @property
    def to_play(self) -> int | None:
        """The seat to play, or None when the game is over."""
        seat = int(self._states["to_play"][0])
        return None if seat < 0 else seat

    @property
    def decision(self) -> str | None:
        """The name of the current decision, such as ``"TURN"``, or None when the game is over."""
        number = int(self._states["decision"][0])
        return None if number < 0 else self.spec.decisions[number].name

    def legal(self) -> list[int]:
        """Return the legal actions in ascending order; an empty list when the game is over."""
        actions = np.empty(self._num_actions, dtype=np.int64)
        return list(actions[: self._batch.legal_at(self._states, 0, actions)].tolist())

    def describe(self, action: int) -> str:
        """Return a description of an action at the current decision, such as "keep Comms 1".

        The action need not be legal. For a short, unique name of an action, see `spec.action_name`.

        Raises:
            ValueError: if there is no such action.

        """
        decision = int(self._states["decision"][0])
        return self.spec.describe_action(action, None if decision < 0 else decision)

    def step(self, action: Any) -> None:
        """Play an action; an error leaves the game unchanged.

        Args:
            action: an integer, or an integer array or tensor of shape () or (1,).

        Raises:
            TypeError: if the action is not an integer.
            IllegalAction: if the action is illegal; the message names the decision and the legal actions, or
                says that the game is over.
            ValueError: if the result of a random event was fixed in advance (by `stack_shuffles` in Pocket
                Mars or `stack_chance` in Project Mars) and does not fit the position.

        """
        number = action_number(action)
        if not 0 <= number < self._num_actions:
            raise self._illegal(action)
        try:
            if self._given:
                self._step_given(number, action)
            elif not self._batch.step_at(self._states, 0, number):
                raise self._illegal(action)
            self._actions.append(number)
        except ValueError:
            raise
        except BaseException:  # Ctrl-C may arrive after the action is played but before it is recorded
            self._complete_record(number)
            raise

    def _illegal(self, action: object) -> IllegalAction:
        """Return the exception for an illegal action."""
        if self.over:
            return IllegalAction(f"the game is over: no action is accepted, got {quoted(action)}")
        return IllegalAction(
            f"action {quoted(action)} is illegal in {self.decision} of seat {self.to_play}; "
            f"accepted: {self.spec.names_of(self.legal())}"
        )

    # --- the end ------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._states["over"][0])

    @property
    def truncated(self) -> bool:
        """Whether the round limit has ended the game."""
        return bool(self._states["truncated"][0])

    @property
    def termination(self) -> str | None:
        """How the game ended, one of `spec.terminations`; None before the end."""
        number = self._termination()
        return None if number < 0 else self.spec.terminations[number]

    def _termination(self) -> int:
        """Return the index of `termination` in `spec.terminations`; -1 before the end."""
        numbers = np.empty(1, dtype=np.int64)
        self._batch.terminations_all(self._states, numbers)
        return int(numbers[0])

    def scores(self) -> list[int]:
        """Return the score of every seat, including automata, as if the game ended now."""
        scores = np.empty(self.spec.max_seats, dtype=np.int64)
        self._batch.scores_at(self._states, 0, scores)
        return list(scores[: self.seats].tolist())

    def winners(self) -> list[int]:
        """Return the winning seats (several if they share the win); an empty list until the game is over."""
        if not self.over:
            return []
        scores = np.empty(self.spec.max_seats, dtype=np.int64)
        return members(int(self._batch.scores_at(self._states, 0, scores)))

    # --- views --------------------------------------------------------------------------------------

    def view(self, seat: int | None = None, *, has_events: bool = False) -> View:
        """Return a seat's view of the game.

        Args:
            seat: the seat; None selects the seat to play, or seat 0 when the game is over.
            has_events: whether the view includes the seat's `events`.

        Raises:
            ValueError: if `seat` is neither None nor an ``int`` in 0..seats - 1.

        """
        number = self._check_seat(seat)
        return View(self.spec, self._states, number, self.events(number) if has_events else ())

    def events(self, seat: int | None = None) -> "tuple[Entry, ...]":
        """Return log entries for what a seat has seen since its last decision, including that decision.

        Before the seat's first decision, the entries begin at the `origin` of the game. The argument `seat`
        has the same meaning as in `view`.

        Raises:
            ValueError: if `seat` is neither None nor an ``int`` in 0..seats - 1.

        """
        # Imported here, because most games are played without log texts or pictures.
        from pocketmars_env.core.presentation.interface import presentation_of

        viewpoint, position = self._check_seat(seat), self._at_start()
        positions = [position.clone()]
        for action in self.actions:
            if position.to_play == viewpoint:
                positions = [position.clone()]
            position.step(action)
            positions.append(position.clone())
        entries = presentation_of(self.spec).entries
        return tuple(entry for pair in itertools.pairwise(positions) for entry in entries(*pair, viewpoint))

    def observe(self, seat: int | None = None) -> NDArray[np.float32]:
        """Return the observation of a seat, ``(OBSERVATION_SIZE,)`` float32 in [0, 1].

        The argument `seat` has the same meaning as in `view`.

        Raises:
            ValueError: if `seat` is neither None nor an ``int`` in 0..seats - 1.

        """
        return self._observe(self._check_seat(seat), FLOAT32)[0]

    def mask(self, seat: int | None = None) -> NDArray[np.int8]:
        """Return the action mask of a seat, ``(NUM_ACTIONS,)`` int8: 1 for legal and 0 for illegal actions.

        Only the seat to play has legal actions. The argument `seat` has the same meaning as in `view`.

        Raises:
            ValueError: if `seat` is neither None nor an ``int`` in 0..seats - 1.

        """
        return self._mask(self._check_seat(seat))

    def _mask(self, seat: int) -> NDArray[np.int8]:
        """Return the action mask of a seat as a new array; environments use this method."""
        mask = np.empty(self._num_actions, dtype=np.int8)
        self._batch.mask_at(self._states, 0, seat, mask)
        return mask

    def _observe(self, seat: int, dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return a seat's observation and action mask as new arrays; environments use this method."""
        observation = np.empty(self.spec.observation_size, dtype=dtype)
        mask = np.empty(self._num_actions, dtype=np.int8)
        entry_points_of(self.spec, dtype).observe_at(self._states, 0, seat, observation, mask)
        return observation, mask

    def _check_seat(self, seat: int | None) -> int:
        if seat is None:
            return self.to_play or 0
        return check_integer("seat", seat, 0, self.seats - 1)

    def _repr_svg_(self) -> str:
        """Return an SVG picture of the table, for notebooks; it shows hidden cards, except those in decks."""
        from pocketmars_env.core.presentation.interface import svg_of  # needed only for pictures

        return svg_of(self.spec, self._states, None)

    def __repr__(self) -> str:
        to_play = "over" if self.over else f"seat {self.to_play} to play {self.decision}"
        return f"<Game: {self.spec.title}, {to_play}>"
