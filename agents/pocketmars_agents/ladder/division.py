"""Divisions of the ladder: which games a new entry plays, and against whom."""

from collections.abc import Mapping
from dataclasses import dataclass

from pocketmars_env.core.game_spec import Config, GameSpec, spec_of

FIRST_SEED = 0x1ADDE5 << 32
"""The seed of the first public deal of most divisions."""
SEARCHES = (
    "puct:10", "ismcts:30", "mmd:10", "puct:30", "ismcts:100", "mmd:30", "puct:100", "ismcts:300", "mmd:100",
)  # fmt: skip
"""The searches in all divisions, fast ones first; all can play 1,000 games against each bot."""


@dataclass(frozen=True, kw_only=True)
class Division:
    """A division of the ladder, with a ranking of its own.

    An entry takes one seat, and its opponent takes all other seats. In a game that is played alone, an
    opponent is only a name for settings, such as a level of the game's automaton.
    """

    name: str  # in commands and files
    title: str
    opponents: Mapping[str, Config]  # of a new entry, with the settings of the games
    bots: tuple[str, ...]  # of this package, in an order in which each of them plays all before it
    first_seed: int  # of the deals that the bots of this package play

    @property
    def config(self) -> Config:
        """The settings of some games of the division; the others have the same number of seats."""
        return next(iter(self.opponents.values()))

    @property
    def spec(self) -> GameSpec:
        return spec_of(self.config)

    @property
    def is_alone(self) -> bool:
        """Whether an entry is the only one who chooses actions."""
        return self.config.seats_to_play == 1

    @property
    def sides(self) -> int:
        """The number of bots in a game, including the opponent's settings in a game that is played alone."""
        return 2 if self.is_alone else self.config.players

    def opponents_of(self, entry: str) -> Mapping[str, Config]:
        """Return the opponents of a new entry or of a bot of this package, with the settings of the games."""
        if self.is_alone or entry not in self.bots:
            return self.opponents
        return dict.fromkeys(self.bots[: self.bots.index(entry)], self.config)
