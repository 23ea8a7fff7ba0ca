"""The table of ``pocketmars leaderboard``."""

import math
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from pocketmars_agents.arena.statistics import mean
from pocketmars_agents.arena.text_table import TextTable, milliseconds
from pocketmars_agents.games.pocket_mars.bench import (
    Row,
    by_level,
    extrapolation_notes,
    plot_bench,
    rating_of,
)
from pocketmars_agents.games.pocket_mars.handicap_rating import HandicapRating
from pocketmars_agents.games.pocket_mars.leaderboard import Entry
from pocketmars_env.games.pocket_mars.config import LEVELS

COLUMNS = (
    "bot",
    "games",
    *chain.from_iterable((f"{level} [95 %]", "wins") for level in LEVELS),
    "ms/decision",
)
MEANING = (
    "The column of a level shows the handicap rating; the column `wins` after it shows the win rate at "
    "handicap 0."
)


def leaderboard_table(entries: Sequence[Entry]) -> TextTable:
    """Return the table of ``pocketmars leaderboard``: one row per bot, highest handicap ratings first.

    Each bot is ranked by its rating at the hardest level that it has played. Bots without a rating at that
    level come last.
    """
    bots: dict[str, dict[str, list[Row]]] = {}
    for rows in by_level(entry.row() for entry in entries):
        bots.setdefault(rows[0].bot, {})[rows[0].level] = rows
    ratings = {
        bot: {level: rating_of(rows) for level, rows in levels.items()} for bot, levels in bots.items()
    }
    lines = sorted(
        (line_of_bot(bot, levels, ratings[bot]) for bot, levels in bots.items()), key=lambda line: -line[0]
    )
    failed = {bot: sum(len(entry.failed) for entry in entries if entry.bot == bot) for bot in bots}
    notes = (
        f"{bot} failed in {games} games, which count as losses." for bot, games in failed.items() if games
    )
    starred = extrapolation_notes(rating for levels in ratings.values() for rating in levels.values())
    return TextTable(COLUMNS, 1, tuple(cells for _, cells in lines), (MEANING, *starred, *notes))


def plot_leaderboard(path: Path, entries: Sequence[Entry], title: str) -> None:
    """Write a plot of the handicap ratings, with the bots in the order of the table."""
    order = [row[0] for row in leaderboard_table(entries).rows]
    rows = sorted((entry.row() for entry in entries), key=lambda row: order.index(row.bot))
    plot_bench(path, rows, title)


def line_of_bot(
    bot: str, levels: dict[str, list[Row]], ratings: dict[str, HandicapRating | None]
) -> tuple[float, tuple[str, ...]]:
    """Return the sort key and the cells of a bot's row, given its `Row` objects and ratings by level."""
    hardest = ratings[max(levels, key=LEVELS.index)]
    cells = []
    for level in LEVELS:
        easiest = [row for row in levels.get(level, []) if row.handicap == 0]
        cells += [str(ratings.get(level) or "-"), f"{100 * mean(easiest[0].won):.1f} %" if easiest else "-"]
    rows = [row for level_rows in levels.values() for row in level_rows]
    games = sum(len(row.won) for row in rows)
    time = milliseconds(sum(row.seconds for row in rows), sum(row.decisions for row in rows))
    return hardest.value if hardest else -math.inf, (bot, f"{games:,}", *cells, time)
