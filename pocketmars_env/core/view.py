"""`View` and `Views`, which give agents only the information that is available to their seats."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.arrays import check_states, index_array
from pocketmars_env.core.compiled.states import States, blank_records, copy_states
from pocketmars_env.core.compiled.threads import in_threads
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.observation_dtype import FLOAT32, observe_all
from pocketmars_env.core.seeds import draw_seed

if TYPE_CHECKING:
    from pocketmars_env.core.presentation.interface import Entry


class View:
    """A game as one seat sees it.

    A view contains no hidden information: its state depends only on what the seat knows. For example,
    cards that the seat does not know are in ascending order in this state, not in their true order.

    Attributes:
        spec: the game's `GameSpec`.
        seat: the seat to which the view belongs.
        states: ``(1,)`` state records: a state from the seat's information set. It does not depend on
            which state in the set is the true one. Compiled searches sample determinizations from this state.
        events: a tuple of log entries for what the seat has seen since its last decision; see `Game.events`.
            Empty unless the view was created with events.

    """

    def __init__(self, spec: GameSpec, states: States, seat: int, events: "Sequence[Entry]" = ()) -> None:
        self.spec = spec
        self.seat = seat
        self.events = tuple(events)
        self.states = blank_records(1, spec.state)
        spec.batch.determinize_at(states, 0, seat, np.uint64(0), False, self.states, 0)

    @classmethod
    def _of(cls, spec: GameSpec, states: States, seat: int, events: "Sequence[Entry]") -> "View":
        """Return the view whose ``(1,)`` state records are `states`, which show only what the seat knows."""
        view = cls.__new__(cls)
        view.spec, view.states, view.seat, view.events = spec, states, seat, tuple(events)
        return view

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """``(OBSERVATION_SIZE,)`` float32 in [0, 1]: the seat's observation."""
        observation = np.empty(self.spec.observation_size, dtype=np.float32)
        mask = np.empty(self.spec.num_actions, dtype=np.int8)
        self.spec.batch.observe_at(self.states, 0, self.seat, observation, mask)
        return observation

    @cached_property
    def mask(self) -> NDArray[np.int8]:
        """``(NUM_ACTIONS,)`` int8, 1 for each legal action; all zeros unless it is the seat's turn."""
        mask = np.empty(self.spec.num_actions, dtype=np.int8)
        self.spec.batch.mask_at(self.states, 0, self.seat, mask)
        return mask

    @property
    def legal(self) -> list[int]:
        """The seat's legal actions in ascending order; empty unless it is the seat's turn."""
        return list(np.flatnonzero(self.mask).tolist())

    def sample(self, rng: np.random.Generator) -> Any:
        """Sample a determinization: a `Game` drawn uniformly from the seat's information set.

        Raises:
            TypeError: if `rng` is not a NumPy generator.

        """
        states = blank_records(1, self.spec.state)
        seed = draw_seed(rng)
        self.spec.batch.determinize_at(self.states, 0, self.seat, seed, True, states, 0)
        return self.spec.game._of(states)

    def describe(self, action: int | None = None) -> str:
        """Return a description of the position, the events and the relevant cards, or only of one action.

        Args:
            action: an action; if given, only this action is described, for example as "keep Comms 1".

        Raises:
            ValueError: if there is no such action.

        """
        # Imported here because most games are played without text.
        from pocketmars_env.core.presentation.interface import entry_text, presentation_of

        presentation = presentation_of(self.spec)
        seat_view = presentation.seat_view(self.states, self.seat)
        if action is not None:
            return presentation.action_text(seat_view, action)
        seat = self.spec.seat_names(self.spec.config_of(self.states[0]))[self.seat]
        parts = [f"You are {seat}."]
        if self.events:
            lines = [f"- {entry_text(entry)}" for entry in self.events]
            parts.append("\n".join(["Since your last decision:", *lines]))
        parts.append(presentation.text(seat_view, is_coloured=False).strip("\n"))
        parts.append("\n".join(presentation.reference(seat_view, self.legal)))
        return "\n\n".join(part for part in parts if part)

    def list_actions(self) -> str:
        """Return the legal actions as text: one line per action, beginning with the action's number.

        The text is empty unless it is the seat's turn.
        """
        from pocketmars_env.core.presentation.interface import choice_text, choices_of, presentation_of

        presentation = presentation_of(self.spec)
        details = presentation.details(presentation.seat_view(self.states, self.seat))
        return "\n".join(choice_text(choice, details) for choice in choices_of(self))

    def as_batch(self) -> "Views":
        """Return a batch that contains only this view."""
        views = Views.__new__(Views)
        views.spec, views.states, views.seats = self.spec, self.states, np.array([self.seat])
        views.events, views._num_threads = (self.events,), 1
        return views

    def _repr_svg_(self) -> Any:
        """Return an SVG picture of the table from the seat's viewpoint, for notebooks."""
        from pocketmars_env.core.presentation.interface import svg_of

        return svg_of(self.spec, self.states, self.seat)


class Views:
    """A batch of views; ``views[k]`` is the `View` with index `k`.

    Like a `View`, a batch contains no hidden information: it does not keep the true states.

    Args:
        states: ``(N,)`` state records: the true states of all games.
        games: ``(n,)`` int64: indices of the games to view.
        seats: ``(n,)`` int64: for each entry of `games`, the seat to which the view belongs.
        num_threads: the maximum number of threads that write states, observations and masks.

    Attributes:
        spec: the game's `GameSpec`.
        seats: ``(n,)`` int64: the seat of each view.
        states: ``(n,)`` state records: for each view, a state from the seat's information set; see `View`.
        events: a tuple with the events of each view (see `View`); by default, an empty tuple.

    Raises:
        ValueError: if an array has the wrong shape or dtype, or if a game or seat does not exist.

    """

    def __init__(
        self,
        spec: GameSpec,
        states: States,
        games: NDArray[np.int64],
        seats: NDArray[np.int64],
        num_threads: int = 1,
    ) -> None:
        check_states(states, spec.state)
        count = len(games) if isinstance(games, np.ndarray) and games.ndim == 1 else -1
        self.spec = spec
        self.events: tuple[Sequence[Entry], ...] = ()
        self.seats = index_array("seats", seats, count)
        self._num_threads = num_threads
        self.states = blank_records(count, spec.state)
        numbers = index_array("games", games, count)

        def write(rows: slice) -> int:
            bad = spec.batch.views_of(states, numbers[rows], self.seats[rows], self.states[rows])
            return -1 if bad < 0 else rows.start + int(bad)

        bad = next((found for found in in_threads(write, count, num_threads) if found >= 0), -1)
        if bad >= 0:
            raise ValueError(f"there is no game {games[bad]} with a seat {seats[bad]}")

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, k: int) -> View:
        if not 0 <= k < len(self):
            raise IndexError(f"view must be in 0..{len(self) - 1}, got {k}")
        events = self.events[k] if self.events else ()
        states = copy_states(self.states[k : k + 1])  # a slice would give access to the other views
        return View._of(self.spec, states, int(self.seats[k]), events)

    @cached_property
    def observations(self) -> NDArray[np.float32]:
        """``(n, OBSERVATION_SIZE)`` float32 in [0, 1]: the seats' observations."""
        return self._observed[0]

    @cached_property
    def masks(self) -> NDArray[np.int8]:
        """``(n, NUM_ACTIONS)`` int8, 1 for each legal action; all zeros for a seat that is not to play."""
        return self._observed[1]

    @cached_property
    def _observed(self) -> tuple[NDArray[Any], NDArray[np.int8]]:
        return self.observe(FLOAT32)

    def observe(self, dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return observations ``(n, OBSERVATION_SIZE)`` and masks ``(n, NUM_ACTIONS)`` int8 as new arrays.

        Args:
            dtype: the dtype of the observations, float32 or uint8, as returned by `observation_dtype_of`.

        """
        return observe_all(self.spec, self.states, self.seats, dtype, self._num_threads)
