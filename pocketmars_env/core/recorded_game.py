"""`RecordedGame`, the base class of `Game`: a game that can be copied, saved and restored."""

import copy
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex, cast

import numpy as np

from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.game_spec import GameSpec, ResumeState, Snapshot
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.record import CHANCE_KEYS, GameRecord

if TYPE_CHECKING:
    from pocketmars_env.core.game import Game


class RecordedGame:
    """A game that can be copied, saved and restored at any position; `Game` adds the methods to play it.

    *Predetermined* random events are random events whose results were fixed in advance.
    """

    spec: ClassVar[GameSpec]

    def _begin(self, states: States, origin: dict[str, Any], config: Any = None) -> None:
        """Start the game from `states`, which is not copied.

        Args:
            states: the position, as a ``(1,)`` array of state records.
            origin: the seed and, if there is one, the deal from which the game began; empty if only a
                snapshot can recreate `states`.
            config: the settings; None to read them from `states`.

        """
        self._states = states
        self._start = copy_states(states)
        self._origin = origin
        self._actions: list[int] = []
        self._config = config
        self._given: dict[str, list[Any]] = {}  # results of the next random events; keys from `CHANCE_KEYS`

    def _complete_record(self, action: int) -> None:
        """Record `action` if it has been played but not recorded."""
        game = cast("Game", self)
        replayed: Any = game.from_origin(game.config.as_dict(), game.origin)
        for earlier in self._actions:
            replayed.step(earlier)
        if replayed.to_bytes() != game.to_bytes():
            self._actions.append(action)

    # --- constructors -------------------------------------------------------------------------------

    @classmethod
    def _of(cls, states: States) -> Self:
        """Create a game that starts from `states`, ``(1,)`` state records, without copying them."""
        game = cls.__new__(cls)
        game._begin(states, {})
        return game

    @classmethod
    def from_state(cls, states: States) -> Self:
        """Create a game that starts from a copy of the position in `states`, ``(1,)`` state records.

        Raises:
            ValueError: if `states` has the wrong shape or dtype, or if the record is not a valid position.

        """
        ensure_compiled(cls.spec)
        if not isinstance(states, np.ndarray) or states.shape != (1,) or states.dtype != cls.spec.state:
            raise ValueError(f"states must be an array of one STATE record, got {type(states).__name__}")
        copied = copy_states(np.ascontiguousarray(states))
        cls.spec.check_record(copied)
        return cls._of(copied)

    @classmethod
    def from_deal(cls, deal: dict[str, Any], *, seed: SupportsIndex | None = None, **settings: Any) -> Self:
        """Create a game from a given deal.

        Raises:
            ValueError: always; subclasses that support deals override this method.

        """
        raise ValueError(f"a game of {cls.spec.title} cannot be created from a deal")

    @classmethod
    def from_snapshot(cls, data: Snapshot, resume_state: ResumeState | None = None) -> Self:
        """Create a game from a snapshot.

        Raises:
            ValueError: always; subclasses that support snapshots override this method.

        """
        raise ValueError(f"a game of {cls.spec.title} cannot be created from a snapshot")

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Recreate a game from a text that `to_text` returned, and replay it to its last position.

        Raises:
            ValueError: if the text is invalid or from another version of the rules, or if a move or a
                predetermined random event is impossible at its position; the message describes the problem.
            TypeError: if `text` is not a string.

        """
        record = GameRecord.from_text(text, cls.spec)
        return cast(Self, record.play(cast("Game", cls.from_origin(record.config, record.origin))))

    @classmethod
    def from_origin(cls, config: dict[str, Any], origin: dict[str, Any]) -> Self:
        """Create a game at the given origin, before the first action.

        Args:
            config: the settings, from `config.as_dict()`; ignored if the origin has a snapshot, because the
                snapshot and the resume state determine the settings.
            origin: the game's origin, from the property `origin`.

        Raises:
            ValueError: if `config` or `origin` is invalid.

        """
        if not isinstance(origin, dict) or not {"seed", "deal", "snapshot"} & set(origin):
            raise ValueError(f"an origin is a dict with a seed, a deal or a snapshot, got {quoted(origin)}")
        if not isinstance(config, dict):
            raise ValueError(f"a game's settings are a dict, got {quoted(config)}")
        try:
            if "snapshot" in origin:
                game = cls.from_snapshot(origin["snapshot"], origin.get("resume_state"))
            elif "deal" in origin:
                game = cls.from_deal(origin["deal"], **config, seed=origin.get("seed"))
            else:
                game = cast(Any, cls)(**config, seed=origin["seed"])
            game._stack(**chance_of(origin))
        except TypeError as error:
            raise ValueError(f"the game's settings are damaged: {error_text(error)}") from error
        return game

    def clone(self) -> Self:
        """Return an independent copy with the same future random events."""
        return copy.copy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __copy__(self) -> Self:
        game = type(self).__new__(type(self))
        game.__dict__.update(self.__dict__)
        game._states = copy_states(self._states)
        game._actions = self._actions.copy()
        return game

    # --- predetermined random events ----------------------------------------------------------------

    def _stack(self, **chance: Any) -> None:
        """Check and set the results of the next random events; the keys of `chance` are from `CHANCE_KEYS`.

        Subclasses that support predetermined random events override this method.

        Raises:
            ValueError: if a result is invalid, or if `chance` is not empty and the game does not support
                predetermined random events.
            TypeError: if the subclass does not support a key.

        """
        if chance:
            raise ValueError(f"a game of {self.spec.title} has no predetermined {' and '.join(chance)}")

    def _give(self, **chance: list[Any]) -> None:
        """Append checked results to the predetermined results of the game and to those of its origin.

        A replay assigns the results in an origin to the first random events after the origin. Therefore, if
        random events of the same kind, but without predetermined results, have happened since the origin,
        the current position becomes the new origin.
        """
        if any(results and self._has_random(name) for name, results in chance.items()):
            self._start, self._actions = copy_states(self._states), []
            self._origin = dict(self._given)
        for name, results in chance.items():
            if results:
                self._given = {**self._given, name: [*self._given.get(name, []), *results]}
                self._origin = {**self._origin, name: [*self._origin.get(name, []), *results]}

    def _has_random(self, name: str) -> bool:
        """Return whether random events without predetermined results have happened since the origin.

        Only events of one kind are considered; `name` is the name of the state's field that counts them.
        """
        used = len(self._origin.get(name, [])) - len(self._given.get(name, []))
        return bool(self._states[name][0] - self._start[name][0] > used)

    def _use(self, **used: int) -> None:
        """Remove the first ``used[key]`` predetermined results for each key, because they have been used."""
        left = {name: results[used.get(name, 0) :] for name, results in self._given.items()}
        self._given = {name: results for name, results in left.items() if results}

    def _step_given(self, number: int, action: object) -> None:
        """Play an action in a game with predetermined random events; an error leaves the game unchanged.

        Args:
            number: the action's number, in 0..NUM_ACTIONS - 1.
            action: the action as it was passed to `step`, for error messages.

        """
        raise NotImplementedError

    # --- plain data ---------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return everything on the table, including hidden cards, as JSON-serializable data."""
        return self.spec.snapshot(self._states)

    def resume_state(self) -> ResumeState:
        """Return the fields of the state that the snapshot lacks, such as the seed, as plain integers."""
        return self.spec.resume_state(self._states)

    def to_bytes(self) -> bytes:
        """Return the state record as bytes."""
        return self._states.tobytes()

    @property
    def origin(self) -> dict[str, Any]:
        """The start of the game, as plain data for `from_origin`.

        The keys are ``seed`` (with ``deal`` for a game from a deal), or ``snapshot`` and ``resume_state``.
        Predetermined random events add keys from `CHANCE_KEYS`.
        """
        origin = copy.deepcopy(self._origin)
        if "seed" in origin:
            return origin
        spec, start = self.spec, self._start
        return {"snapshot": spec.snapshot(start), "resume_state": spec.resume_state(start), **origin}

    @property
    def actions(self) -> tuple[int, ...]:
        """All actions since the `origin` of the game."""
        return tuple(self._actions)

    def to_text(self) -> str:
        """Return the record of the game since its `origin` as readable text for `from_text`."""
        game = cast("Game", self)
        comments = [f"{self!r}", f"scores {game.scores()}, winners {game.winners()}"]
        record = GameRecord.of(cast("Game", self._at_start()), self._actions, self.origin, comments)
        return record.to_text(self.spec)

    def _at_start(self) -> Self:
        """Return a copy of the game at its origin, with all predetermined random events."""
        game = type(self)._of(copy_states(self._start))
        game._give(**chance_of(self._origin))
        return game


def chance_of(origin: dict[str, Any]) -> dict[str, Any]:
    """Return the predetermined random events of an origin, with keys from `CHANCE_KEYS`."""
    return {name: origin[name] for name in CHANCE_KEYS if name in origin}
