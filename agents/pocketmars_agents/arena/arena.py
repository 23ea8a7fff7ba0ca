"""The arena: bots play each other on the same deals, in every seat."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.statistics import bootstrap_interval, mean, wilson_interval
from pocketmars_agents.arena.text_table import TextTable, failure_notes, milliseconds, percent, signed
from pocketmars_agents.arena.usage_columns import with_usage
from pocketmars_agents.registry import checked_name
from pocketmars_env.core.game_spec import Config, default_game

DEFAULT_DEALS = 500
FIRST_SEED = 0xA7E4A << 32
"""The seed of deal 0; deal `i` has this seed + i. It is far from the small seeds used in training."""
MAX_DEAL = 2**32 - 1

COLUMNS = (
    "bot", "seats", "games", "wins", "wins of a seat [95 %]", "x fair share [95 %]",
    "mean margin [95 %]", "ms/decision",
)  # fmt: skip
TEXT_COLUMNS = 1


@dataclass(frozen=True)
class Deals:
    """The deals that a line-up of bots plays.

    Attributes:
        config: the game's settings, for two or more players.
        count: the number of deals; each is played in every rotation of the seats.
        first: the number of the first deal.
        seconds_per_decision: the bots' time limit, or None.

    Raises:
        ValueError: for an invalid setting; the message names it and the accepted values.

    """

    config: Config = field(default_factory=lambda: default_game().config())
    count: int = DEFAULT_DEALS
    first: int = 0
    seconds_per_decision: float | None = None

    def __post_init__(self) -> None:
        if self.config.players < 2:
            raise ValueError("the arena is for games of two players or more")
        if type(self.count) is not int or self.count < 1:
            raise ValueError(f"deals must be an integer of at least 1, got {self.count!r}")
        last = MAX_DEAL - self.count + 1
        if type(self.first) is not int or not 0 <= self.first <= last:
            raise ValueError(f"the first deal must be an integer in 0..{last}, got {self.first!r}")

    def matches(self, line_up: Sequence[str]) -> list[Match]:
        """One match for each deal and rotation, deal by deal.

        Args:
            line_up: one bot per seat.

        """
        return [
            Match(tuple(line_up), self.config, FIRST_SEED + deal, rotation, self.seconds_per_decision)
            for deal in range(self.first, self.first + self.count)
            for rotation in range(self.config.players)
        ]


def line_up_of(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """One bot per seat: the bots in their order; the last one fills the remaining seats.

    Raises:
        ValueError: for fewer than two bots, more bots than seats, or an unknown bot.

    """
    if not 2 <= len(bots) <= players:
        raise ValueError(f"a game of {players} players is for 2 to {players} bots, got {len(bots)}")
    names = [checked_name(bot) for bot in bots]
    return tuple(names + names[-1:] * (players - len(names)))


# --- the table ------------------------------------------------------------------------------------


def cells_of(name: str, places: Sequence[int], results: Sequence[GameResult]) -> tuple[str, ...]:
    """The cells under `COLUMNS` of a bot, over all its seats in the games of one line-up.

    A shared win counts as a fraction. The margin's interval is over deals: for each deal, the mean over its
    rotations and seats.

    Args:
        name: the bot's name in the table.
        places: the bot's places in the line-up.
        results: all games of the line-up.

    """
    margins: dict[int, list[float]] = {}
    wins, decisions, seconds = 0.0, 0, 0.0
    for result in results:
        for seat in (result.match.seat_of(place) for place in places):
            margins.setdefault(result.match.seed, []).append(result.margin(seat))
            wins += result.win_share(seat)
            decisions += result.decisions[seat]
            seconds += result.seconds[seat]
    by_deal = [mean(values) for values in margins.values()]
    wins, games, seats, fair = round(wins, 6), len(results), len(places), results[0].match.config.players
    low, high = (bound / seats for bound in wilson_interval(wins, games))
    rate = wins / games / seats
    return (
        name,
        str(seats),
        f"{games:,}",
        f"{wins:,.1f}",
        percent(rate, (low, high)),
        f"{rate * fair:.2f} [{low * fair:.2f}, {high * fair:.2f}]",
        signed(mean(by_deal), bootstrap_interval(by_deal)),
        milliseconds(seconds, decisions),
    )


def arena_table(bots: Sequence[str], results: Sequence[GameResult]) -> TextTable:
    """The table of ``pocketmars arena``.

    Args:
        bots: the bots on the command line; the last one filled the remaining seats.
        results: all games of the line-up.

    """
    line_up, players = results[0].match.bots, results[0].match.config.players
    rows, seats = [], []
    for i in range(len(bots)):
        places = range(i, players) if i == len(bots) - 1 else range(i, i + 1)
        bot = line_up[i]
        again = line_up[:i].count(bot)
        seats.append([(result, result.match.seat_of(place)) for result in results for place in places])
        rows.append(cells_of(f"{bot} ({again + 1})" if again else bot, places, results))
    fair = f"The fair share of a seat is 1/{players} of the wins ({100 / players:.1f} %), which is 1.00 x."
    table = TextTable(COLUMNS, TEXT_COLUMNS, tuple(rows), (fair, *failure_notes(results)))
    return with_usage(table, seats)
