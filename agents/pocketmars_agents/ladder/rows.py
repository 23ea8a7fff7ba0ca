"""The results of the ladder: one file per division, with one line per entry.

The checksum of a line detects damage and careless edits. A forged line is detected by playing the bundle
again with the line's secret, which gives the same results; see `verify.again`.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta
from msgspec.structs import replace

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import LARGEST, Count, GameResult, line_of
from pocketmars_agents.arena.results_file import ResultsError, header
from pocketmars_agents.arena.statistics import Interval, wilson_interval
from pocketmars_agents.game_bots import all_game_bots
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.registry import kinds
from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.writing import replace_whole
from pocketmars_env.core.game_spec import Config
from pocketmars_env.core.settings import check_choice

FORMAT = "pocketmars-ladder-1"
FOLDER = Path(__file__).parent / "rows"
MAX_BYTES = 64 * 2**20
PARTS = 12
"""A won game counts as 12 parts, so that a win shared by up to four seats is a whole number of parts."""
GAMES, GAMES_OF_SLOW_BOTS = 1_000, 300
"""The number of games against each opponent, for most bots and for bots that are slower than `SLOW`."""
SLOW = 0.05
"""Mean seconds per decision."""
VERSIONS = ("pocketmars_env", "numpy", "numba", "sources")

Hash = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")]


class Cell(gate.Record):
    """The games of an entry against one opponent."""

    opponent: str
    packed: Annotated[bytes, Meta(min_length=1)] = msgspec.field(name="parts")  # in the file as base64
    decisions: Annotated[tuple[Count, ...], Meta(min_length=2, max_length=2)]  # of entry and opponent
    seconds: Annotated[tuple[Annotated[float, Meta(ge=0, le=LARGEST)], ...], Meta(min_length=2, max_length=2)]
    """Total processor times of these decisions; see `with_processor_times`."""

    @property
    def games(self) -> int:
        return len(self.packed)

    @property
    def wins(self) -> float:
        return float(self.parts.sum()) / PARTS

    @property
    def interval(self) -> Interval:
        """The 95 % Wilson interval of the win rate."""
        return wilson_interval(self.wins, self.games)

    @property
    def parts(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The entry's share of the win in each game, times `PARTS`."""
        return np.frombuffer(self.packed, dtype=np.uint8)

    @classmethod
    def of(cls, opponent: str, results: Sequence[GameResult]) -> "Cell":
        """Return the cell for the results of an entry, which is the first bot of each match."""
        seats = [result.match.seat_of(0) for result in results]
        shares = [round(PARTS * result.win_share(seat)) for result, seat in zip(results, seats)]

        def totals(counts: Sequence[Sequence[Any]]) -> tuple[Any, Any]:
            own = sum(one[seat] for one, seat in zip(counts, seats))
            return own, sum(map(sum, counts)) - own

        own, others = totals([result.seconds for result in results])
        seconds = round(own, 6), round(max(0.0, others), 6)
        return cls(opponent, bytes(shares), totals([result.decisions for result in results]), seconds)


class Row(gate.Record, kw_only=True):
    """The results of an entry in a division, and the format of a line of the file.

    Rows for bots of this package, which play public deals, have empty texts and hashes. The deals of a bundle
    were drawn from the secret, which was made after the submission, and from the hash of the bundle.
    """

    name: str
    author: str = ""
    license: str = ""
    description: str = ""
    date: Annotated[str, Meta(pattern=r"^20\d\d-[01]\d-[0-3]\d\Z")]  # of the verification
    bundle: Hash = ""
    secret: Hash = ""
    cells: tuple[Cell, ...]
    versions: dict[str, str]  # of the packages and of the sources that played the games
    checksum: Hash = ""  # of all other fields

    def signed(self) -> "Row":
        """Return the row with its checksum."""
        content = msgspec.to_builtins(replace(self, checksum=""))
        return replace(self, checksum=hashlib.sha256(line_of(content)).hexdigest())

    def without_times(self) -> "Row":
        """Return the row without what differs when its games are played again."""
        cells = tuple(replace(cell, seconds=(0.0, 0.0)) for cell in self.cells)
        return replace(self, cells=cells, date="2000-01-01", versions={}, checksum="")

    def match(self, division: Division, opponent: str, config: Config, number: int) -> Match:
        """Return one of the row's games against an opponent.

        Every game of a bundle has its own deal, so that no program can recognize a deal.
        """
        if self.bundle:
            text = f"{self.secret} {self.bundle} {opponent} {number}"
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        else:
            seed = division.first_seed + number
        bots = (self.name,) if division.is_alone else (self.name, *[opponent] * (config.players - 1))
        return Match(bots, config, seed, number % config.players)


def new_row(name: str, division: Division, **more: str) -> Row:
    """Return a row of today without results."""
    versions = header(division.spec)
    known = {version: getattr(versions, version) for version in VERSIONS}
    return Row(name=name, date=datetime.now(UTC).date().isoformat(), cells=(), versions=known, **more)


# --- divisions ------------------------------------------------------------------------------------


def all_divisions() -> dict[str, Division]:
    """Return the divisions of all games, by name."""
    return {division.name: division for bots in all_game_bots() for division in bots.divisions}


def division_named(name: str) -> Division:
    check_choice("division", name, all_divisions())
    return all_divisions()[name]


# --- the file -------------------------------------------------------------------------------------


def path_of(folder: Path, division: Division) -> Path:
    return folder / f"{division.name}.jsonl"


def header_line(division: Division) -> bytes:
    return line_of({"format": FORMAT, "division": division.name})


def read_rows(folder: Path, division: Division) -> list[Row]:
    """Read the rows of a division; none if the file is missing."""
    path = path_of(folder, division)
    try:
        lines = gate.read_file(path, MAX_BYTES).splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ResultsError(f"cannot read {path}: {error.strerror}") from error
    rows: dict[str, Row] = {}
    for number, line in enumerate(lines):
        try:
            if number:
                row = gate.decode(line, Row, "the entry")
                check_row(row, division, rows)
                rows[row.name] = row
            elif line != header_line(division):
                raise ValueError(f"not a file of the division {division.name}")
        except ValueError as error:
            raise ResultsError(f"{path}, line {number + 1}: {error}") from error
    return list(rows.values())


def check_row(row: Row, division: Division, earlier: dict[str, Row]) -> None:
    """Raise a ValueError unless a row of a file belongs to the division and has not been edited."""
    opponents = [cell.opponent for cell in row.cells]
    if row.signed() != row:
        raise ValueError(f"the entry {quoted(row.name)} was edited or damaged (its checksum is wrong)")
    if row.name in earlier or bool(row.bundle) == (row.name in division.bots):
        raise ValueError(f"{quoted(row.name)} is repeated, or neither a bot of this package nor a bundle")
    if len({*opponents}) < len(opponents) or not {*opponents} <= {*division.opponents_of(row.name)}:
        raise ValueError(f"unknown or repeated opponents {quoted(opponents)}")


def add_row(folder: Path, division: Division, row: Row) -> None:
    """Add a row to the file of its division, replacing a row with the same name and the same bundle."""
    path = path_of(folder, division)

    def content() -> bytes:
        rows = {known.name: known for known in read_rows(folder, division)}
        check_name(row, list(rows.values()))
        rows[row.name] = row.signed()
        lines = [line_of(msgspec.to_builtins(known)) for known in rows.values()]
        return b"".join([header_line(division), *lines])

    try:
        replace_whole(path, content)
    except OSError as error:
        raise ResultsError(f"cannot write {path}: {error.strerror}") from error


def check_name(row: Row, rows: Sequence[Row]) -> None:
    """Raise a ValueError if the name of a bundle is taken."""
    opponents = {name for division in all_divisions().values() for name in division.opponents}
    taken = {known.name for known in rows if known.bundle != row.bundle}
    if row.bundle and row.name in taken | opponents | set(kinds()):
        raise ValueError(f"the name {quoted(row.name)} is taken; a new version of a bot needs a new name")
