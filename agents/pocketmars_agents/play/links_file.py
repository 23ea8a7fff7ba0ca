"""The file beside an unfinished game's replay that keeps its links: the seats' secrets and the port.

It is only ever appended to: every start of a server adds a line, and the last whole line holds. While a
game is played its file is locked, so that no second process continues the same game.
"""

import errno
import io
import json
import os
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pocketmars_env.core.files.file_locks import open_locked
from pocketmars_env.core.files.reading import parse_json, read_open_file

FORMAT = "pocketmars-links"
VERSION = 1
SUFFIX = ".links"
TOKEN_BYTES = 16
TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
"""`TOKEN_BYTES` as `secrets.token_urlsafe` writes them."""
MOST_BYTES = 2**20
MOST_SEATS = 64
"""More than any game has."""
LAST_PORT = 2**16 - 1


class LinksError(ValueError):
    """The file cannot be used. It is left as it was."""


class InUseError(LinksError):
    """Another process plays the game."""


class LinksFile:
    """The links of one game; open and locked until it is closed.

    Args:
        game: the replay's file; the links are kept beside it, readable for their owner alone.

    Attributes:
        path: the file.
        tokens: the secret of each seat, by the seat's name; empty in a new file, and where others could
            read or write the secrets.
        port: where the links led last; 0 in a new file.
        starts: how often the game has been served.

    Raises:
        InUseError: if another process plays the game.
        LinksError: if the file is damaged, of a newer version, far too large, or no regular file.
        OSError: if the file cannot be opened.

    """

    def __init__(self, game: Path) -> None:
        self.path = links_of(game)
        self.tokens: dict[str, str] = {}
        self.port = 0
        self.starts = 0
        self._file = opened(self.path)
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    @property
    def is_new(self) -> bool:
        return self.starts == 0

    def _read(self) -> None:
        """Take in the last line; a line without its end was being written when the process was killed."""
        try:
            content = read_open_file(self._file, MOST_BYTES)
        except OSError as error:
            raise LinksError(f"cannot use {self.path}: {error.strerror}") from error
        lines = content[: content.rfind(b"\n") + 1].splitlines(keepends=True)
        self._size = sum(map(len, lines))
        self.starts = len(lines)
        if lines:
            self.tokens, self.port = self._links_in(lines[-1])
        if not is_private(self._file):
            self.tokens = {}

    def _links_in(self, line: bytes) -> tuple[dict[str, str], int]:
        try:
            return checked(parse_json(line))
        except ValueError as error:
            raise LinksError(f"{self.path} is damaged: {error}") from error

    def tokens_for(self, seats: Sequence[str]) -> dict[str, str]:
        """The secrets of these seats: those of the file if it has them, else new ones."""
        if set(self.tokens) != set(seats):
            self.tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in seats}
        return self.tokens

    def write(self, port: int) -> None:
        """Keep the secrets and the port; both are on their way to the disk when this returns.

        Raises:
            OSError: if they cannot be written.

        """
        data = {"format": FORMAT, "version": VERSION, "tokens": self.tokens, "port": port}
        line = json.dumps(data).encode() + b"\n"
        try:
            if sys.platform != "win32":
                os.fchmod(self._file.fileno(), 0o600)
            self._file.truncate(self._size)
            self._file.seek(self._size)
            if self._file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError as error:
            error.filename = str(self.path)
            raise
        self._size += len(line)
        self.port = port
        self.starts += 1

    def close(self) -> None:
        """Let other processes continue the game."""
        self._file.close()

    def remove(self) -> None:
        """Close and delete the file, since nobody continues the game."""
        self._file.close()  # first: Windows deletes no open files
        self.path.unlink(missing_ok=True)


def links_of(game: Path) -> Path:
    """Where the links of a game are kept."""
    return game.with_name(game.name + SUFFIX)


def opened(path: Path) -> io.FileIO:
    """The file, made if it does not exist, open and locked."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = open_locked(path)
    if file is None:
        raise InUseError(f"{path} is in use: another process plays this game")
    return file


def is_private(file: io.FileIO) -> bool:
    """Whether the file is the user's own, and nobody else may read or write it."""
    if sys.platform == "win32":  # which keeps a user's folders from others by other means
        return True
    found = os.fstat(file.fileno())
    return found.st_uid == os.geteuid() and not found.st_mode & 0o077


def checked(data: Any) -> tuple[dict[str, str], int]:
    """The tokens and the port of a line; a ValueError says what is wrong with it."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f'its last line is no JSON object with "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        raise ValueError(f"its version is {data.get('version')!r}, this program reads version {VERSION}")
    tokens, port = data.get("tokens"), data.get("port")
    if set(data) != {"format", "version", "tokens", "port"} or not isinstance(tokens, dict):
        raise ValueError("its last line needs tokens, a port and nothing else")
    if type(port) is not int or not 0 <= port <= LAST_PORT:
        raise ValueError(f"the port must be in 0..{LAST_PORT}")
    sound = [token for token in tokens.values() if isinstance(token, str) and TOKEN.fullmatch(token)]
    if not 1 <= len(sound) == len(set(sound)) == len(tokens) <= MOST_SEATS:
        raise ValueError("the tokens must be different texts of 22 letters, digits, - and _")
    return tokens, port
