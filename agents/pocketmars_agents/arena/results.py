"""Game results and their JSON lines."""

import json
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.game_bots import current_name
from pocketmars_agents.usage import check_usages
from pocketmars_env.core.errors import error_text
from pocketmars_env.core.files.reading import parse_json
from pocketmars_env.core.game_spec import GameSpec


@dataclass(frozen=True)
class Failure:
    """A bot's failure, which ended the game early and counts as a loss for this bot.

    Attributes:
        seat: the bot's seat.
        reason: the illegal action, exception or exceeded time limit, in words.

    """

    seat: int
    reason: str


@dataclass(frozen=True)
class GameResult:
    """The result of one finished game.

    `scores`, `decisions` and `seconds` have one entry per seat, including the seats of automata.

    Attributes:
        match: the game that was played.
        winners: the winning seats, ascending; they share the win. If a bot failed, all other seats are
            winners.
        scores: the scores when the game ended, normally or because of a failure.
        truncated: whether the round limit ended the game.
        decisions: the number of decisions, not counting the one in which a bot failed.
        seconds: the total decision time in seconds. The decision in which a bot failed counts only if the bot
            returned an action (too late, or an illegal one).
        failure: the failure that ended the game, or None.
        usage: the counts of a `Usage` for each seat; empty if no language model was called.
        actions: all actions in order; empty if none was played, or if the results file has no actions.

    """

    match: Match
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    truncated: bool
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    failure: Failure | None = None
    usage: tuple[tuple[int, ...], ...] = ()
    actions: tuple[int, ...] = field(default=(), repr=False)

    def win_share(self, seat: int) -> float:
        """Return the seat's share of the win, from 0 to 1."""
        return (seat in self.winners) / len(self.winners)

    def margin(self, seat: int) -> float:
        """Return the seat's score minus the mean score of the other seats, including automata."""
        score = self.scores[seat]
        return score - (sum(self.scores) - score) / (len(self.scores) - 1)

    def to_line(self) -> bytes:
        """Return the result as a JSON line, without the key ``actions`` if there are no actions."""
        data = {**vars(self), "match": self.match.as_dict(), "failure": self.failure and asdict(self.failure)}
        return line_of(data if self.actions else {name: data[name] for name in NAMES_WITHOUT_ACTIONS})

    @classmethod
    def from_line(cls, line: bytes, spec: GameSpec) -> Self:
        """Parse a line written by `to_line`; raise a ValueError unless it is a result of the game `spec`.

        Earlier names of bots are replaced by the current names.
        """
        data = parse_json(line)
        if not isinstance(data, dict) or tuple(data) not in (NAMES, NAMES_WITHOUT_ACTIONS):
            raise ValueError("not a finished game")
        try:
            data = {**data, "usage": tuple(map(tuple, data["usage"]))}
            lists = {name: tuple(data[name]) for name in LISTS if name in data}
            failure = None if data["failure"] is None else Failure(**data["failure"])
            match = Match.from_dict(data["match"], spec)
            result = cls(**{**data, **lists, "match": match, "failure": failure})
            result.check()
        except TypeError as error:
            raise ValueError(f"not a finished game: {error_text(error)}") from error
        if result.to_line() != line:
            raise ValueError("a value is not in canonical form")
        bots = tuple(map(current_name, match.bots))
        return result if bots == match.bots else replace(result, match=replace(match, bots=bots))

    def check(self) -> None:
        """Raise a ValueError if any field is invalid; the message names the first invalid field."""
        seats = self.match.config.seats
        for name in ("scores", "decisions"):
            if not are_numbers(getattr(self, name), seats, int):
                raise ValueError(f"{name} must be {seats} integers in 0..{LARGEST}")
        if not are_numbers(self.seconds, seats, float):
            raise ValueError(f"seconds must be {seats} numbers in 0..{LARGEST}")
        check_usages(self.usage, seats)
        if self.actions and not are_numbers(self.actions, sum(self.decisions), int):
            raise ValueError("actions must be one integer for each decision")
        if type(self.truncated) is not bool:
            raise ValueError("truncated must be true or false")
        if self.failure is not None:
            seat, reason = self.failure.seat, self.failure.reason
            if type(seat) is not int or seat not in range(seats) or not isinstance(reason, str):
                raise ValueError("the failure must name a seat and a reason")
            others = tuple(other for other in range(seats) if other != seat)
            if self.winners != others:
                raise ValueError("when a bot failed, all other seats must be the winners")
        elif not self._winners_are_sound():
            raise ValueError("winners must be seats that fit the scores, ascending")

    def _winners_are_sound(self) -> bool:
        """Return whether the winners are one or more seats in ascending order, all with the highest score.

        Tie-breakers are not saved, so they are not checked.
        """
        if not self.winners or list(self.winners) != sorted({*self.winners}):
            return False
        if not all(type(seat) is int and seat in range(len(self.scores)) for seat in self.winners):
            return False
        return all(self.scores[seat] == max(self.scores) for seat in self.winners)


LARGEST = 10**12
"""Upper bound on scores, decision counts, seconds and action numbers; no game reaches it."""
NAMES = tuple(field.name for field in fields(GameResult))
"""The keys of a JSON line with actions, in order."""
NAMES_WITHOUT_ACTIONS = NAMES[:-1]
"""The keys of a JSON line without actions, in order."""
LISTS = ("winners", "scores", "decisions", "seconds", "actions")
"""Fields that are lists of numbers in JSON and tuples in Python."""


def are_numbers(values: tuple[Any, ...], count: int, kind: type[int] | type[float]) -> bool:
    """Return whether `values` are `count` numbers of the type `kind`, in 0..`LARGEST`."""
    return len(values) == count and all(type(value) is kind and 0 <= value <= LARGEST for value in values)


def line_of(data: dict[str, Any]) -> bytes:
    return json.dumps(data, allow_nan=False).encode() + b"\n"
