"""The leaderboard: what bots have done on a suite, in a file small enough for the repository.

The first line names the suite and its deals; every further line is an `Entry`. Every game can be
played again: a bot's chance depends on its name and the game alone.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from agents.base import canonical_name, needs_trust
from agents.bench import COLUMNS, TEXT_COLUMNS, Row
from agents.leaderboard_entry import Entry
from agents.matches import Match
from agents.playing import play_matches
from agents.results import GameResult, line_of
from agents.results_file import Header, ResultsError, read_results
from agents.suites import Suite
from agents.tables import Table
from pocketmars_env.engine.config import LEVELS
from pocketmars_env.reading import read_file
from pocketmars_env.writing import write_whole

FORMAT = "pocketmars-leaderboard-1"
FOLDER = Path(__file__).parent / "leaderboard"
DEFAULT_CHECKS = 3
MAX_BYTES = 64 * 2**20
"""Of a file; a bot's games take some 40 KB."""


# --- from raw results -------------------------------------------------------------------------------


def entries_of(paths: Iterable[Path], suite: Suite) -> list[Entry]:
    """The entries of the games of a suite in results files; other games are passed over.

    Raises:
        ResultsError: if a file cannot be read, or a bot's deals are not the first ones of the suite.

    """
    found: dict[tuple[str, str], Entry] = {}
    for path in paths:
        versions, results = read_results(path)
        for entry in entries_of_file(path, versions, results, suite):
            if entry.key in found:
                raise ResultsError(f"{path}: {entry.bot}, {entry.level} is in an earlier file too")
            found[entry.key] = entry
    if not found:
        raise ResultsError(f"no game of the suite {suite.name} found")
    return list(found.values())


def entries_of_file(
    path: Path, versions: Header, results: Iterable[GameResult], suite: Suite
) -> Iterable[Entry]:
    """The entries of one results file."""
    groups: dict[tuple[str, str], dict[int, GameResult]] = {}
    for result in results:
        match = result.match
        level, deal = match.config.level or "", match.seed - suite.first_seed
        is_of_suite = level and match.config == suite.config(level) and 0 <= deal < suite.deals
        if is_of_suite and match.seconds_per_decision is None:
            groups.setdefault((match.bots[0], level), {})[deal] = result
    for (bot, level), by_deal in groups.items():
        try:
            canonical = canonical_name(bot)
        except ValueError as error:
            raise ResultsError(f"{path}: {error}") from error
        if bot != canonical:
            raise ResultsError(f"{path}: the bot {bot!r} must be written {canonical!r}")
        if sorted(by_deal) != list(range(len(by_deal))):
            raise ResultsError(f"{path}: {bot}, {level} has not played all deals up to {max(by_deal)}")
        yield Entry.of([by_deal[deal] for deal in range(len(by_deal))], versions)


def merged(old: Iterable[Entry], new: Iterable[Entry]) -> list[Entry]:
    """Old entries, replaced by new ones of the same bot and level, and those that are added.

    Raises:
        ResultsError: if a new entry has fewer games than the one that it would replace.

    """
    entries = {entry.key: entry for entry in old}
    for entry in new:
        known = entries.get(entry.key)
        if known is not None and len(known.margins) > len(entry.margins):
            raise ResultsError(
                f"{entry.bot}, {entry.level} has {len(entry.margins)} games, but the leaderboard "
                f"{len(known.margins)}: nothing was written"
            )
        entries[entry.key] = entry
    return list(entries.values())


# --- the file ---------------------------------------------------------------------------------------


def path_of(suite: Suite) -> Path:
    """Where the repository keeps the leaderboard of a suite."""
    return FOLDER / f"{suite.name}.jsonl"


def add_to_leaderboard(
    path: Path, suite: Suite, new: Iterable[Entry], checks: int, is_trusted: bool = False
) -> list[Entry]:
    """Add entries to a leaderboard, made if it does not exist: all of them, or nothing is written.

    Args:
        path: of the leaderboard.
        suite: that it is for.
        new: replace those of the same bot and level.
        checks: how many games of every new entry are played again before.
        is_trusted: whether bots may be imported, or opened, by the names that the entries give them.

    Returns:
        What the leaderboard holds now.

    Raises:
        ResultsError: if a file is another one, cannot be written, has more games already, if a game
            that is played again comes out otherwise, or if a bot that would play needs trust.

    """
    new = list(new)
    if checks > 0 and not is_trusted:
        check_needs_no_trust(new)
    for entry in new:
        check_by_replay(entry, suite, checks)
    entries = merged(read_leaderboard(path, suite) if path.exists() else [], new)
    try:
        write_whole(path, b"".join([line_of(header_of(suite)), *(entry.to_line() for entry in entries)]))
    except OSError as error:
        raise ResultsError(f"cannot write {path}: {error.strerror}") from error
    return entries


def header_of(suite: Suite) -> Header:
    return {"format": FORMAT, "suite": suite.name, "deals": suite.fingerprint}


def read_leaderboard(path: Path, suite: Suite) -> list[Entry]:
    """The entries of a suite's leaderboard.

    Raises:
        ResultsError: if the file cannot be read, is no leaderboard of this suite, or is damaged.

    """
    try:
        first, *lines = read_file(path, MAX_BYTES).splitlines(keepends=True) or [b""]
    except OSError as error:
        raise ResultsError(f"cannot read {path}: {error.strerror}") from error
    if first != line_of(header_of(suite)):
        raise ResultsError(f"{path} is no leaderboard of the suite {suite.name}, its deals and this version")
    entries: dict[tuple[str, str], Entry] = {}
    for number, line in enumerate(lines, start=2):
        try:
            entry = Entry.from_line(line)
        except ValueError as error:
            raise ResultsError(f"{path}, line {number} is damaged: {error}") from error
        if entry.key in entries or len(entry.margins) > suite.deals:
            raise ResultsError(f"{path}, line {number} repeats a bot and level, or has too many games")
        entries[entry.key] = entry
    return list(entries.values())


def check_needs_no_trust(entries: Iterable[Entry]) -> None:
    """Raise a ResultsError that names the bots that are not built in."""
    names = dict.fromkeys(entry.bot for entry in entries if needs_trust(entry.bot))
    if names:
        raise ResultsError(
            f"the results name bots that are not built in: {', '.join(names)}. With --trust these modules "
            "are imported and run, and these policies opened, to play games again; read them before"
        )


def check_by_replay(entry: Entry, suite: Suite, games: int) -> None:
    """Play some of an entry's games again, from the first to the last.

    Raises:
        ResultsError: if one comes out otherwise.

    """
    deals = np.unique(np.linspace(0, len(entry.margins) - 1, games).round().astype(int)).tolist()
    config = suite.config(entry.level)
    results = play_matches([Match((entry.bot,), config, suite.seed(deal)) for deal in deals])
    for deal, margin, result in zip(deals, Row.of(results).margins if results else [], results):
        found = margin, result.failure is not None
        expected = entry.margins[deal], deal in entry.failed
        if found != expected:
            raise ResultsError(
                f"{entry.bot}, {entry.level}, deal {deal}: the margin is {found[0]:+d} when it is played "
                f"again, not {expected[0]:+d}; nothing was written"
            )


# --- the table ------------------------------------------------------------------------------------


def leaderboard_table(entries: Iterable[Entry]) -> Table:
    """The entries as a table: level by level, the best bot first."""
    rows = [
        entry.row().cells()
        for level in LEVELS
        for entry in sorted(entries, key=lambda entry: -entry.wins / len(entry.margins))
        if entry.level == level
    ]
    notes = tuple(
        f"{entry.bot} failed in {len(entry.failed)} games at level {entry.level}, which count as lost."
        for entry in entries
        if entry.failed
    )
    return Table(COLUMNS, TEXT_COLUMNS, tuple(rows), notes)
