"""A game that is to be played: its settings, its deal, and who sits where."""

import hashlib
import json
import math
from dataclasses import dataclass, fields
from typing import Any

from pocketmars_env.core.game import check_seed
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.replays.replay import is_printable


@dataclass(frozen=True)
class Match:
    """A game between bots; two equal matches are the same game.

    Attributes:
        bots: their names, see `make_agent`. One for each seat that is asked: for each player, and for an
            automaton whose choices are asked of an agent.
        config: the game's settings, a `Config`.
        seed: the game's seed: the deal, and all later shuffles.
        rotation: by how many seats the bots are moved on: bot `i` sits in seat
            ``(i + rotation) % len(bots)``. 0 in games of one player.
        seconds_per_decision: the time limit, or None. A bot that exceeds it has lost.

    Raises:
        ValueError: says what does not fit.

    """

    bots: tuple[str, ...]
    config: Any
    seed: int
    rotation: int = 0
    seconds_per_decision: float | None = None

    def __post_init__(self) -> None:
        asked, players = self.config.asked_seats, self.config.players
        if len(self.bots) != asked or not all(is_printable(bot) for bot in self.bots):
            raise ValueError(f"{asked} names of bots are needed, all printable, got {self.bots!r}")
        if type(self.rotation) is not int or not 0 <= self.rotation < players:
            raise ValueError(f"rotation must be an integer in 0..{players - 1}, got {self.rotation!r}")
        limit = self.seconds_per_decision
        if limit is not None and not (type(limit) is float and 0 < limit < math.inf):
            raise ValueError(f"seconds_per_decision must be a number above 0 and finite, got {limit!r}")
        if type(self.seed) is not int:
            raise ValueError(f"seed must be an integer, got {self.seed!r}")
        check_seed(self.seed)

    def seat_of(self, i: int) -> int:
        """The seat of bot `i`."""
        return (i + self.rotation) % len(self.bots)

    def bot_at(self, seat: int) -> str:
        """The bot in a seat."""
        return self.bots[(seat - self.rotation) % len(self.bots)]

    def bot_seed(self, seat: int) -> int:
        """The stream (64 bits) of the bot in a seat: all its chance in this game.

        It depends on the bot's name and seat and on the game, not on the other bots.
        """
        parts = [self.bot_at(seat), self.config.as_dict(), self.seed, self.rotation, seat]
        return int.from_bytes(hashlib.sha256(json.dumps(parts).encode()).digest()[:8])

    def as_dict(self) -> dict[str, Any]:
        """The match as JSON-able data."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**data, "bots": list(self.bots), "config": self.config.as_dict()}

    @classmethod
    def from_dict(cls, data: Any, spec: GameSpec) -> "Match":
        """The match of what `as_dict` gave.

        Args:
            data: what it gave.
            spec: the game that is played.

        Raises:
            ValueError: if the data is anything else.

        """
        if not isinstance(data, dict) or set(data) != {field.name for field in fields(cls)}:
            raise ValueError("not a match")
        try:
            return cls(**{**data, "bots": tuple(data["bots"]), "config": spec.config(**data["config"])})
        except TypeError as error:
            raise ValueError(f"not a match: {error}") from error
