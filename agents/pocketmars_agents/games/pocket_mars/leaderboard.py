"""The leaderboard file of a suite (a fixed list of deals).

The first line of the file identifies the suite and its deals; each further line is an `Entry`. The file
stores no actions, so a game takes only about 1.3 bytes, compared with about 600 bytes in a results file. A
game is checked by letting the bot play it again; the bot's random numbers are then the same, because they
depend only on the bot's name, its seat and the game.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Self

import msgspec
import numpy as np
from msgspec import Meta
from msgspec.structs import replace

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import LARGEST, Count, GameResult, line_of
from pocketmars_agents.arena.results_file import Header, ResultsError, read_results
from pocketmars_agents.game_bots import current_name
from pocketmars_agents.games.pocket_mars.bench import Row
from pocketmars_agents.games.pocket_mars.suites import Suite
from pocketmars_agents.registry import canonical_name, needs_trust
from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.writing import replace_whole
from pocketmars_env.games.pocket_mars.config import LEVELS, GameConfig
from pocketmars_env.games.pocket_mars.rules.constants import MAX_HANDICAP
from pocketmars_env.games.pocket_mars.rules_version import version_0_message
from pocketmars_env.replays.replay import is_printable

FORMAT = "pocketmars-leaderboard-2"
FORMAT_OF_VERSION_0 = b"pocketmars-leaderboard-1"
FOLDER = Path(__file__).parent / "leaderboard"
DEFAULT_CHECKS = 3
MAX_BYTES = 64 * 2**20
"""Maximum size of the file in bytes; 10,000 games take about 13 KB."""
VERSIONS = ("pocketmars_env", "numpy", "numba", "sources")


class Entry(gate.Record):
    """The results of a bot's games at one level and handicap, and the format of a line of the file."""

    bot: str  # the bot's name
    level: str  # the level of Devious Automatics, the automated opponent
    # the number of points added to the score of Devious Automatics
    handicap: Annotated[int, Meta(ge=0, le=MAX_HANDICAP)]
    # `margins` as signed bytes, in the file as base64 under the key ``margins``
    packed: Annotated[bytes, Meta(min_length=1)] = msgspec.field(name="margins")
    # the numbers of the deals that the bot lost because of a failure, in ascending order
    failed: tuple[int, ...]
    decisions: Count  # the number of the bot's decisions in all these games
    seconds: Annotated[float, Meta(ge=0, le=LARGEST)]  # the total time of these decisions in seconds
    # the header fields named in `VERSIONS`, from the results file that contains the games
    versions: dict[str, str]

    @property
    def margins(self) -> tuple[int, ...]:
        """The bot's points minus those of Devious Automatics with the handicap, for deals 0, 1, 2, …."""
        return tuple(np.frombuffer(self.packed, dtype=np.int8).tolist())

    @property
    def key(self) -> tuple[str, str, int]:
        return self.bot, self.level, self.handicap

    def __str__(self) -> str:
        return f"{self.bot}, {self.level}, handicap {self.handicap}"

    def row(self) -> Row:
        """Return the entry as a row of the benchmark table.

        A game counts as won if its margin is positive and the bot did not fail.
        """
        margins = self.margins
        failed = [deal in self.failed for deal in range(len(margins))]
        won = [margin > 0 and not has_failed for margin, has_failed in zip(margins, failed)]
        return Row(*self.key, range(len(margins)), margins, won, failed, self.decisions, self.seconds)

    @classmethod
    def of(cls, results: Sequence[GameResult], versions: Header) -> Self:
        """Return the entry for a bot's games at one level and handicap."""
        row = Row.of(results)
        failed = tuple(deal for deal, result in enumerate(results) if result.failure is not None)
        kept = {name: getattr(versions, name) for name in VERSIONS}
        try:
            packed = np.array(row.margins, dtype=np.int8).tobytes()
        except OverflowError as error:
            raise ResultsError(f"{row.bot}, {row.level}: a margin is not in -128..127") from error
        seconds = round(row.seconds, 6)
        return cls(row.bot, row.level, row.handicap, packed, failed, row.decisions, seconds, kept)

    def to_line(self) -> bytes:
        """Return the entry as a JSON line."""
        return line_of(msgspec.to_builtins(self))

    @classmethod
    def from_line(cls, line: bytes) -> Self:
        """Return the entry in a JSON line, with the bot's current name; raise a ValueError if invalid."""
        entry = gate.decode(line, cls, "the entry")
        return replace(entry, bot=current_name(entry.bot))


# --- from results files -----------------------------------------------------------------------------


def entries_of(paths: Iterable[Path], suite: Suite) -> list[Entry]:
    """Return the entries for the suite's games in results files.

    Games that do not belong to the suite and games with a time limit per decision are skipped.
    """
    entries: dict[tuple[str, str, int], Entry] = {}
    for path in paths:
        for entry in entries_of_file(path, suite):
            if entry.key in entries:
                raise ResultsError(f"{path}: {entry} is in an earlier file too")
            entries[entry.key] = entry
    if not entries:
        raise ResultsError(f"no game of the suite {suite.name} found")
    return list(entries.values())


def entries_of_file(path: Path, suite: Suite) -> Iterator[Entry]:
    """Yield the entries of one results file; see `entries_of` for the skipped games and the errors."""
    versions, results = read_results(path)
    configs = {suite.config(level, handicap) for level in LEVELS for handicap in suite.handicaps}
    groups: dict[tuple[str, GameConfig], dict[int, GameResult]] = {}
    for result in results:
        match, deal = result.match, result.match.seed - suite.first_seed
        is_of_suite = match.config in configs and 0 <= deal < suite.deals
        if is_of_suite and match.seconds_per_decision is None:
            groups.setdefault((match.bots[0], match.config), {})[deal] = result
    for (bot, _), by_deal in groups.items():
        try:
            canonical = canonical_name(bot)
        except ValueError as error:
            raise ResultsError(f"{path}: {error}") from error
        if bot != canonical:
            raise ResultsError(f"{path}: the bot {quoted(bot)} must be written {canonical!r}")
        entry = Entry.of([by_deal[deal] for deal in sorted(by_deal)], versions)
        if max(by_deal) >= len(by_deal):
            raise ResultsError(f"{path}: {entry} has not played all deals up to {max(by_deal)}")
        yield entry


# --- the file ---------------------------------------------------------------------------------------


def path_of(suite: Suite) -> Path:
    """Return the path of a suite's leaderboard file in this package."""
    return FOLDER / f"{suite.name}.jsonl"


def read_leaderboard(path: Path, suite: Suite) -> list[Entry]:
    """Read the entries of a suite's leaderboard."""
    try:
        first, *lines = gate.read_file(path, MAX_BYTES).splitlines(keepends=True) or [b""]
    except OSError as error:
        raise ResultsError(f"cannot read {path}: {error.strerror}") from error
    if FORMAT_OF_VERSION_0 in first:
        raise ResultsError(version_0_message(str(path)))
    if first != header_line(suite):
        raise ResultsError(
            f"{path} is not a leaderboard of this version of the suite {suite.name} and its deals"
        )
    entries: dict[tuple[str, str, int], Entry] = {}
    for number, line in enumerate(lines, start=2):
        try:
            entry = Entry.from_line(line)
        except ValueError as error:
            raise ResultsError(f"{path}, line {number} is damaged: {error}") from error
        is_of_suite = entry.level in LEVELS and entry.handicap in suite.handicaps
        if not is_of_suite or len(entry.packed) > suite.deals or not is_printable(entry.bot):
            raise ResultsError(f"{path}, line {number}: {quoted(str(entry))} does not belong to the suite")
        if entry.key in entries:
            raise ResultsError(f"{path}, line {number} repeats an entry")
        entries[entry.key] = entry
    return list(entries.values())


def header_line(suite: Suite) -> bytes:
    return line_of({"format": FORMAT, "suite": suite.name, "deals": suite.fingerprint})


def add_to_leaderboard(
    path: Path, suite: Suite, new: Sequence[Entry], checks: int, is_trusted: bool = False
) -> list[Entry]:
    """Check new entries by playing some of their games again; if all checks succeed, add the entries.

    The file is read again after the checks, so entries that another process adds in the meantime are kept.
    """
    if checks < 0:
        raise ValueError(f"the number of games to replay must be at least 0, got {checks}")
    merged(path, suite, new)  # reports an error before the games are played
    untrusted = dict.fromkeys(entry.bot for entry in new if needs_trust(entry.bot))
    if checks > 0 and untrusted and not is_trusted:
        raise ResultsError(
            f"bots that need --trust to play games again: {', '.join(untrusted)}. Check them first: --trust "
            "runs their modules and programs, opens their policies and calls their models"
        )
    for entry in new:
        check_by_replay(entry, suite, checks)
    entries: list[Entry] = []

    def content() -> bytes:
        entries[:] = merged(path, suite, new)
        return b"".join([header_line(suite), *(entry.to_line() for entry in entries)])

    try:
        replace_whole(path, content)
    except OSError as error:
        raise ResultsError(f"cannot write {path}: {error.strerror}") from error
    return entries


def merged(path: Path, suite: Suite, new: Sequence[Entry]) -> list[Entry]:
    """Return the entries of a leaderboard file (none if it is missing), updated with the new entries."""
    entries = {entry.key: entry for entry in (read_leaderboard(path, suite) if path.exists() else ())}
    for entry in new:
        known = entries.get(entry.key)
        if known is not None and len(known.margins) > len(entry.margins):
            comparison = f"{len(entry.margins)} games, but the leaderboard has {len(known.margins)}"
            raise ResultsError(f"{entry} has {comparison}; nothing was written")
        entries[entry.key] = entry
    return list(entries.values())


def check_by_replay(entry: Entry, suite: Suite, games: int) -> None:
    """Play at most `games` games of an entry again, on evenly spaced deals, and compare the results."""
    games = min(games, len(entry.margins))
    deals = np.unique(np.linspace(0, len(entry.margins) - 1, games).round().astype(int)).tolist()
    config = suite.config(entry.level, entry.handicap)
    for deal, result in zip(
        deals, play_matches([Match((entry.bot,), config, suite.seed(deal)) for deal in deals]), strict=True
    ):
        replayed = result_text(Row.of([result]).margins[0], result.failure is not None)
        stored = result_text(entry.margins[deal], deal in entry.failed)
        if replayed != stored:
            raise ResultsError(
                f"{entry}, deal {deal}: the result is {replayed} when it is played again, not {stored}; "
                "nothing was written"
            )


def result_text(margin: int, has_failed: bool) -> str:
    return f"{margin:+d}{' (the bot failed)' if has_failed else ''}"
