"""Results files: finished games as JSON lines.

The first line is a header with the file format, the package versions and a hash of the source code that the
results depend on; for games other than the default game, the header also has the game's name. Each further
line is one finished game. Complete lines are never changed. An incomplete last line, left by an interrupted
write, is ignored by readers and removed by the next run. A run accepts a file only if the file's header is
the one that the run would write; the run then reuses the results that it needs and appends the missing ones.
"""

import hashlib
import io
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self

import numba
import numpy as np
from msgspec.structs import asdict

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult, line_of
from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.file_locks import lock, open_to_write
from pocketmars_env.core.files.writing import write_all
from pocketmars_env.core.game_spec import GameSpec, default_game, game_named
from pocketmars_env.core.version import __version__

MAX_BYTES = 2**30
"""Maximum size of a results file in bytes, checked when the file is opened."""
ROOMS = ("arena", "bots", "line_protocol", "llm", "network", "search")
"""The folders in `pocketmars_agents` whose source code `source_fingerprint` hashes for every game."""


class ResultsError(ValueError):
    """Raised if a file of results cannot be used; its complete lines are left unchanged."""


class Header(gate.Record, kw_only=True):
    """The first line of a results file, a JSON object."""

    format: Literal["pocketmars-games-2"] = "pocketmars-games-2"
    game: str | None = None  # left out for the default game
    pocketmars_env: str  # this and the next two are the versions of the packages that played the games
    numpy: str
    numba: str
    sources: str  # a hash of the source code that the results depend on; see `source_fingerprint`

    @property
    def spec(self) -> GameSpec:
        """The game of the results; raises a ValueError if it is not registered."""
        return game_named(self.game or default_game().name)

    def to_line(self) -> bytes:
        """Return the header as a JSON line."""
        return line_of({name: value for name, value in asdict(self).items() if value is not None})


def header(spec: GameSpec) -> Header:
    """Return the header of a game's results file."""
    return Header(
        game=None if spec is default_game() else spec.name,
        pocketmars_env=__version__,
        numpy=np.__version__,
        numba=numba.__version__,
        sources=source_fingerprint(spec),
    )


def source_fingerprint(spec: GameSpec) -> str:
    """Return a short hash of the source code that the results of a game depend on."""
    agents = Path(__file__).parent.parent
    rooms = (*ROOMS, f"games/{spec.name}")
    sources = [path for room in rooms for path in sorted((agents / room).rglob("*.py"))]
    sources += [agents / "game_bots.py", agents / "registry.py"]
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources))
    return f"{spec.fingerprint}-{digest.hexdigest()[:16]}"


class ResultsFile:
    """A results file, locked and open for appending until `close` or the end of a ``with`` block.

    `finished` has the results in the file when it was opened, keyed by match; `size` is the number of results
    in the file now. Opening raises a ResultsError if the file cannot be used, is in use or damaged, or has a
    header other than ``header(spec)``.
    """

    def __init__(self, path: Path, spec: GameSpec) -> None:
        self.path = path
        self.spec = spec
        self.finished: dict[Match, GameResult] = {}
        self.size = 0
        self._file = self._open()
        try:
            content = gate.read_open_file(self._file, MAX_BYTES)
            self._bytes = self._load(content) if content else 0
            self._file.truncate(self._bytes)
            self._file.seek(self._bytes)
            if not self._bytes:
                self._write(header(spec).to_line())
        except OSError as error:
            self._file.close()
            raise ResultsError(f"cannot use {path}: {error.strerror}") from error
        except BaseException:
            self._file.close()
            raise

    def append(self, result: GameResult) -> None:
        """Append a finished game without buffering, so that it survives if this process is killed later."""
        self._write(result.to_line())
        self.size += 1

    def close(self) -> None:
        """Close and unlock the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _write(self, line: bytes) -> None:
        try:
            write_all(self._file, line)
        except OSError as error:
            with suppress(OSError):  # the next run drops an incomplete line anyway
                self._file.truncate(self._bytes)
            raise ResultsError(
                f"cannot write {self.path}: {error.strerror}; earlier games are kept"
            ) from error
        self._bytes += len(line)

    def _open(self) -> io.FileIO:
        try:
            file = open_to_write(self.path)
            try:
                is_locked = lock(file)
            except BaseException:
                file.close()
                raise
        except OSError as error:
            raise ResultsError(f"cannot write {self.path}: {error.strerror}") from error
        if not is_locked:
            file.close()
            raise ResultsError(f"{self.path} is in use: another process is writing to it")
        return file

    def _load(self, content: bytes) -> int:
        """Load the finished games; return the file size in bytes, not counting an incomplete last line."""
        expected = header(self.spec)
        header_line = expected.to_line()
        if header_line.startswith(content):
            return len(content) if content == header_line else 0
        first, lines, sound_size = split_lines(content)
        if differences := "; ".join(differences_of(header_in(self.path, first), expected)):
            raise ResultsError(
                f"{self.path} holds games of another version ({differences}); choose another file for --out"
            )
        for result in parse_games(self.path, lines, self.spec):
            self.finished[result.match] = result
        self.size = len(self.finished)
        return sound_size


def read_results(path: Path) -> tuple[Header, list[GameResult]]:
    """Read the header and the games of a results file, without checking the versions in the header."""
    try:
        content = gate.read_file(path, MAX_BYTES)
    except OSError as error:
        raise ResultsError(f"cannot read {path}: {error.strerror}") from error
    first, lines, _ = split_lines(content)
    file_header = header_in(path, first)
    try:
        spec = file_header.spec
    except ValueError as error:
        raise ResultsError(f"{path}: {error}") from error
    return file_header, list(parse_games(path, lines, spec))


def split_lines(content: bytes) -> tuple[bytes, list[bytes], int]:
    """Drop an incomplete last line; return the first line, the others, and the size of all in bytes."""
    size = content.rfind(b"\n") + 1
    first, *others = content[:size].splitlines(keepends=True) or [b""]
    return first, others, size


def header_in(path: Path, line: bytes) -> Header:
    """Return the header in the first line of a file."""
    try:
        return gate.decode(line, Header, "line 1")
    except ValueError as error:
        raise ResultsError(f"{path} is not a results file: {error}") from error


def parse_games(path: Path, lines: list[bytes], spec: GameSpec) -> Iterator[GameResult]:
    """Yield the games in the lines after the header; raise a ResultsError for a damaged or repeated game."""
    seen = set()
    for number, line in enumerate(lines, start=2):
        try:
            result = GameResult.from_line(line, spec)
        except ValueError as error:
            raise ResultsError(f"{path}, line {number} is damaged: {error}") from error
        if result.match in seen:
            raise ResultsError(f"{path}, line {number} repeats a game")
        seen.add(result.match)
        yield result


def differences_of(actual: Header, expected: Header) -> Iterator[str]:
    """Yield a description of each difference between the headers, such as ``numpy: '2.3.0', now '2.4.6'``."""
    new = asdict(expected)
    for name, value in asdict(actual).items():
        if value != new[name]:
            yield f"{name}: {quoted(value)}, now {quoted(new[name])}"
