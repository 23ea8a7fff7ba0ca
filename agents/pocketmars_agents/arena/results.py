"""Game results and their JSON lines."""

import json
from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import asdict, replace

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.game_bots import current_name
from pocketmars_env.core import gate
from pocketmars_env.core.game_spec import GameSpec

LARGEST = 10**12
"""Upper bound on scores, decision counts, seconds, action numbers and usage counts; no game reaches it."""
Count = Annotated[int, Meta(ge=0, le=LARGEST)]


class Failure(gate.Record):
    """A bot's failure, which ended the game early and counts as a loss for this bot."""

    seat: int
    reason: str  # the illegal action, exception or exceeded time limit, in words


class GameResult(gate.Record):
    """The result of one finished game, and the format of a line in a results file, a JSON object.

    `scores`, `decisions` and `seconds` have one entry per seat, including the seats of automata. The decision
    in which a bot failed counts only for `seconds`, if the bot returned an action (too late, or an illegal
    one).
    """

    match: Match
    winners: tuple[int, ...]  # ascending; they share the win. If a bot failed, all other seats are winners
    scores: tuple[Count, ...]
    truncated: bool  # whether the round limit ended the game
    decisions: tuple[Count, ...]
    seconds: tuple[Annotated[float, Meta(ge=0, le=LARGEST)], ...]  # total decision times
    failure: Failure | None = None  # ended the game
    usage: tuple[Annotated[tuple[Count, ...], Meta(min_length=4, max_length=4)], ...] = ()
    """The counts of a `Usage` for each seat; empty if no language model was called."""
    actions: tuple[Count, ...] = ()  # empty if none was played, or if the results file has no actions

    def win_share(self, seat: int) -> float:
        """Return the seat's share of the win, from 0 to 1."""
        return (seat in self.winners) / len(self.winners)

    def margin(self, seat: int) -> float:
        """Return the seat's score minus the mean score of the other seats, including automata."""
        score = self.scores[seat]
        return score - (sum(self.scores) - score) / (len(self.scores) - 1)

    def to_line(self) -> bytes:
        """Return the result as a JSON line, without the key ``actions`` if there are no actions."""
        failure = self.failure and asdict(self.failure)
        data = {**asdict(self), "match": self.match.as_dict(), "failure": failure}
        if not self.actions:
            del data["actions"]
        return line_of(data)

    @classmethod
    def from_line(cls, line: bytes, spec: GameSpec) -> Self:
        """Return the result of a game of `spec` in a JSON line; raise a ValueError if the line is invalid.

        Earlier names of bots are replaced by the current names.
        """
        data = gate.decode(line, dict[str, Any], "the result")
        match = gate.checked(data.get("match"), dict[str, Any], "the match")
        data["match"] = {**match, "config": spec.config_of(match.get("config"))}
        result = gate.checked(data, cls, "the result")
        result.check()
        bots = tuple(map(current_name, result.match.bots))
        return replace(result, match=replace(result.match, bots=bots))

    def check(self) -> None:
        """Raise a ValueError unless the numbers fit the seats, and the winners fit the scores or the failure.

        Tie-breakers are not saved, so winners can be some of the seats with the highest score.
        """
        seats = self.match.config.seats
        if {len(self.scores), len(self.decisions), len(self.seconds), len(self.usage) or seats} != {seats}:
            raise ValueError(
                f"scores, decisions, seconds and usage must have an entry for each of {seats} seats"
            )
        if self.actions and len(self.actions) != sum(self.decisions):
            raise ValueError(f"actions must be {sum(self.decisions)}, one for each decision")
        if self.failure is None:
            best = {seat for seat in range(seats) if self.scores[seat] == max(self.scores)}
            are_sound = {*self.winners} <= best and list(self.winners) == sorted({*self.winners}) != []
        else:
            others = [seat for seat in range(seats) if seat != self.failure.seat]
            are_sound = list(self.winners) == others and len(others) < seats
        if not are_sound:
            raise ValueError(f"winners do not fit the scores or the failure, got {list(self.winners)}")


def line_of(data: dict[str, Any]) -> bytes:
    return json.dumps(data, allow_nan=False).encode() + b"\n"
