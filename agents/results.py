"""Finished games, and the JSON lines file that keeps them.

The first line of the file is its header: what the games in it have in common. Every further line is
one finished game. A file is only ever appended to, line by line; a last line without its end was
being written when the process was stopped, and is dropped.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

Header = dict[str, Any]
GameKey = tuple[str, str, int]


class ResultsError(ValueError):
    """The file is not one that this run can continue. It is left as it was."""


@dataclass(frozen=True)
class GameResult:
    """One finished game of a bot against Devious Automatics.

    Attributes:
        agent: the bot's name.
        level: the DA's level.
        deal: which deal of the suite was played.
        won: whether the bot won; never if it failed.
        scores: points of the bot and of the DA, at the end or when the bot failed.
        truncated: whether the round limit ended the game.
        decisions: how many answers the bot gave.
        seconds: time spent in the bot and the game.
        error: why the bot failed, or None.

    """

    agent: str
    level: str
    deal: int
    won: bool
    scores: tuple[int, int]
    truncated: bool
    decisions: int
    seconds: float
    error: str | None = None

    @property
    def key(self) -> GameKey:
        """What tells the game from all others of a run."""
        return self.agent, self.level, self.deal

    @property
    def margin(self) -> int:
        """Points of the bot minus points of the DA."""
        return self.scores[0] - self.scores[1]

    def to_line(self) -> bytes:
        """The game as a line of the file."""
        return line_of(asdict(self))

    @classmethod
    def from_line(cls, line: bytes) -> "GameResult":
        """The game of a line that `to_line` wrote.

        Raises:
            ValueError: if the line is anything else.

        """
        data = json.loads(line)
        if not isinstance(data, dict) or list(data) != [field.name for field in fields(cls)]:
            raise ValueError("not a finished game")
        if not isinstance(data["scores"], list):
            raise ValueError("scores is not a list")
        result = cls(**{**data, "scores": tuple(data["scores"])})
        if not result.is_sound() or result.to_line() != line:
            raise ValueError("a value is out of its range")
        return result

    def is_sound(self) -> bool:
        """Whether every value has its type and range."""
        return (
            isinstance(self.agent, str)
            and isinstance(self.level, str)
            and [type(number) for number in (self.deal, self.decisions, *self.scores)] == [int] * 4
            and min(self.deal, self.decisions, *self.scores) >= 0
            and type(self.won) is type(self.truncated) is bool
            and type(self.seconds) is float
            and self.seconds >= 0
            and isinstance(self.error, str | None)
            and self.won == (self.error is None and self.margin > 0)
        )


def line_of(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode() + b"\n"


class ResultsFile:
    """A results file, opened to go on with a run; a context manager.

    Args:
        path: of the file; it is made if it does not exist.
        header: what the games of this run have in common; that of an existing file must be equal.

    Attributes:
        finished: the games that the file held already, by their keys.

    Raises:
        ResultsError: if the file cannot be written, is no results file, is damaged, or is one of
            another kind of run. Then it has not been changed.

    """

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.finished: dict[GameKey, GameResult] = {}
        content = self._read()
        sound_size = self._load(content, line_of(header)) if content else 0
        try:
            self._file: BinaryIO = path.open("r+b" if content else "wb")
        except OSError as error:
            raise ResultsError(f"cannot write {path}: {error.strerror}") from error
        self._file.truncate(sound_size)
        self._file.seek(sound_size)
        if not sound_size:
            self._write(line_of(header))

    def append(self, result: GameResult) -> None:
        """Add a finished game; it is on its way to the disk when this returns."""
        self._write(result.to_line())

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise ResultsError(f"cannot read {self.path}: {error.strerror}") from error

    def _load(self, content: bytes, header_line: bytes) -> int:
        """Take in the finished games; returns the size of the file without a torn last line."""
        if header_line.startswith(content):
            return len(content) if content == header_line else 0
        sound_size = content.rfind(b"\n") + 1
        first, *lines = content[:sound_size].splitlines(keepends=True) or [b""]
        self._check_header(first, header_line)
        for number, line in enumerate(lines, start=2):
            try:
                result = GameResult.from_line(line)
            except (ValueError, TypeError) as error:
                raise ResultsError(f"{self.path}, line {number} is damaged: {error}") from error
            if result.key in self.finished:
                raise ResultsError(f"{self.path}, line {number} repeats the game {result.key}")
            self.finished[result.key] = result
        return sound_size

    def _check_header(self, line: bytes, expected_line: bytes) -> None:
        """Raise a ResultsError that names what differs, unless the headers are equal."""
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        expected = json.loads(expected_line)
        if not isinstance(found, dict) or found.get("format") != expected["format"]:
            raise ResultsError(
                f"{self.path} is no results file of the format {expected['format']!r}; give --out a new name"
            )
        differences = list(differences_of(found, expected))
        if differences or line != expected_line:
            reason = "; ".join(differences) or "its header is damaged"
            raise ResultsError(f"{self.path} holds another kind of run ({reason}); give --out a new name")


def differences_of(found: Header, expected: Header) -> Iterator[str]:
    """Which entries of two headers differ, in words."""
    for name in expected | found:
        if found.get(name) != expected.get(name):
            yield f"{name}: {found.get(name)!r}, now {expected.get(name)!r}"
