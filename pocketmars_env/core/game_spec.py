"""`GameSpec`, the interface of a game.

Code that works for all games accesses a game only through its `GameSpec` and imports no game's modules.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from types import ModuleType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core import gate
from pocketmars_env.core.compiled.compiling import fingerprint
from pocketmars_env.core.compiled.per_game import GameKernels, compiled_for
from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.layout import Block, DecisionRow, Piece, block_of_action, entry_name, scales_of
from pocketmars_env.core.position_codec import PositionCodec
from pocketmars_env.core.presentation.interface import Presentation
from pocketmars_env.core.settings import check_choice, check_names, setting_names


class Config:
    """Base class for the settings of a game: a frozen dataclass that validates its values on creation."""

    players: int
    """The number of players, excluding automata."""

    def __new__(cls, *args: Any, **settings: Any) -> Self:
        """Raise a TypeError with a suggestion for an unknown setting; the dataclass does the rest."""
        check_names(cls.__name__, settings, setting_names(cls))
        return super().__new__(cls)

    @property
    def seats(self) -> int:
        """The number of seats, including those of automata."""
        return self.players

    @property
    def seats_to_play(self) -> int:
        """The number of seats that make decisions; they have the lowest seat numbers."""
        return self.seats

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of all seats, in order."""
        return tuple(f"player_{seat}" for seat in range(self.seats))

    @property
    def label(self) -> str:
        """A short label, such as ``"3-players"``, for file names."""
        return f"{self.players}-players"

    @property
    def largest_count(self) -> int:
        """An upper bound on the counts in observations, ignoring counts that never exceed 255."""
        return 0

    @property
    def most_decisions(self) -> int | None:
        """An upper bound on the number of decisions in a game; None for `GameSpec.max_decisions`."""
        return None

    @property
    def deals(self) -> int | None:
        """The number of deals in the pool of a small game, which have the seeds 0, 1, …; otherwise None."""
        return None

    @classmethod
    def measured(cls) -> dict[str, Self]:
        """Return the configurations that the speed benchmark measures, keyed by a part of the rows' names.

        The figures in the benchmark's summary are for the first one.
        """
        return {"default": cls()}

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as a dict of plain data, which the constructor accepts as keyword arguments."""
        settings = vars(self).items()  # `small` is left out if it is None: earlier data have no such setting
        return {name: value for name, value in settings if name != "small" or value is not None}

    @classmethod
    def of_state(cls, record: Any) -> Self:
        """Return the settings stored in a state record."""
        raise NotImplementedError


@dataclass(frozen=True)
class EnvMode:
    """A way to play a game as a Gymnasium environment, with an id such as ``pocketmars/Solo-v1``.

    Attributes:
        name: the mode's name in the id.
        has_opponents: whether seats other than the learner's make decisions; if not, the learner plays
            seat 0.
        without: the names of the game settings that the environment does not accept.
        settings_of: a function that computes the game's settings from the environment's settings.

    """

    name: str
    has_opponents: bool
    without: tuple[str, ...]
    settings_of: Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class GameSpec:
    """The interface through which environments, bots, searches, training and user interfaces use a game.

    Attributes:
        name: the unique name of the game, such as ``pocket_mars``; for a built-in game, also the name of its
            folder. Without underscores, it is the namespace of the environment ids.
        title: the game's title.
        rules_version: the version of the rules, observations and actions; environment ids end with it, as in
            ``pocketmars/Solo-v1``.
        config: the class of the game's settings.
        kernels: the game's kernels and constants for compiled code; see `game_kernels.py`.
        blocks: the action blocks, in the order of their action numbers.
        layout: the pieces of the observation, in order.
        decisions: the game's decisions, in the order of their numbers.
        terminations: the names of the ways in which a game can end; by default a normal end and a truncation.
        env_modes: the modes of the game's Gymnasium environments.
        codec: creates positions, and writes them as plain data.
        action_name: returns a short, unique name for an action number.
        describe_action: returns a description of an action, given the action's number and the decision's
            number (None if unknown).
        entry_name: returns an observation entry's name, given its piece's name and its index in the piece.
        presentation: a function that imports and returns the game's presentation; if None,
            `presentation/plain.py` shows the pieces of the observation.
        max_decisions: an upper bound on the number of decisions in a game of any configuration.
        margin_bound: a number greater than the largest score margin by which a seat can lose.
        max_margin: an upper bound on the score margin of a win or loss; if None, the bound is `margin_bound`.

    """

    name: str
    title: str
    # rules
    rules_version: int
    config: type[Any]
    kernels: GameKernels
    blocks: tuple[Block, ...]
    layout: tuple[Piece, ...]
    decisions: tuple[DecisionRow, ...]
    terminations: tuple[str, ...] = ("TERMINATED", "TRUNCATED")
    env_modes: tuple[EnvMode, ...]
    # positions
    codec: PositionCodec
    # words
    action_name: Callable[[int], str]
    describe_action: Callable[[int, int | None], str]
    entry_name: Callable[[str, tuple[int, ...]], str] = entry_name
    presentation: Callable[[], Presentation] | None = None
    # limits
    max_decisions: int
    margin_bound: float
    max_margin: float | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameSpec":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the game's name."""
        return game_named, (self.name,)

    @property
    def namespace(self) -> str:
        """The namespace of the environment ids, such as ``pocketmars``."""
        return self.name.replace("_", "")

    @cached_property
    def num_actions(self) -> int:
        """The number of actions, which are numbered from 0."""
        return int(self.kernels.parts["NUM_ACTIONS"])

    @cached_property
    def max_seats(self) -> int:
        """The largest number of seats in a game."""
        return int(self.kernels.parts["MAX_SEATS"])

    @cached_property
    def observation_size(self) -> int:
        """The number of entries in an observation."""
        return int(self.kernels.parts["OBSERVATION_SIZE"])

    def config_of(self, data: object) -> Any:
        """Return the settings in plain data from outside, such as a file.

        Raises:
            ValueError: if the data are not an object, or if a setting is unknown or invalid.

        """
        settings = gate.convert(data, dict[str, Any], "the settings")
        try:
            return self.config(**settings)
        except TypeError as error:
            raise ValueError(f"{error_text(error)} in the settings") from error

    def player_settings(self, players: int) -> dict[str, int]:
        """Return the settings that select the number of players; an empty dict if the number is fixed.

        Raises:
            ValueError: if the game has a fixed number of players other than `players`.

        """
        if "players" in signature(self.config).parameters:
            return {"players": players}
        if players != self.config().players:
            raise ValueError(f"{self.title} is for {self.config().players} players, got {players}")
        return {}

    def player_counts(self) -> tuple[int, ...]:
        """Return the player counts that the game accepts if all other settings have their defaults."""

        def is_accepted(count: int) -> bool:
            try:
                self.config(**self.player_settings(count))
            except ValueError:
                return False
            return True

        return tuple(filter(is_accepted, range(1, self.max_seats + 1)))

    def id_of(self, mode: str) -> str:
        """Return the environment id of a mode, such as ``pocketmars/Solo-v1``."""
        return f"{self.namespace}/{mode}-v{self.rules_version}"

    @property
    def fingerprint(self) -> str:
        """A short hash of Numba's version, its bounds-check setting, and the sources of compiled code."""
        return fingerprint(self.kernels.folder)

    @cached_property
    def state(self) -> np.dtype[Any]:
        """The dtype of state records."""
        return self.kernels.state

    @cached_property
    def batch(self) -> ModuleType:
        """The module `batch.py`, compiled for this game."""
        return compiled_for("pocketmars_env.core.compiled.batch", self.kernels)

    @cached_property
    def compact(self) -> ModuleType:
        """The module `batch.py`, compiled for this game with uint8 observations."""
        return compiled_for("pocketmars_env.core.compiled.batch", self.kernels.for_counts)

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """``(OBSERVATION_SIZE,)`` float32: factors that turn uint8 counts into float32 observations."""
        return scales_of(self.layout)

    # --- actions and observations -------------------------------------------------------------------

    def block_of(self, action: int) -> tuple[Block, int]:
        """Return the block that contains an action number, and the action's index in the block.

        Raises:
            ValueError: if there is no such action.

        """
        return block_of_action(self.blocks, action)

    def decision_named(self, name: str) -> DecisionRow:
        """Return the decision with the given name.

        Raises:
            StopIteration: if there is no such decision.

        """
        return next(row for row in self.decisions if row.name == name)

    @cached_property
    def entry_names(self) -> tuple[str, ...]:
        """The names of all entries in an observation, in order."""
        return tuple(
            self.entry_name(piece.name, index) for piece in self.layout for index in np.ndindex(*piece.shape)
        )

    def observation_pieces(self, observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Return the pieces of an observation, keyed by name, as reshaped views of the observation.

        Args:
            observation: ``(..., OBSERVATION_SIZE)``.

        Raises:
            ValueError: if `observation` is not an array, or if its last axis has the wrong length.

        """
        size = self.observation_size
        shape = observation.shape if isinstance(observation, np.ndarray) else ()
        if shape[-1:] != (size,):
            raise ValueError(f"an observation has {size} entries along its last axis, got shape {shape}")
        pieces, start = {}, 0
        for piece in self.layout:
            flat = observation[..., start : start + piece.size]
            pieces[piece.name] = flat.reshape(*observation.shape[:-1], *piece.shape)
            start += piece.size
        return pieces

    def names_of(self, actions: Iterable[int]) -> str:
        """Return action numbers with their names, such as "0 PLAY_HAND(Comms 1), 1 PLAY_HAND(Comms 2)"."""
        return ", ".join(f"{action} {self.action_name(action)}" for action in actions)


# --- all games --------------------------------------------------------------------------------------

GAMES: dict[str, GameSpec] = {}
"""The registered games, keyed by name."""


def add_game(spec: GameSpec) -> None:
    """Register a game under its name. To register its environments as well, call `register_game` instead."""
    if GAMES.setdefault(spec.name, spec) is not spec:
        raise ValueError(f"there is another game with the name {spec.name!r}")


def default_game() -> GameSpec:
    """Return the default game, which is the first registered game."""
    return next(iter(GAMES.values()))


def spec_of(config: Config) -> GameSpec:
    """Return the game to which a configuration belongs."""
    for spec in GAMES.values():
        if type(config) is spec.config:
            return spec
    raise ValueError(f"there is no game with a configuration such as {quoted(config)}")


def game_named(name: str) -> GameSpec:
    """Return the game with the given name."""
    check_choice("game", name, GAMES)
    return GAMES[name]
