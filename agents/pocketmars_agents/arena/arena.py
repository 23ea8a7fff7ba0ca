"""The arena, in which bots play each deal against each other in every rotation of the seats."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.statistics import bootstrap_interval, mean, wilson_interval
from pocketmars_agents.arena.text_table import (
    Seats,
    TextTable,
    failure_notes,
    percent,
    signed,
    time_of,
    with_usage,
)
from pocketmars_agents.registry import checked_name
from pocketmars_env.core.game_spec import Config, default_game, spec_of
from pocketmars_env.core.settings import check_integer

DEFAULT_DEALS = 500
FIRST_SEED = 0xA7E4A << 32
"""The seed of deal 0; deal `i` has the seed ``FIRST_SEED + i``. Small seeds are avoided, because users often
choose them for their own games."""
MAX_DEAL = 2**32 - 1

COLUMNS = (
    "bot", "seats", "games", "wins", "wins of a seat [95 %]", "x fair share [95 %]",
    "mean margin [95 %]", "ms/decision",
)  # fmt: skip
TEXT_COLUMNS = 1


@dataclass(frozen=True)
class Deals:
    """The settings and deals of the games that a line-up of bots plays."""

    config: Config = field(default_factory=lambda: default_game().config())  # for two or more players
    count: int = DEFAULT_DEALS  # each deal is played in every rotation of the seats
    first: int = 0  # the number of the first deal, counted from 0
    seconds_per_decision: float | None = None  # the time limit of each decision; None for no limit

    def __post_init__(self) -> None:
        if self.config.players < 2:
            raise ValueError("the arena is for games of two players or more")
        check_integer("deals", self.count, 1, MAX_DEAL)
        check_integer("the first deal", self.first, 0, MAX_DEAL - self.count + 1)

    def matches(self, line_up: Sequence[str]) -> list[Match]:
        """Return one match for each deal and rotation, ordered by deal; `line_up` has one bot per seat."""
        return [
            Match(tuple(line_up), self.config, FIRST_SEED + deal, rotation, self.seconds_per_decision)
            for deal in range(self.first, self.first + self.count)
            for rotation in range(self.config.players)
        ]


def line_up_of(bots: Sequence[str], config: Config) -> tuple[str, ...]:
    """Return the canonical names of the bots, one per seat; the last of `bots` gets all remaining seats."""
    players = config.players
    if not 2 <= len(bots) <= players:
        accepted = f"2 to {players}" if players > 2 else "2"
        raise ValueError(f"a game of {players} players is for {accepted} bots, got {len(bots)}")
    names = [checked_name(bot, spec_of(config)) for bot in bots]
    return tuple(names + names[-1:] * (players - len(names)))


# --- the table ------------------------------------------------------------------------------------


def cells_of(name: str, seats: Seats, games: int) -> tuple[str, ...]:
    """Return the cells of a bot's row in the arena table; see `COLUMNS`.

    A shared win counts as a fraction. A deal's margin is the mean of `GameResult.margin` over the deal's
    rotations and the bot's seats. The confidence interval of the mean margin comes from a bootstrap over the
    deals.
    """
    margins: dict[int, list[float]] = {}
    for result, seat in seats:
        margins.setdefault(result.match.seed, []).append(result.margin(seat))
    by_deal = [mean(values) for values in margins.values()]
    wins = round(sum(result.win_share(seat) for result, seat in seats), 6)
    places, fair = len(seats) // games, seats[0][0].match.config.players
    low, high = (bound / places for bound in wilson_interval(wins, games))
    rate = wins / games / places
    return (
        name,
        str(places),
        f"{games:,}",
        f"{wins:,.1f}",
        percent(rate, (low, high)),
        f"{rate * fair:.2f} [{low * fair:.2f}, {high * fair:.2f}]",
        signed(mean(by_deal), bootstrap_interval(by_deal)),
        time_of(seats),
    )


def arena_table(bots: Sequence[str], results: Sequence[GameResult]) -> TextTable:
    """Return the table of ``pocketmars arena``: one row per bot; the last bot has all remaining seats."""
    line_up, players = results[0].match.bots, results[0].match.config.players
    rows, seats = [], []
    for i in range(len(bots)):
        indices = range(i, players) if i == len(bots) - 1 else range(i, i + 1)
        again = line_up[:i].count(line_up[i])
        seats.append([(result, result.match.seat_of(index)) for result in results for index in indices])
        name = f"{line_up[i]} ({again + 1})" if again else line_up[i]
        rows.append(cells_of(name, seats[-1], len(results)))
    fair = (
        f"A seat's fair share is 1/{players} of the wins ({100 / players:.1f} %), "
        "which is 1.00 in the column `x fair share`."
    )
    text_table = TextTable(COLUMNS, TEXT_COLUMNS, tuple(rows), (fair, *failure_notes(results)))
    return with_usage(text_table, seats)
