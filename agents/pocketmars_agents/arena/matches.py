"""Matches, which specify the bots, settings, seeds and seating of games played by bots."""

import hashlib
import json
import sys
from typing import Any

from msgspec.structs import asdict

from pocketmars_agents.line_protocol.exec_agent import stream_name
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.gate import Record
from pocketmars_env.core.seeds import MAX_SEED
from pocketmars_env.core.settings import check_integer
from pocketmars_env.replays.replay import is_printable


class Match(Record):
    """The specification of one game played by bots. Equal matches specify the same game.

    Bot `i` sits in seat ``(i + rotation) % len(bots)``; in games of one player, the rotation is 0. A bot that
    exceeds the time limit of a decision, if there is one, loses the game.
    """

    bots: tuple[str, ...]  # names (see `make_agent`), one for each seat that makes decisions
    config: Any  # the game's settings, a `Config`
    seed: int  # determines all random events of the game
    rotation: int = 0
    seconds_per_decision: float | None = None

    def __post_init__(self) -> None:
        to_play, players = self.config.seats_to_play, self.config.players
        if len(self.bots) != to_play or not all(is_printable(bot) for bot in self.bots):
            raise ValueError(f"bots must be printable names, {to_play} in total, got {quoted(self.bots)}")
        check_integer("rotation", self.rotation, 0, players - 1)
        limit = self.seconds_per_decision
        if limit is not None and not 0 < limit <= sys.float_info.max:
            raise ValueError(f"seconds_per_decision must be a finite number above 0, got {quoted(limit)}")
        check_integer("seed", self.seed, 0, MAX_SEED)

    def seat_of(self, i: int) -> int:
        """Return the seat of bot `i`."""
        return (i + self.rotation) % len(self.bots)

    def bot_at(self, seat: int) -> str:
        """Return the name of the bot in a seat."""
        return self.bots[(seat - self.rotation) % len(self.bots)]

    def bot_seed(self, seat: int) -> int:
        """Return the 64-bit seed of the random stream of the bot in a seat.

        The seed depends on the bot's name, the seat, and the match's settings, seed and rotation, but not on
        the other bots or the time limit. A bot ``exec:… engine BOT`` has the same seed as BOT itself.
        """
        parts = [stream_name(self.bot_at(seat)), self.config.as_dict(), self.seed, self.rotation, seat]
        return int.from_bytes(hashlib.sha256(json.dumps(parts).encode()).digest()[:8])

    def as_dict(self) -> dict[str, Any]:
        """Return the match as JSON-serializable data."""
        return {**asdict(self), "bots": list(self.bots), "config": self.config.as_dict()}
