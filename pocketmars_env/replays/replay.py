"""A game that was played: how it began, and every answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pocketmars_env.core.files.reading import read_file
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec, default_game, game_named, spec_of
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
    """A game from its beginning to its end, or to where it was left.

    There are only replays that can be played: what does not fit the rules raises an error.

    Attributes:
        config: the game's settings.
        origin: how it began, see `Game.origin`.
        actions: all answers.
        names: who sat in each seat, automata included.
        title: what the game was, in words.

    Raises:
        ReplayError: says what does not fit, and names the answer.

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
            raise ReplayError(f"names must be {seats} printable texts, one for each seat, got {self.names!r}")
        if not is_printable(self.title):
            raise ReplayError(f"the title must be a printable text, got {self.title!r}")
        game = self.start()
        for number, action in enumerate(self.actions, start=1):
            try:
                game.step(action)
            except ValueError as error:
                raise ReplayError(f"answer {number} of {len(self.actions)}: {error}") from error
        object.__setattr__(self, "_final", game)

    @classmethod
    def of(cls, game: Game, names: Sequence[str] | None = None, title: str = "") -> "Replay":
        """The replay of a game, as far as it has come.

        Args:
            game: the game, which is left as it is.
            names: who sits in each seat; by default ``player_0`` and so on.
            title: what the game is, in words.

        Raises:
            ReplayError: if `names` do not fit, or if the game was given a shuffle's order after one that
                was random, so that it cannot be played again.

        """
        if names is None:
            names = game.spec.seat_names(game.config)
        replay = cls(game.config, game.origin, game.actions, tuple(names), title)
        if replay._final.to_bytes() != game.to_bytes():
            raise ReplayError("this game cannot be played again: a shuffle was given in the middle of it")
        return replay

    # --- positions ----------------------------------------------------------------------------------

    @property
    def spec(self) -> GameSpec:
        """Which game it is."""
        return spec_of(self.config)

    def start(self) -> Game:
        """The game before its first answer.

        Raises:
            ReplayError: if there is no such game.

        """
        try:
            game = self.spec.game.from_origin(self.config.as_dict(), self.origin)
        except ValueError as error:
            raise ReplayError(f"the beginning does not fit: {error}") from error
        if game.config != self.config:
            raise ReplayError(f"the settings are {self.config}, those of the first position {game.config}")
        return game

    def final(self) -> Game:
        """The game after its last answer."""
        return self._final.clone()

    def games(self) -> Iterator[Game]:
        """The game before every answer, and after the last one: each a `Game` of its own."""
        game = self.start()
        yield game.clone()
        for action in self.actions:
            game.step(action)
            yield game.clone()

    # --- files --------------------------------------------------------------------------------------

    def as_dict(self) -> Data:
        """The replay as JSON-able data: the entries of a file but for its checksum."""
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
            "scores": self._final.scores(),
            "winners": self._final.winners(),
            "final": checksum(self._final.snapshot()),
        }

    def save(self, path: Path | str) -> None:
        """Write the replay to a file, whole or not at all; one that is there already is replaced.

        Raises:
            OSError: if the file cannot be written.

        """
        write_whole(Path(path), to_bytes(self.as_dict()))

    @classmethod
    def load(cls, path: Path | str) -> "Replay":
        """The replay of a file.

        Raises:
            ReplayError: says whether the file cannot be read, is no replay, is damaged, is of a newer
                version, or is of a game that the rules of this version do not play in this way.

        """
        try:
            content = read_file(Path(path), MAX_BYTES)
        except OSError as error:
            raise ReplayError(f"cannot read {path}: {error.strerror}") from error
        try:
            return cls.from_bytes(content)
        except ReplayError as error:
            raise ReplayError(f"cannot use {path}: {error}") from error

    @classmethod
    def from_bytes(cls, content: bytes) -> "Replay":
        """The replay of a file's content; raises as `load`."""
        data = from_bytes(content)
        try:
            spec = game_named(data["game"]) if "game" in data else default_game()
        except ValueError as error:
            raise ReplayError(f"its game is not registered: {error}") from error
        try:
            config = spec.config(**data["config"])
            replay = cls(config, data["origin"], tuple(data["actions"]), tuple(data["names"]), data["title"])
        except (TypeError, ValueError) as error:
            raise ReplayError(f"it is damaged: {error}") from error
        if config.as_dict() != data["config"]:
            raise ReplayError(f"it is damaged: the settings in full are {config.as_dict()}")
        found, stored = replay.as_dict(), dict(data)
        if stored.pop("checksum") != checksum(stored):
            raise ReplayError("it is damaged: its checksum is another one")
        for name in ("over", "scores", "winners", "final"):
            if found[name] != data[name]:
                raise ReplayError(
                    f"the rules of this version end the game differently ({name}: {found[name]}, in the "
                    f"file {data[name]}); it was written by pocketmars_env {data['pocketmars_env']}"
                )
        return replay


def is_printable(text: object) -> bool:
    """Whether it is a text without line ends and what else could confuse a terminal."""
    return isinstance(text, str) and text.isprintable()
