"""The links file: people's secret tokens and chosen names, the server's port, and the links' current game.

A token is part of the link to a person's browser page. A rematch or another new game keeps the links. The
links file is stored next to the replay of their first game. A line is appended when a game begins or is
continued, when the port changes, and when a person chooses a name. The last complete line replaces all
earlier ones. The file is locked while the game is played, so that no other process can continue the same
game.
"""

import io
import json
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, field
from msgspec.structs import asdict

from pocketmars_agents.game_bots import current_name
from pocketmars_agents.play.new_games import BOT, Settings
from pocketmars_agents.play.player_names import CHOSEN_NAME
from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.file_locks import open_locked
from pocketmars_env.core.files.writing import write_all

SUFFIX = ".links"
TOKEN_BYTES = 16
MOST_BYTES = 2**20
Token = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}\Z")]
"""A result of ``secrets.token_urlsafe(TOKEN_BYTES)``."""
Name = Annotated[str, Meta(pattern=rf"^{CHOSEN_NAME.pattern}\Z")]


class Links(gate.Record, kw_only=True):
    """A line of a links file, a JSON object; see `LinksFile`. Earlier versions wrote only tokens and port."""

    format: Literal["pocketmars-links"] = "pocketmars-links"
    version: Literal[1] = 1
    tokens: Annotated[dict[str, Token], Meta(min_length=1)]
    names: dict[str, Name] = field(default_factory=dict)
    port: Annotated[int, Meta(ge=0, le=2**16 - 1)]
    game: Annotated[str, Meta(min_length=1)] | None = None
    settings: dict[str, Any] | str | None = None


class LinksError(ValueError):
    """Raised if the links file cannot be used; the file is left unchanged."""


class InUseError(LinksError):
    """Raised if another process is playing the game."""


class LinksFile:
    """A links file, which is open and locked until `close` or `remove` is called.

    It is next to the replay of the links' first game. Tokens and names are keyed by the names of seats.
    """

    def __init__(self, first_game: Path) -> None:
        self.path = links_of(first_game)
        self.tokens: dict[str, str] = {}  # initially empty if the file is new or not private
        self.names: dict[str, str] = {}
        self.port = 0  # of the last server for these links; 0 if there was none
        self.game = first_game.name  # the file name of the current game's replay
        self.settings: Settings = None  # those of the current game, if a person started it from the page
        self.starts = 0  # the number of complete lines in the file; each call of `write` adds one
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = open_locked(self.path)
        if file is None:
            raise InUseError(f"{self.path} is in use: another process is playing this game")
        self._file = file
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    @property
    def is_new(self) -> bool:
        return self.starts == 0

    @property
    def replay(self) -> Path:
        """The path of the current game's replay."""
        return self.path.with_name(self.game)

    def _read(self) -> None:
        """Read the last complete line; ignores an incomplete line after it, left by a killed process."""
        try:
            content = gate.read_open_file(self._file, MOST_BYTES)
        except OSError as error:
            raise LinksError(f"cannot use {self.path}: {error.strerror}") from error
        lines = content[: content.rfind(b"\n") + 1].splitlines(keepends=True)
        self._size = sum(map(len, lines))
        self.starts = len(lines)
        if lines:
            try:
                self._load(gate.decode(lines[-1], Links, "the last line"))
            except ValueError as error:
                raise LinksError(f"{self.path} is damaged: {error}") from error
        if not is_private(self._file):
            self.tokens = {}

    def _load(self, links: Links) -> None:
        """Set the attributes, with the current name of a bot that was renamed.

        The settings are checked when the game is continued; see `NewGames.seating`.
        """
        self.tokens, self.names, self.port = links.tokens, links.names, links.port
        self.settings = links.settings
        if isinstance(links.settings, dict) and isinstance(links.settings.get(BOT), str):
            self.settings = links.settings | {BOT: current_name(links.settings[BOT])}
        if links.game is not None:
            if Path(links.game).name != links.game:
                raise ValueError(
                    f"game must be the name of a file in the same folder, got {quoted(links.game)}"
                )
            self.game = links.game

    def tokens_for(self, seats: Sequence[str]) -> dict[str, str]:
        """Return the tokens of these seats; create new tokens unless `tokens` has exactly these seats."""
        if set(self.tokens) != set(seats):
            self.tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in seats}
        return self.tokens

    def write(self, **changes: Any) -> None:
        """Append a line, sync it to disk, and then change the attributes; raise an OSError on failure.

        Except on Windows, the method also removes other users' access to the file.
        """
        keys = ("tokens", "names", "port", "game", "settings")
        data = {key: changes.get(key, getattr(self, key)) for key in keys}
        line = json.dumps(asdict(Links(**data))).encode() + b"\n"
        try:
            if sys.platform != "win32":
                os.fchmod(self._file.fileno(), 0o600)
            self._file.truncate(self._size)
            self._file.seek(self._size)
            write_all(self._file, line)
            os.fsync(self._file.fileno())
        except OSError as error:
            error.filename = str(self.path)
            raise
        self._size += len(line)
        self.starts += 1
        vars(self).update(data)

    def close(self) -> None:
        """Close and unlocks the file, so that another process can continue the game."""
        self._file.close()

    def remove(self) -> None:
        """Close and delete the file."""
        self._file.close()  # first: Windows cannot delete open files
        self.path.unlink(missing_ok=True)


def links_of(game: Path) -> Path:
    """Return the path of a game's links file, given the path of the game's replay."""
    return game.with_name(game.name + SUFFIX)


def is_private(file: io.FileIO) -> bool:
    """Return whether the current user owns the file and no other user has access; always True on Windows."""
    if sys.platform == "win32":  # access depends on the folder
        return True
    status = os.fstat(file.fileno())
    return status.st_uid == os.geteuid() and not status.st_mode & 0o077
