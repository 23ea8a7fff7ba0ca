"""The benchmark, in which bots play a suite (a fixed list of deals) against Devious Automatics (DA).

Each bot has its own random stream in each game; the stream depends only on the bot's name, its seat and the
game. Apart from decision times, the results therefore do not depend on the number of processes or the order
of the games, unless a time limit affects a game, or a bot is not reproducible (for example, a language model
or a search with a time budget).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.plots import Point, plot_points
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.statistics import bootstrap_interval, mean, wilson_interval
from pocketmars_agents.arena.text_table import (
    TextTable,
    failure_notes,
    milliseconds,
    percent,
    signed,
    with_usage,
)
from pocketmars_agents.games.pocket_mars.bots import SOLO, can_play_policies
from pocketmars_agents.games.pocket_mars.handicap_rating import HandicapRating, handicap_rating
from pocketmars_agents.games.pocket_mars.suites import DA_2, Suite
from pocketmars_agents.registry import checked_name
from pocketmars_env.core.settings import check_choice, check_integer
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, PLAYER_SEAT
from pocketmars_env.games.pocket_mars.spec import SPEC

DEFAULT_BOTS = ("random", "greedy", *((SOLO,) if can_play_policies() else ()))
DEFAULT_GAMES = 1_000
AUTOMATON = "automaton"
"""Name of the DA's policy from the printed rules; the game executes this policy without an agent."""

EXTRAPOLATED = (
    "A rating with a star is extrapolated: with this shift of the DA's score, which the bot did not see, it "
    "would have won half of its games at handicap 0."
)

COLUMNS = (
    "bot", "DA level", "handicap", "games", "wins", "win rate [95 %]", "mean margin [95 %]", "ms/decision",
)  # fmt: skip
"""Columns of the table for a single handicap."""
TEXT_COLUMNS = 2


@dataclass(frozen=True)
class Plan:
    """The games of a benchmark: each bot plays the first `games` deals of `suite` at each level and handicap.

    Attributes:
        bots: the names of the bots.
        levels: levels of Devious Automatics.
        games: the number of deals; a bot plays each deal once per level and handicap.
        da: the name of the bot in the DA's seat, or ``"automaton"`` for the policy from the rules.
        seconds_per_decision: the time limit for each decision in seconds, or None for no limit.
        suite: the suite of deals.
        handicaps: the handicaps to play, each a number of points added to the DA's score; by default, the
            handicaps of `DA_2`.

    Raises:
        ValueError: if a setting is invalid; `seconds_per_decision` is checked only by `matches`.

    """

    bots: tuple[str, ...] = DEFAULT_BOTS
    levels: tuple[str, ...] = LEVELS
    games: int = DEFAULT_GAMES
    da: str = AUTOMATON
    seconds_per_decision: float | None = None
    suite: Suite = DA_2
    handicaps: tuple[int, ...] = DA_2.handicaps

    def __post_init__(self) -> None:
        if not self.bots or not self.levels or not self.handicaps:
            raise ValueError("at least one bot, one level and one handicap are needed")
        for level in self.levels:
            check_choice("level", level, LEVELS)
        for handicap in self.handicaps:
            self.suite.config(self.levels[0], handicap)  # raises an error if the handicap is out of range
        check_integer("deals", self.games, 1, self.suite.deals)
        settled = {
            "bots": tuple(dict.fromkeys(checked_name(bot, SPEC) for bot in self.bots)),
            "levels": tuple(dict.fromkeys(self.levels)),
            "handicaps": tuple(sorted({*self.handicaps})),
            "da": self.da if self.da == AUTOMATON else checked_name(self.da, SPEC),
        }
        for setting, value in settled.items():
            object.__setattr__(self, setting, value)

    def matches(self) -> list[Match]:
        """Return all games, ordered by bot, level, handicap and deal."""
        is_to_play = self.da != AUTOMATON
        return [
            Match(
                bots=(bot, self.da) if is_to_play else (bot,),
                config=self.suite.config(level, handicap, is_to_play),
                seed=self.suite.seed(deal),
                seconds_per_decision=self.seconds_per_decision,
            )
            for bot in self.bots
            for level in self.levels
            for handicap in self.handicaps
            for deal in range(self.games)
        ]


# --- the table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """The results of a bot at one level and handicap."""

    bot: str  # the name of the bot
    level: str  # the level of Devious Automatics
    handicap: int  # the number of points added to the DA's score
    deals: Sequence[int]  # for each game, a number that identifies its deal, such as the seed
    # for each game, the bot's points minus the DA's points, which include the handicap
    margins: Sequence[int]
    won: Sequence[bool]  # for each game, whether the bot won; a tie is a loss
    failed: Sequence[bool]  # for each game, whether the bot failed, which is a loss whatever the margin
    decisions: int  # the number of the bot's decisions in all games
    seconds: float  # the total time of these decisions in seconds

    @classmethod
    def of(cls, results: Sequence[GameResult]) -> "Row":
        """Return the row for one or more results of a bot at one level and handicap."""
        first = results[0].match
        return cls(
            bot=first.bots[0],
            level=first.config.level or "",
            handicap=first.config.handicap,
            deals=[result.match.seed for result in results],
            margins=[result.scores[PLAYER_SEAT] - result.scores[DA_SEAT] for result in results],
            won=[result.winners == (PLAYER_SEAT,) for result in results],
            failed=[result.failure is not None and result.failure.seat == PLAYER_SEAT for result in results],
            decisions=sum(result.decisions[PLAYER_SEAT] for result in results),
            seconds=sum(result.seconds[PLAYER_SEAT] for result in results),
        )

    @property
    def wins(self) -> int:
        return sum(self.won)

    @property
    def win_rate(self) -> str:
        """The win rate with its 95 % interval, as text."""
        return percent(self.wins / len(self.won), wilson_interval(self.wins, len(self.won)))

    @property
    def mean_margin(self) -> str:
        """The mean margin with its 95 % interval, as text."""
        return signed(mean(self.margins), bootstrap_interval(self.margins))

    def cells(self) -> tuple[str, ...]:
        """Return the cells of the row as text, in the order of `COLUMNS`."""
        return (
            self.bot,
            self.level,
            str(self.handicap),
            f"{len(self.won):,}",
            f"{self.wins:,}",
            self.win_rate,
            self.mean_margin,
            milliseconds(self.seconds, self.decisions),
        )


def rows_of(results: Iterable[GameResult]) -> list[Row]:
    """Return one row per combination of bot, level and handicap, in the order of their first results."""
    groups: dict[tuple[object, ...], list[GameResult]] = {}
    for result in results:
        config = result.match.config
        groups.setdefault((result.match.bots[0], config.level, config.handicap), []).append(result)
    return [Row.of(group) for group in groups.values()]


def rating_of(rows: Iterable[Row]) -> HandicapRating | None:
    """Return the handicap rating from a bot's rows at one level; None if all rows have the same handicap."""
    games = [
        (deal, row.handicap, is_won, -math.inf if has_failed else margin)
        for row in rows
        for deal, is_won, has_failed, margin in zip(row.deals, row.won, row.failed, row.margins, strict=True)
    ]
    return handicap_rating(*zip(*games))


def by_level(rows: Iterable[Row]) -> list[list[Row]]:
    """Return the rows grouped by bot and level; each group is sorted by handicap."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.handicap):
        groups.setdefault((row.bot, row.level), []).append(row)
    return list(groups.values())


def bench_table(results: Sequence[GameResult]) -> TextTable:
    """Return the table of ``pocketmars bench``, with handicap ratings if there are several handicaps."""
    rows, notes = rows_of(results), failure_notes(results)
    lowest = min(row.handicap for row in rows)
    if lowest == max(row.handicap for row in rows):
        text_table = TextTable(COLUMNS, TEXT_COLUMNS, tuple(row.cells() for row in rows), notes)
        return with_usage(text_table, [seats_of_row(row, results) for row in rows])
    columns = (
        "bot",
        "DA level",
        "deals",
        f"win rate at {lowest} [95 %]",
        f"mean margin at {lowest} [95 %]",
        "handicap rating [95 %]",
        "ms/decision",
    )
    groups = by_level(rows)
    ratings = [rating_of(group) for group in groups]
    cells = tuple(
        (
            group[0].bot,
            group[0].level,
            f"{len(group[0].deals):,}",
            group[0].win_rate,
            group[0].mean_margin,
            str(rating),
            milliseconds(sum(row.seconds for row in group), sum(row.decisions for row in group)),
        )
        for group, rating in zip(groups, ratings)
    )
    if any(rating and rating.is_extrapolated for rating in ratings):
        notes = (EXTRAPOLATED, *notes)
    text_table = TextTable(columns, TEXT_COLUMNS, cells, notes)
    return with_usage(text_table, [seats_of_row(group[0], results) for group in groups])


def plot_bench(path: Path, rows: Sequence[Row], title: str) -> None:
    """Write a plot of the handicap ratings or, if all rows have the same handicap, of the win rates."""
    if len(handicaps := {row.handicap for row in rows}) > 1:
        points = [point_of(group[0], rating) for group in by_level(rows) if (rating := rating_of(group))]
        axis = "handicap rating: points of the DA's score, with 95 % intervals"
        if any(point.is_hollow for point in points):
            axis += "\n(hollow: extrapolated from the margins at handicap 0)"
    else:
        intervals = [wilson_interval(row.wins, len(row.won)) for row in rows]
        points = [
            Point(row.bot, row.level, 100 * row.wins / len(row.won), (100 * low, 100 * high))
            for row, (low, high) in zip(rows, intervals)
        ]
        axis = f"win rate at handicap {min(handicaps)} in %, with 95 % intervals"
    plot_points(path, points, title, axis)


def point_of(row: Row, rating: HandicapRating) -> Point:
    """Return a rating for a plot; one outside the range of handicaps is drawn at the end of the range."""
    if rating.is_extrapolated:
        return Point(row.bot, row.level, rating.value, rating.interval, is_hollow=True)
    value, low, high = (
        min(max(number, rating.played[0]), rating.played[1]) for number in (rating.value, *rating.interval)
    )
    is_inside = value == rating.value
    return Point(row.bot, row.level, value, (low, high), text="" if is_inside else str(rating).split(" [")[0])


def seats_of_row(row: Row, results: Iterable[GameResult]) -> list[tuple[GameResult, int]]:
    """Return the results of the row's bot at the row's level, at all handicaps, each with the bot's seat."""
    key = (row.bot, row.level)
    return [
        (result, PLAYER_SEAT)
        for result in results
        if (result.match.bots[0], result.match.config.level or "") == key
    ]
