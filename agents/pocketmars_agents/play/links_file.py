"""The links file of an unfinished game: people's secret tokens and chosen names, and the server's port.

A token is part of the link to a person's browser page. The links file is stored next to the game's replay. A
line is appended when the game begins or is continued, when the port changes, and when a person chooses a
name. The last complete line replaces all earlier ones. The file is locked while the game is played, so that
no other process can continue the same game.
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


class LinksError(ValueError):
    """Raised if the links file cannot be used; the file is left unchanged."""


class InUseError(LinksError):
    """Raised if another process is playing the game."""


class LinksFile:
    """The links file of one game, which is open and locked until `close` or `remove` is called.

    Args:
        game: the path of the game's replay, from which `links_of` derives the path of the links file.

    Attributes:
        tokens: the secret token of each person, keyed by the name of the person's seat; initially empty if
            the file is new or not private (see `is_private`).
        names: the names that people have chosen for themselves, keyed by seat name.
        port: the port of the last server for this game; 0 if there was none.
        starts: the number of complete lines in the file; each call of `write` adds one.

    Raises:
        InUseError: if another process is playing the game.
        LinksError: if the file is damaged, has an unsupported version, is too large, or cannot be read.
        OSError: if the file cannot be opened or created.

    """

    def __init__(self, game: Path) -> None:
        self.path = links_of(game)
        self.tokens: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.port = 0
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
                self.tokens, self.names, self.port = checked(parse_json(lines[-1]))
            except ValueError as error:
                raise LinksError(f"{self.path} is damaged: {error}") from error
        if not is_private(self._file):
            self.tokens = {}

    def tokens_for(self, seats: Sequence[str]) -> dict[str, str]:
        """Return the tokens of these seats; create new tokens unless `tokens` has exactly these seats."""
        if set(self.tokens) != set(seats):
            self.tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in seats}
        return self.tokens

    def write(self, port: int) -> None:
        """Append a line with tokens, names and port, and sync it to disk; raise an OSError on failure.

        Except on Windows, the method also removes other users' access to the file.
        """
        data = {"format": FORMAT, "version": VERSION, "tokens": self.tokens, "port": port}
        data |= {"names": self.names} if self.names else {}
        line = json.dumps(data).encode() + b"\n"
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
        self.port = port
        self.starts += 1

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
    found = os.fstat(file.fileno())
    return found.st_uid == os.geteuid() and not found.st_mode & 0o077


def checked(data: Any) -> tuple[dict[str, str], dict[str, str], int]:
    """Return the tokens, names and port in a parsed line; raise a ValueError if the line is invalid."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f'its last line is not a JSON object with "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        raise ValueError(
            f"its version is {quoted(data.get('version'))}; this program reads only version {VERSION}"
        )
    tokens, names, port = data.get("tokens"), data.get("names", {}), data.get("port")
    if {*data, "names"} != {"format", "version", "tokens", "names", "port"} or not isinstance(tokens, dict):
        raise ValueError("its last line must have format, version, tokens, port and, optionally, names")
    if not isinstance(names, dict) or not set(names) <= set(tokens) or not all(map(is_name, names.values())):
        raise ValueError("the names must be valid, and each must belong to a seat with a token")
    if type(port) is not int or not 0 <= port <= LAST_PORT:
        raise ValueError(f"the port must be in 0..{LAST_PORT}")
    sound = [token for token in tokens.values() if isinstance(token, str) and TOKEN.fullmatch(token)]
    if not 1 <= len(sound) == len(set(sound)) == len(tokens) <= MOST_SEATS:
        raise ValueError("the tokens must be different strings of 22 letters, digits, - and _")
    return tokens, names, port
