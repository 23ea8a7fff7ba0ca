"""Assignment of people and bots to the seats of a game."""

from collections.abc import Mapping
from dataclasses import dataclass

from pocketmars_agents.arena.match_replays import AUTOMATON
from pocketmars_env.core.agent import Agent
from pocketmars_env.core.game_spec import Config

HUMAN = "human"
"""The name of every human player in replays."""


class SessionError(ValueError):
    """Raised if a `Seating` is invalid or a person's request is rejected; the game is unchanged."""


@dataclass(frozen=True)
class Seating:
    """The settings of a game, without the seed, and the player in each seat."""

    config: Config
    bots: Mapping[str, Agent]  # keyed by the name of their seat, such as ``"player_1"``
    humans: tuple[str, ...]  # the names of the seats that people play
    practice: bool = False  # whether undo is allowed; must be False if several people play
    hint: Agent | None = None  # gives hints

    def __post_init__(self) -> None:
        taken = [*self.humans, *self.bots]
        if sorted(taken) != sorted(self.to_play):
            raise SessionError(f"the seats to fill are {', '.join(self.to_play)}; got {', '.join(taken)}")
        if not self.humans:
            raise SessionError("at least one person must sit at the table")
        if self.practice and len(self.humans) > 1:
            raise SessionError("practice games are for one person")

    @property
    def to_play(self) -> tuple[str, ...]:
        """The names of the seats that people and bots play; the seats of automata are not included."""
        return tuple(self.config.seat_names[: self.config.seats_to_play])

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the player in each seat, including automata; every person has the name `HUMAN`."""
        names = [self.bots[seat].name if seat in self.bots else HUMAN for seat in self.to_play]
        return (*names, *[AUTOMATON] * (self.config.seats - len(names)))
