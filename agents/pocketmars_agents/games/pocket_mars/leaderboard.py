"""The leaderboard: what bots have done on a suite, in a file small enough for the repository.

The first line names the suite and its deals; every further line is an `Entry`. Every game can be
played again: a bot's chance depends on its name and the game alone.
"""

import math
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import numpy as np

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.playing import play_matches
from pocketmars_agents.arena.results import GameResult, line_of
from pocketmars_agents.arena.results_file import Header, ResultsError, read_results
from pocketmars_agents.arena.statistics import mean
from pocketmars_agents.arena.tables import Table, milliseconds
from pocketmars_agents.games.pocket_mars.bench import Row, by_level, rating_of
from pocketmars_agents.games.pocket_mars.leaderboard_entry import Entry
from pocketmars_agents.games.pocket_mars.suites import Suite
from pocketmars_agents.registry import canonical_name, needs_trust
from pocketmars_env.core.files.reading import read_file
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.games.pocket_mars.config import LEVELS, GameConfig
from pocketmars_env.games.pocket_mars.rules_version import version_0_message

FORMAT = "pocketmars-leaderboard-2"
FORMAT_OF_VERSION_0 = b"pocketmars-leaderboard-1"
FOLDER = Path(__file__).parent / "leaderboard"
DEFAULT_CHECKS = 3
MAX_BYTES = 64 * 2**20
"""Of a file; 10,000 games take some 13 KB."""


# --- from raw results -------------------------------------------------------------------------------


def entries_of(paths: Iterable[Path], suite: Suite) -> list[Entry]:
    """The entries of the games of a suite in results files; other games are passed over.

    Raises:
        ResultsError: if a file cannot be read, or a bot's deals are not the first ones of the suite.

    """
    found: dict[tuple[str, str, int], Entry] = {}
    for path in paths:
        versions, results = read_results(path)
        for entry in entries_of_file(path, versions, results, suite):
            if entry.key in found:
                raise ResultsError(f"{path}: {entry.title} is in an earlier file too")
            found[entry.key] = entry
    if not found:
        raise ResultsError(f"no game of the suite {suite.name} found")
    return list(found.values())


def entries_of_file(
    path: Path, versions: Header, results: Iterable[GameResult], suite: Suite
) -> Iterable[Entry]:
    """The entries of one results file."""
    groups: dict[tuple[str, GameConfig], dict[int, GameResult]] = {}
    configs = {suite.config(level, handicap) for level in LEVELS for handicap in suite.handicaps}
    for result in results:
        match, deal = result.match, result.match.seed - suite.first_seed
        is_of_suite = match.config in configs and 0 <= deal < suite.deals
        if is_of_suite and match.seconds_per_decision is None:
            groups.setdefault((match.bots[0], match.config), {})[deal] = result
    for (bot, config), by_deal in groups.items():
        try:
            canonical = canonical_name(bot)
        except ValueError as error:
            raise ResultsError(f"{path}: {error}") from error
        if bot != canonical:
            raise ResultsError(f"{path}: the bot {bot!r} must be written {canonical!r}")
        if sorted(by_deal) != list(range(len(by_deal))):
            where = f"{bot}, {config.level}, handicap {config.handicap}"
            raise ResultsError(f"{path}: {where} has not played all deals up to {max(by_deal)}")
        yield Entry.of([by_deal[deal] for deal in range(len(by_deal))], versions)


def merged(old: Iterable[Entry], new: Iterable[Entry]) -> list[Entry]:
    """Old entries, replaced by new ones of the same bot, level and handicap, and those that are added.

    Raises:
        ResultsError: if a new entry has fewer games than the one that it would replace.

    """
    entries = {entry.key: entry for entry in old}
    for entry in new:
        known = entries.get(entry.key)
        if known is not None and len(known.margins) > len(entry.margins):
            raise ResultsError(
                f"{entry.title} has {len(entry.margins)} games, but the leaderboard "
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
        new: replace those of the same bot, level and handicap.
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
    if FORMAT_OF_VERSION_0 in first:
        raise ResultsError(version_0_message(str(path)))
    if first != line_of(header_of(suite)):
        raise ResultsError(f"{path} is no leaderboard of the suite {suite.name}, its deals and this version")
    entries: dict[tuple[str, str, int], Entry] = {}
    for number, line in enumerate(lines, start=2):
        try:
            entry = Entry.from_line(line)
        except ValueError as error:
            raise ResultsError(f"{path}, line {number} is damaged: {error}") from error
        is_of_suite = entry.handicap in suite.handicaps and len(entry.margins) <= suite.deals
        if entry.key in entries or not is_of_suite:
            raise ResultsError(f"{path}, line {number} repeats an entry, or has games that the suite has not")
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
    config = suite.config(entry.level, entry.handicap)
    results = play_matches([Match((entry.bot,), config, suite.seed(deal)) for deal in deals])
    for deal, margin, result in zip(deals, Row.of(results).margins if results else [], results):
        found = margin, result.failure is not None
        expected = entry.margins[deal], deal in entry.failed
        if found != expected:
            raise ResultsError(
                f"{entry.title}, deal {deal}: the margin is {found[0]:+d} when it is played "
                f"again, not {expected[0]:+d}; nothing was written"
            )


# --- the table ------------------------------------------------------------------------------------


COLUMNS = (
    "bot",
    "games",
    *chain.from_iterable((f"{level} [95 %]", "wins") for level in LEVELS),
    "ms/decision",
)
MEANING = "Under each level: the handicap rating, then the win rate at handicap 0."


def leaderboard_table(entries: Iterable[Entry]) -> Table:
    """A line for each bot: the best one at the hardest level comes first."""
    entries = list(entries)
    bots: dict[str, dict[str, list[Row]]] = {}
    for rows in by_level(entry.row() for entry in entries):
        bots.setdefault(rows[0].bot, {})[rows[0].level] = rows
    lines = sorted((line_of_bot(bot, levels) for bot, levels in bots.items()), key=lambda line: -line[0])
    failed = dict.fromkeys(bots, 0)
    for entry in entries:
        failed[entry.bot] += len(entry.failed)
    notes = (f"{bot} failed in {games} games, which count as lost." for bot, games in failed.items() if games)
    return Table(COLUMNS, 1, tuple(cells for _, cells in lines), (MEANING, *notes))


def line_of_bot(bot: str, levels: dict[str, list[Row]]) -> tuple[float, tuple[str, ...]]:
    """What sorts a bot's line, and the texts under `COLUMNS`.

    Args:
        bot: its name.
        levels: its rows at every level that it has played.

    """
    ratings = {level: rating_of(rows) for level, rows in levels.items()}
    hardest = ratings[max(levels, key=LEVELS.index)]
    cells = []
    for level in LEVELS:
        easiest = [row for row in levels.get(level, []) if row.handicap == 0]
        cells.append(str(ratings.get(level) or "-"))
        cells.append(f"{100 * mean(easiest[0].won):.1f} %" if easiest else "-")
    rows = [row for own in levels.values() for row in own]
    games = sum(len(row.won) for row in rows)
    time = milliseconds(sum(row.seconds for row in rows), sum(row.decisions for row in rows))
    return hardest.value if hardest else -math.inf, (bot, f"{games:,}", *cells, time)
