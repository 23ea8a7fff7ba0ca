"""The arena: bots play each other on the same deals, in every seat."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.statistics import bootstrap_interval, mean, wilson_interval
from pocketmars_agents.arena.text_table import TextTable, failure_notes, milliseconds, percent, signed
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


@dataclass(frozen=True)
class Row:
    """A bot's results over all its seats in the games of one line-up.

    Attributes:
        bot: the bot's name.
        seats: the number of seats that the bot had in each game.
        players: the number of players in each game.
        games: the number of games.
        wins: the wins of all its seats together; a shared win counts as a fraction.
        margins: for each deal, the mean margin over its rotations and seats, see `GameResult.margin`.
        decisions: the bot's decisions in all games.
        seconds: the time for these decisions.

    """

    bot: str
    seats: int
    players: int
    games: int
    wins: float
    margins: Sequence[float]
    decisions: int
    seconds: float

    @classmethod
    def of(cls, places: Sequence[int], results: Sequence[GameResult]) -> "Row":
        """The row of the bot at the given places of the line-up."""
        margins: dict[int, list[float]] = {}
        wins, decisions, seconds = 0.0, 0, 0.0
        for result in results:
            for seat in (result.match.seat_of(place) for place in places):
                margins.setdefault(result.match.seed, []).append(result.margin(seat))
                wins += result.win_share(seat)
                decisions += result.decisions[seat]
                seconds += result.seconds[seat]
        match = results[0].match
        by_deal = [mean(values) for values in margins.values()]
        bot, players = match.bots[places[0]], match.config.players
        return cls(bot, len(places), players, len(results), round(wins, 6), by_deal, decisions, seconds)

    def cells(self, name: str) -> tuple[str, ...]:
        """The cells under `COLUMNS`, as text."""
        low, high = (bound / self.seats for bound in wilson_interval(self.wins, self.games))
        rate = self.wins / self.games / self.seats
        fair = self.players
        return (
            name,
            str(self.seats),
            f"{self.games:,}",
            f"{self.wins:,.1f}",
            percent(rate, (low, high)),
            f"{rate * fair:.2f} [{low * fair:.2f}, {high * fair:.2f}]",
            signed(mean(self.margins), bootstrap_interval(self.margins)),
            milliseconds(self.seconds, self.decisions),
        )


def arena_table(bots: Sequence[str], results: Sequence[GameResult]) -> TextTable:
    """The table of ``pocketmars arena``.

    Args:
        bots: the bots on the command line; the last one filled the remaining seats.
        results: all games of the line-up.

    """
    players = results[0].match.config.players
    rows = []
    for i in range(len(bots)):
        places = range(i, players) if i == len(bots) - 1 else range(i, i + 1)
        row = Row.of(places, results)
        again = sum(bot == row.bot for bot in results[0].match.bots[:i])
        rows.append(row.cells(f"{row.bot} ({again + 1})" if again else row.bot))
    fair = f"The fair share of a seat is 1/{players} of the wins ({100 / players:.1f} %), which is 1.00 x."
    return TextTable(COLUMNS, TEXT_COLUMNS, tuple(rows), (fair, *failure_notes(results)))
