"""The benchmark: bots against Devious Automatics on the deals of a suite.

A bot's chance comes from a stream of its own, which depends on the bot's name and the game alone:
results depend neither on the number of processes nor on the order in which the games are played.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.base import checked_name
from agents.matches import Match
from agents.results import GameResult
from agents.shipped import SOLO, can_play_policies
from agents.statistics import bootstrap_interval, mean, wilson_interval
from agents.suites import DA_1, Suite
from agents.tables import Table, failure_notes, milliseconds, percent, signed
from pocketmars_env.engine.config import LEVELS, check_choice
from pocketmars_env.engine.constants import DA_SEAT, PLAYER_SEAT

DEFAULT_BOTS = ("random", "greedy", *((SOLO,) if can_play_policies() else ()))
DEFAULT_GAMES = 5_000
AUTOMATON = "automaton"
"""Who decides for Devious Automatics in the game as it is in the box: the engine itself."""

COLUMNS = (
    "bot", "DA level", "games", "wins", "win rate [95 %]", "mean margin [95 %]", "ms/decision",
)  # fmt: skip
TEXT_COLUMNS = 2


@dataclass(frozen=True)
class Plan:
    """What is to be played: every bot on the first deals of the suite at every level.

    Attributes:
        bots: their names.
        levels: of Devious Automatics.
        games: how many deals.
        da: who decides for Devious Automatics: ``"automaton"``, or the name of a bot.
        seconds_per_decision: the bots' time limit, or None.
        suite: whose deals are played.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    bots: tuple[str, ...] = DEFAULT_BOTS
    levels: tuple[str, ...] = LEVELS
    games: int = DEFAULT_GAMES
    da: str = AUTOMATON
    seconds_per_decision: float | None = None
    suite: Suite = DA_1

    def __post_init__(self) -> None:
        if not self.bots or not self.levels:
            raise ValueError("at least one bot and one level are needed")
        for level in self.levels:
            check_choice("level", level, LEVELS)
        if type(self.games) is not int or not 1 <= self.games <= self.suite.deals:
            raise ValueError(f"games must be an integer in 1..{self.suite.deals}, got {self.games!r}")
        settled = {
            "bots": tuple(dict.fromkeys(checked_name(bot) for bot in self.bots)),
            "levels": tuple(dict.fromkeys(self.levels)),
            "da": self.da if self.da == AUTOMATON else checked_name(self.da),
        }
        for setting, value in settled.items():
            object.__setattr__(self, setting, value)

    def matches(self) -> list[Match]:
        """All games: bot by bot, level by level, deal by deal."""
        is_asked = self.da != AUTOMATON
        return [
            Match(
                bots=(bot, self.da) if is_asked else (bot,),
                config=self.suite.config(level, da_agent=is_asked),
                seed=self.suite.seed(deal),
                seconds_per_decision=self.seconds_per_decision,
            )
            for bot in self.bots
            for level in self.levels
            for deal in range(self.games)
        ]


# --- the table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What a bot did at a level.

    Attributes:
        bot: its name.
        level: of Devious Automatics.
        margins: of every game, the points of the bot minus those of Devious Automatics.
        wins: games won; a tie with Devious Automatics is a loss.
        decisions: answers in all games.
        seconds: time they took.

    """

    bot: str
    level: str
    margins: Sequence[int]
    wins: int
    decisions: int
    seconds: float

    @classmethod
    def of(cls, results: Sequence[GameResult]) -> "Row":
        """The row of all games of a bot at a level."""
        first = results[0].match
        return cls(
            bot=first.bots[0],
            level=first.config.level or "",
            margins=[result.scores[PLAYER_SEAT] - result.scores[DA_SEAT] for result in results],
            wins=sum(result.winners == (PLAYER_SEAT,) for result in results),
            decisions=sum(result.decisions[PLAYER_SEAT] for result in results),
            seconds=sum(result.seconds[PLAYER_SEAT] for result in results),
        )

    def cells(self) -> tuple[str, ...]:
        """The texts under `COLUMNS`."""
        games = len(self.margins)
        return (
            self.bot,
            self.level,
            f"{games:,}",
            f"{self.wins:,}",
            percent(self.wins / games, wilson_interval(self.wins, games)),
            signed(mean(self.margins), bootstrap_interval(self.margins)),
            milliseconds(self.seconds, self.decisions),
        )


def rows_of(results: Iterable[GameResult]) -> list[Row]:
    """A row for each bot and level, in the order of their first games."""
    groups: dict[tuple[str, str | None], list[GameResult]] = {}
    for result in results:
        groups.setdefault((result.match.bots[0], result.match.config.level), []).append(result)
    return [Row.of(group) for group in groups.values()]


def bench_table(results: Sequence[GameResult]) -> Table:
    """What ``pocketmars bench`` prints."""
    rows = tuple(row.cells() for row in rows_of(results))
    return Table(COLUMNS, TEXT_COLUMNS, rows, failure_notes(results))
