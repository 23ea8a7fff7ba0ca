"""`Game`, a position with a past, and `View` and `Views`, which show only what a seat knows."""

import copy
import itertools
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core import game_text
from pocketmars_env.core.arrays import action_number, check_states, index_array
from pocketmars_env.core.compiled.states import States, blank_records, copy_states
from pocketmars_env.core.compiled.threads import in_threads
from pocketmars_env.core.errors import IllegalAction, quoted
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.game_text import CHANCE_KEYS
from pocketmars_env.core.observation_dtype import FLOAT32, observe_all
from pocketmars_env.core.position import Position
from pocketmars_env.core.position_codec import Chance, ResumeState, Snapshot
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.presentation.interface import Choice, Entry, choice_text, entry_text
from pocketmars_env.core.presentation.presenting import choices_of, presentation_of, seen_snapshot, svg_of
from pocketmars_env.core.seeds import check_seed, draw_seed
from pocketmars_env.core.settings import check_names, setting_names, signature_with


class Game(Position):
    """A position with a past: a game that can be played, copied, saved and restored.

    Use a game in one thread only: concurrent steps can be recorded in the wrong order.

    Args:
        spec: the `GameSpec` of the game; left out by classes for one game, such as `pocketmars_env.Game`.
        seed: an integer in 0..2**64 - 1 that determines all random events. Equal seeds, settings and actions
            give the same game on every platform. If None, a seed is drawn from the operating system.
        settings: the game's settings; see `spec.config`.

    Raises:
        ValueError: for an invalid seed or setting; the message describes what is accepted.
        TypeError: for an unknown setting.

    """

    spec: GameSpec
    """The game's `GameSpec`; a class attribute of classes for one game."""

    def __init_subclass__(cls) -> None:
        cls.__signature__ = signature_with(cls.spec.config, cls.__init__, ("spec",))  # type: ignore[attr-defined]

    def __init__(
        self, spec: GameSpec | None = None, /, *, seed: SupportsIndex | None = None, **settings: Any
    ) -> None:
        spec = spec or self.spec
        config = spec.config(**settings)
        number = check_seed(seed)
        ensure_compiled(spec)
        states = spec.codec.blank(1, config)
        spec.batch.new_game_at(states, 0, np.uint64(number))
        self._begin(spec, states, {"seed": number})
        self._config = config

    def _begin(self, spec: GameSpec, states: States, origin: dict[str, Any]) -> None:
        """Start the game from `states`, which is not copied.

        Args:
            states: the position, as a ``(1,)`` array of state records.
            origin: the seed and, if there is one, the deal from which the game began; empty if only a
                snapshot can recreate `states`.

        """
        Position.__init__(self, spec, states)
        self._start = copy_states(states)
        self._origin = origin
        self._actions: list[int] = []
        self._given: Chance = {}  # results of the next random events

    # --- constructors -------------------------------------------------------------------------------

    @classmethod
    def of(cls, spec: GameSpec, states: States, origin: dict[str, Any] | None = None) -> Self:
        """Create a game that starts from `states`, ``(1,)`` state records, without copying or checking them.

        `origin` is as in `_begin`; by default, `states` is the origin.
        """
        game = cls.__new__(cls)
        game._begin(spec, states, origin or {})
        return game

    @classmethod
    def from_state(cls, states: States, spec: GameSpec | None = None) -> Self:
        """Create a game that starts from a copy of the position in `states`, ``(1,)`` state records.

        Raises:
            ValueError: if `states` has the wrong shape or dtype, or if the record is not a valid position.

        """
        spec = spec or cls.spec
        ensure_compiled(spec)
        if not isinstance(states, np.ndarray) or states.shape != (1,) or states.dtype != spec.state:
            raise ValueError(f"states must be an array of one STATE record, got {type(states).__name__}")
        record = copy_states(np.ascontiguousarray(states))
        spec.codec.check_record(record)
        return cls.of(spec, record)

    @classmethod
    def from_deal(
        cls,
        deal: dict[str, Any],
        *,
        seed: SupportsIndex | None = None,
        shuffles: Iterable[Sequence[int]] = (),
        spec: GameSpec | None = None,
        **settings: Any,
    ) -> Self:
        """Create a game from a given deal.

        Args:
            deal: the deal, in the format of the game's `PositionCodec`.
            seed: the seed of all random events that are not predetermined; None as in the constructor.
            shuffles: see `stack_shuffles`.
            spec: see the constructor.
            settings: the game's settings.

        Raises:
            ValueError: if an argument is invalid, or if the game has no deals; the message describes what is
                accepted.
            TypeError: for an unknown setting.

        """
        spec = spec or cls.spec
        number = check_seed(seed)
        ensure_compiled(spec)
        states, deal = spec.codec.from_deal(deal, number, settings)
        game = cls.of(spec, states, {"seed": number, "deal": deal})
        game.stack_shuffles(shuffles)
        return game

    @classmethod
    def from_snapshot(
        cls,
        data: Snapshot,
        resume_state: ResumeState | None = None,
        *,
        seed: SupportsIndex | None = None,
        spec: GameSpec | None = None,
        **settings: Any,
    ) -> Self:
        """Create a game from a snapshot.

        Args:
            data: the snapshot, as returned by the method `snapshot`.
            resume_state: the result of `resume_state` for the same position; with it, the position is
                restored exactly. Without it, what the snapshot does not show is inferred; if several
                positions fit the snapshot, the first is used and a warning is issued.
            seed: the seed of later random events, None as in the constructor; used only without
                `resume_state`.
            spec: see the constructor.
            settings: settings that a snapshot does not show (in Pocket Mars, `da_agent` and `round_limit`);
                used only without `resume_state`.

        Raises:
            ValueError: if an argument is invalid, or if no position fits the snapshot; the message describes
                the problem.
            TypeError: for an unknown setting.

        """
        spec = spec or cls.spec
        check_names("from_snapshot", settings, setting_names(spec.config))
        number = check_seed(seed)
        ensure_compiled(spec)
        return cls.of(spec, spec.codec.from_snapshot(data, resume_state, number, **settings))

    @classmethod
    def from_origin(
        cls, config: dict[str, Any], origin: dict[str, Any], spec: GameSpec | None = None
    ) -> Self:
        """Create a game at the given origin, before the first action.

        Args:
            config: the settings, from `config.as_dict()`; ignored if the origin has a snapshot, because the
                snapshot and the resume state determine the settings.
            origin: the game's origin, from the property `origin`.
            spec: see the constructor.

        Raises:
            ValueError: if `config` or `origin` is invalid.

        """
        spec = spec or cls.spec
        start = game_text.checked_origin(origin)
        if "snapshot" in start:
            game = cls.from_snapshot(start["snapshot"], start["resume_state"], spec=spec)
        else:
            settings = spec.config_of(config).as_dict()
            if "deal" in start:
                game = cls.from_deal(start["deal"], **settings, seed=start["seed"], spec=spec)
            else:
                game = cls(spec, **settings, seed=start["seed"])
        game.stack_chance(**chance_of(origin))
        return game

    @classmethod
    def from_text(cls, text: str, spec: GameSpec | None = None) -> Self:
        """Recreate a game from a text that `to_text` returned, and replay it to its last position.

        Raises:
            ValueError: if the text is invalid or from another version of the rules, or if a move or a
                predetermined random event is impossible at its position; the message describes the problem.

        """
        spec = spec or cls.spec
        config, origin, moves = game_text.parsed(text, spec)
        game = cls.from_origin(config, origin, spec)
        for move in moves:
            if (game.to_play, game.decision) != (move.seat, move.decision):
                raise ValueError(f"{quoted(move.line(spec))}: at this point, the game is {game!r}")
            try:
                game.step(move.action)
            except IllegalAction as error:
                raise ValueError(f"{quoted(move.line(spec))}: {error}") from error
        return game

    # --- play ---------------------------------------------------------------------------------------

    def step(self, action: Any) -> None:
        """Play an action; an error leaves the game unchanged.

        Args:
            action: an integer, or an integer array or tensor of shape () or (1,).

        Raises:
            TypeError: if the action is not an integer.
            IllegalAction: if the action is illegal; the message names the decision and the legal actions, or
                says that the game is over.
            ValueError: if a predetermined result of a random event (see `stack_chance`) does not fit the
                position.

        """
        number = action_number(action)
        if not 0 <= number < self._num_actions:
            raise self._illegal(action)
        if self._given:
            self._step_given(number, action)
        elif not self._batch.step_at(self.states, 0, number):
            raise self._illegal(action)
        self._actions.append(number)

    def _step_given(self, number: int, action: object) -> None:
        """Play an action in a game with predetermined random events; an error leaves the game unchanged."""
        states = self.states_with_chance
        if not self._batch.step_at(states, 0, number):
            raise self._illegal(action)
        used = self.spec.codec.used_chance(self.states, states, self._given)
        remaining = {name: results[used.get(name, 0) :] for name, results in self._given.items()}
        self._given = {name: results for name, results in remaining.items() if results}
        self.states = states

    def _step_some(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Play an action as `Games._step_some` does, for one game with the index 0."""
        try:
            self.step(actions[0])
        except IllegalAction:
            return 0
        return -1

    def _illegal(self, action: object) -> IllegalAction:
        """Return the exception for an illegal action."""
        if self.over:
            return IllegalAction(f"the game is over: no action is accepted, got {quoted(action)}")
        return IllegalAction(
            f"action {quoted(action)} is illegal in {self.decision} of seat {self.to_play}; "
            f"accepted: {self.spec.names_of(self.legal)}"
        )

    # --- predetermined random events ----------------------------------------------------------------

    def stack_chance(self, shuffles: Iterable[Sequence[int]] = (), reveals: Iterable[int] = ()) -> None:
        """Predetermine the results of the next random events that are not predetermined yet.

        If a result does not fit the position, `step` raises a ValueError when the random event is due, and
        leaves the game unchanged.

        Args:
            shuffles: for each of the next shuffles, the complete shuffled deck, top first.
            reveals: for each of the next random reveals (in Project Mars), the type of the card to reveal. If
                a step reveals several cards, give all of them or none.

        Raises:
            ValueError: if a result is invalid, or if the game has no such predetermined random events.

        """
        results = {"shuffles": shuffles, "reveals": reveals}
        nonempty = {name: events for name, events in results.items() if events != ()}
        # A replay assigns the results in an origin to the first random events after the origin. Therefore, if
        # random events of the same kind, but without predetermined results, have happened since the origin,
        # the current position becomes the new origin.
        checked = self.spec.codec.checked_chance(**nonempty)
        if any(events and self._has_random(name) for name, events in checked.items()):
            self._start, self._actions = copy_states(self.states), []
            self._origin = dict(self._given)
        for name, events in checked.items():
            if events:
                self._given = {**self._given, name: [*self._given.get(name, []), *events]}
                self._origin = {**self._origin, name: [*self._origin.get(name, []), *events]}

    def stack_shuffles(self, orders: Iterable[Sequence[int]]) -> None:
        """Predetermine the results of the next shuffles; see `stack_chance`."""
        self.stack_chance(shuffles=orders)

    def _has_random(self, name: str) -> bool:
        """Return whether random events without predetermined results have happened since the origin.

        Only events of one kind are considered; `name` is the name of the state's field that counts them.
        """
        used = len(self._origin.get(name, [])) - len(self._given.get(name, []))
        return bool(self.states[name][0] - self._start[name][0] != used)  # the counters wrap around

    @property
    def states_with_chance(self) -> States:
        """A copy of `states` in which the next random events have their predetermined results."""
        if not self._given:
            return copy_states(self.states)
        return self.spec.codec.with_chance(self.states, self._given)

    def move_to(self, after: "Game") -> tuple[States, int, States]:
        """Return the arguments of `Presentation.entries` for the last action of `after`, played from here."""
        return self.states_with_chance, after._actions[-1], after.states

    # --- views --------------------------------------------------------------------------------------

    def view(self, seat: int | None = None, *, has_events: bool = False) -> "View":
        """Return a seat's view of the game.

        Args:
            seat: the seat; None selects the seat to play, or seat 0 when the game is over.
            has_events: whether the view includes the seat's `events`.

        Raises:
            ValueError: if `seat` is neither None nor an ``int`` in 0..seats - 1.

        """
        number = self._check_seat(seat)
        return View(self.spec, self.states, number, self.events(number) if has_events else ())

    def events(self, seat: int | None = None) -> tuple[Entry, ...]:
        """Return log entries for what a seat has seen since its last decision, including that decision.

        Before the seat's first decision, the entries begin at the `origin` of the game. The argument `seat`
        has the same meaning as in `view`.
        """
        viewpoint, game = self._check_seat(seat), self.at_origin()
        positions = [game.clone()]
        for action in self._actions:
            if game.to_play == viewpoint:
                positions = [game.clone()]
            game.step(action)
            positions.append(game.clone())
        entries = presentation_of(self.spec).entries
        moves = (before.move_to(after) for before, after in itertools.pairwise(positions))
        return tuple(entry for move in moves for entry in entries(*move, viewpoint))

    # --- the past -----------------------------------------------------------------------------------

    @property
    def origin(self) -> dict[str, Any]:
        """The start of the game, as plain data for `from_origin`.

        The keys are ``seed`` (with ``deal`` for a game from a deal), or ``snapshot`` and ``resume_state``.
        Predetermined random events add keys from `CHANCE_KEYS`.
        """
        origin = copy.deepcopy(self._origin)
        if "seed" in origin:
            return origin
        codec, start = self.spec.codec, self._start
        return {"snapshot": codec.snapshot(start), "resume_state": codec.resume_state(start), **origin}

    @property
    def actions(self) -> tuple[int, ...]:
        """All actions since the `origin` of the game."""
        return tuple(self._actions)

    def at_origin(self) -> Self:
        """Return a copy of the game at its origin, with all predetermined random events."""
        game = self.clone()
        game.states, game._actions, game._given = copy_states(self._start), [], chance_of(self._origin)
        return game

    def to_text(self) -> str:
        """Return the game since its `origin` as readable text for `from_text`."""
        game, moves = self.at_origin(), []
        for action in self._actions:
            moves.append(game_text.Move(game.to_play or 0, game.decision or "", action))
            game.step(action)
        comments = [f"{self!r}", f"scores {self.scores}, winners {self.winners}"]
        return game_text.text_of(self.spec, self.config.as_dict(), self.origin, moves, comments)

    def clone(self) -> Self:
        """Return an independent copy with the same future random events."""
        twin = super().clone()
        twin._actions = self._actions.copy()
        return twin

    def _repr_svg_(self) -> str:
        """Return an SVG picture of the table, for notebooks; it shows hidden cards, except those in decks."""
        return svg_of(self.spec, self.states, None)

    def __repr__(self) -> str:
        return f"<Game: {self.spec.codec.label(self.states) or self.spec.title}, {turn_text(self)}>"


def turn_text(position: Position) -> str:
    """Return the seat to play and its decision for `repr`, such as "seat 0 to play TURN"."""
    return "over" if position.over else f"seat {position.to_play} to play {position.decision}"


def chance_of(origin: dict[str, Any]) -> Chance:
    """Return the predetermined random events of an origin, with keys from `CHANCE_KEYS`."""
    return {name: origin[name] for name in CHANCE_KEYS if name in origin}


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

    def __init__(self, spec: GameSpec, states: States, seat: int, events: Sequence[Entry] = ()) -> None:
        self._show(spec, blank_records(1, spec.state), seat, events)
        spec.batch.determinize_at(states, 0, seat, np.uint64(0), False, self.states, 0)

    def _show(self, spec: GameSpec, states: States, seat: int, events: Sequence[Entry]) -> None:
        self.spec, self.states, self.seat, self.events = spec, states, seat, tuple(events)

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
        """Sample a determinization: a `Game` drawn uniformly from the seat's information set."""
        states = blank_records(1, self.spec.state)
        seed = draw_seed(rng)
        self.spec.batch.determinize_at(self.states, 0, self.seat, seed, True, states, 0)
        return Game.of(self.spec, states)

    def describe(self, action: int | None = None) -> str:
        """Return a description of the position, the events and the relevant cards, or only of one action.

        Args:
            action: an action; if given, only this action is described, for example as "keep Comms 1".

        Raises:
            ValueError: if there is no such action.

        """
        presentation = presentation_of(self.spec)
        seat_view = presentation.seat_view(self.states, self.seat)
        if action is not None:
            return presentation.action_text(seat_view, action)
        seat = self.spec.config.of_state(self.states[0]).seat_names[self.seat]
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
        presentation = presentation_of(self.spec)
        details = presentation.details(presentation.seat_view(self.states, self.seat))
        return "\n".join(choice_text(choice, details) for choice in self.choices)

    def snapshot(self) -> Snapshot:
        """Return what the seat knows as JSON-serializable data: the fields of the game's `SeatView`.

        A card that the seat does not know is ``None``, beside its suit if the back of the card shows it.
        """
        return seen_snapshot(self.spec, self.states, self.seat)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """A `Choice` for each legal action, with texts for user interfaces."""
        return choices_of(self.spec, self.states, self.seat, self.legal)

    def as_batch(self) -> "Views":
        """Return a batch that contains only this view."""
        views = Views.__new__(Views)
        views.spec, views.states, views.seats = self.spec, self.states, np.array([self.seat])
        views.events, views._num_threads = (self.events,), 1
        return views

    def _repr_svg_(self) -> Any:
        """Return an SVG picture of the table from the seat's viewpoint, for notebooks."""
        return svg_of(self.spec, self.states, self.seat)

    def __repr__(self) -> str:
        label = self.spec.codec.label(self.states) or self.spec.title
        return f"<View: {label}, seen by seat {self.seat}, {turn_text(Position(self.spec, self.states))}>"


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
            invalid = spec.batch.views_of(states, numbers[rows], self.seats[rows], self.states[rows])
            return -1 if invalid < 0 else rows.start + int(invalid)

        invalid = next((row for row in in_threads(write, count, num_threads) if row >= 0), -1)
        if invalid >= 0:
            raise ValueError(f"there is no game {games[invalid]} with a seat {seats[invalid]}")

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, k: int) -> View:
        if not 0 <= k < len(self):
            raise IndexError(f"view must be in 0..{len(self) - 1}, got {k}")
        events = self.events[k] if self.events else ()
        view = View.__new__(View)  # the states show only what the seat knows
        states = copy_states(self.states[k : k + 1])  # a slice would give access to the other views
        view._show(self.spec, states, int(self.seats[k]), events)
        return view

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
