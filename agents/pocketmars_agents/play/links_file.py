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
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pocketmars_agents.game_bots import current_name
from pocketmars_agents.play.new_games import BOT, Settings
from pocketmars_agents.play.player_names import CHOSEN_NAME
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.file_locks import open_locked
from pocketmars_env.core.files.reading import parse_json, read_open_file
from pocketmars_env.core.files.writing import write_all

FORMAT = "pocketmars-links"
VERSION = 1
SUFFIX = ".links"
TOKEN_BYTES = 16
TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
"""Pattern of the tokens that ``secrets.token_urlsafe(TOKEN_BYTES)`` returns."""
MOST_BYTES = 2**20
MOST_SEATS = 64
"""Maximum number of tokens in the file; each belongs to a seat, and no game has more seats than this."""
LAST_PORT = 2**16 - 1
KEYS = ("tokens", "names", "port", "game", "settings")
"""The attributes of `LinksFile` that a line contains."""


class LinksError(ValueError):
    """Raised if the links file cannot be used; the file is left unchanged."""


class InUseError(LinksError):
    """Raised if another process is playing the game."""


class LinksFile:
    """A links file, which is open and locked until `close` or `remove` is called.

    Args:
        first_game: the path of the replay of the links' first game, from which `links_of` derives the path of
            the links file.

    Attributes:
        tokens: the secret token of each person, keyed by the name of the person's seat; initially empty if
            the file is new or not private (see `is_private`).
        names: the names that people have chosen for themselves, keyed by seat name.
        port: the port of the last server for these links; 0 if there was none.
        game: the file name of the current game's replay.
        settings: the settings with which a person has started the current game from the page (see
            `NewGames.seating`); None if they are those of the command.
        starts: the number of complete lines in the file; each call of `write` adds one.

    Raises:
        InUseError: if another process is playing the game.
        LinksError: if the file is damaged, has an unsupported version, is too large, or cannot be read.
        OSError: if the file cannot be opened or created.

    """

    def __init__(self, first_game: Path) -> None:
        self.path = links_of(first_game)
        self.tokens: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.port = 0
        self.game = first_game.name
        self.settings: Settings = None
        self.starts = 0
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
            content = read_open_file(self._file, MOST_BYTES)
        except OSError as error:
            raise LinksError(f"cannot use {self.path}: {error.strerror}") from error
        lines = content[: content.rfind(b"\n") + 1].splitlines(keepends=True)
        self._size = sum(map(len, lines))
        self.starts = len(lines)
        if lines:
            try:
                vars(self).update(checked(parse_json(lines[-1])))
            except ValueError as error:
                raise LinksError(f"{self.path} is damaged: {error}") from error
        if not is_private(self._file):
            self.tokens = {}

    def tokens_for(self, seats: Sequence[str]) -> dict[str, str]:
        """Return the tokens of these seats; create new tokens unless `tokens` has exactly these seats."""
        if set(self.tokens) != set(seats):
            self.tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in seats}
        return self.tokens

    def write(self, **changes: Any) -> None:
        """Append a line, sync it to disk, and then change the attributes; raise an OSError on failure.

        Except on Windows, the method also removes other users' access to the file.
        """
        data = {key: changes.get(key, getattr(self, key)) for key in KEYS}
        line = json.dumps({"format": FORMAT, "version": VERSION, **data}).encode() + b"\n"
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


def is_name(value: object) -> bool:
    """Return whether a value is a string that matches `CHOSEN_NAME`."""
    return isinstance(value, str) and CHOSEN_NAME.fullmatch(value) is not None


def is_private(file: io.FileIO) -> bool:
    """Return whether the current user owns the file and no other user has access; always True on Windows."""
    if sys.platform == "win32":  # access depends on the folder
        return True
    status = os.fstat(file.fileno())
    return status.st_uid == os.geteuid() and not status.st_mode & 0o077


def checked(data: Any) -> dict[str, Any]:
    """Return the values in a parsed line, keyed by `KEYS`; raise a ValueError if the line is invalid.

    Lines of earlier versions of this package can lack some of the keys, and the settings can contain the
    earlier name of a bot, which is replaced by its current name. The settings are checked when the
    game is continued; see `NewGames.seating`.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f'its last line is not a JSON object with "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        raise ValueError(
            f"its version is {quoted(data.get('version'))}; this program reads only version {VERSION}"
        )
    if not {"tokens", "port"} <= set(data) <= {"format", "version", *KEYS}:
        raise ValueError("its last line must have tokens and port, and no unknown keys")
    tokens, names, port, game = data["tokens"], data.get("names", {}), data["port"], data.get("game", "-")
    if not isinstance(tokens, dict):
        raise ValueError("the tokens must be a JSON object")
    if not isinstance(names, dict) or not set(names) <= set(tokens) or not all(map(is_name, names.values())):
        raise ValueError("the names must be valid, and each must belong to a seat with a token")
    if type(port) is not int or not 0 <= port <= LAST_PORT:
        raise ValueError(f"the port must be in 0..{LAST_PORT}")
    if not isinstance(game, str) or not game or Path(game).name != game:
        raise ValueError("the game must be the name of a file in the same folder")
    sound = [token for token in tokens.values() if isinstance(token, str) and TOKEN.fullmatch(token)]
    if not 1 <= len(sound) == len(set(sound)) == len(tokens) <= MOST_SEATS:
        raise ValueError("the tokens must be different strings of 22 letters, digits, - and _")
    settings = data.get("settings")
    if isinstance(settings, dict) and isinstance(settings.get(BOT), str):
        data["settings"] = settings | {BOT: current_name(settings[BOT])}
    return {key: data[key] for key in KEYS if key in data}
