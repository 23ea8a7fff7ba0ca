"""The class `Replay`: a recorded game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pocketmars_env.core import gate
from pocketmars_env.core.errors import one_line, quoted
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec, default_game, game_named, spec_of
from pocketmars_env.core.game_text import OLD_KEYS
from pocketmars_env.core.version import __version__
from pocketmars_env.replays.file_format import (
    FORMAT,
    MAX_BYTES,
    VERSION,
    Data,
    ReplayError,
    checksum,
    from_bytes,
    to_bytes,
)


@dataclass(frozen=True)
class Replay:
    """A recorded game, either complete or up to a position before its end.

    The constructor replays the game to check it.

    Attributes:
        config: the game's settings.
        origin: the start of the game; see `Game.origin`.
        actions: all actions, in order.
        names: the name of the agent, person or automaton in each seat.
        title: a description of the game.

    Raises:
        ReplayError: if the replay is invalid; the message describes the problem, such as an illegal action.

    """

    config: Any
    origin: Data
    actions: tuple[int, ...]
    names: tuple[str, ...]
    title: str = ""
    _final: Game = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        seats = self.config.seats
        if len(self.names) != seats or not all(is_printable(name) for name in self.names):
            raise ReplayError(
                f"names must be {seats} printable strings, one for each seat, got {quoted(self.names)}"
            )
        if not is_printable(self.title):
            raise ReplayError(f"the title must be a printable string, got {quoted(self.title)}")
        game = self.start()
        for number, action in enumerate(self.actions, start=1):
            try:
                game.step(action)
            except ValueError as error:
                raise ReplayError(f"action {number} of {len(self.actions)}: {error}") from error
        object.__setattr__(self, "_final", game)

    @classmethod
    def of(cls, game: Game, names: Sequence[str] | None = None, title: str = "") -> "Replay":
        """Create a replay of a game up to its current position.

        Args:
            game: the game; it is not modified.
            names: the name of the agent, person or automaton in each seat; by default the names of the seats,
                such as ``player_0``.
            title: a description of the game.

        Raises:
            ReplayError: if `names` or `title` is invalid, or if replaying the game from its origin leads to
                another position.

        """
        if names is None:
            names = game.config.seat_names
        replay = cls(game.config, game.origin, game.actions, tuple(names), title)
        if replay._final.to_bytes() != game.to_bytes():
            raise ReplayError("replaying the game's actions from its origin leads to another position")
        return replay

    # --- positions ----------------------------------------------------------------------------------

    @property
    def spec(self) -> GameSpec:
        """The `GameSpec` of the recorded game."""
        return spec_of(self.config)

    def start(self) -> Game:
        """Return the game before its first action.

        Raises:
            ReplayError: if the origin or the settings are invalid, or if they do not match.

        """
        try:
            game = Game.from_origin(self.config.as_dict(), self.origin, self.spec)
        except ValueError as error:
            raise ReplayError(f"the game cannot start from this origin: {error}") from error
        if game.config != self.config:
            raise ReplayError(f"the settings are {self.config}, but the first position has {game.config}")
        return game

    def final(self) -> Game:
        """Return a copy of the game after its last action."""
        return self._final.clone()

    def games(self) -> Iterator[Game]:
        """Yield the positions before every action and after the last action, each as a separate `Game`."""
        game = self.start()
        yield game.clone()
        for action in self.actions:
            game.step(action)
            yield game.clone()

    # --- files --------------------------------------------------------------------------------------

    def as_dict(self) -> Data:
        """Return the replay as JSON-serializable data: all entries of a file except ``checksum``."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "pocketmars_env": __version__,
            "title": self.title,
            **({} if self.spec is default_game() else {"game": self.spec.name}),
            "config": self.config.as_dict(),
            "origin": self.origin,
            "names": list(self.names),
            "actions": list(self.actions),
            "over": self._final.over,
            "scores": self._final.scores,
            "winners": self._final.winners,
            "final": checksum(self._final.snapshot()),
        }

    def save(self, path: Path | str) -> None:
        """Write the replay to a file atomically. An existing file is replaced; missing folders are created.

        Raises:
            OSError: if the file cannot be written.

        """
        write_whole(Path(path), to_bytes(self.as_dict()))

    @classmethod
    def load(cls, path: Path | str) -> "Replay":
        """Load a replay from a file.

        Raises:
            ReplayError: if the file cannot be read, is not a replay, is damaged, has another format version,
                belongs to an unregistered game, or is not valid under the current rules.

        """
        file = Path(path)
        try:
            content = gate.read_file(file, MAX_BYTES)
        except OSError as error:
            raise ReplayError(f"cannot read {one_line(str(file))}: {error.strerror}") from error
        try:
            return cls.from_bytes(content)
        except ReplayError as error:
            raise ReplayError(f"cannot use {one_line(str(file))}: {error}") from error

    @classmethod
    def from_bytes(cls, content: bytes) -> "Replay":
        """Load a replay from the content of a file.

        Raises:
            ReplayError: if the content is invalid; see `load`.

        """
        try:
            file = from_bytes(content)
            spec = default_game() if file.game is None else game_named(file.game)
            origin = {OLD_KEYS.get(key, key): value for key, value in file.origin.items()}
            replay = cls(spec.config_of(file.config), origin, file.actions, file.names, file.title)
        except ValueError as error:
            raise ReplayError(str(error)) from error
        restored = replay.as_dict()
        for name in ("over", "scores", "winners", "final"):
            if restored[name] != getattr(file, name):
                raise ReplayError(
                    f"the rules of this version end the game differently ({name}: {restored[name]}, in the "
                    f"file {quoted(getattr(file, name))}); it was written by pocketmars_env "
                    f"{quoted(file.pocketmars_env)}"
                )
        return replay


def is_printable(text: object) -> bool:
    """Return whether `text` is a string without line breaks or other unprintable characters."""
    return isinstance(text, str) and text.isprintable()
