"""Finished games, and the JSON lines that keep them."""

import json
from dataclasses import dataclass, field, fields
from typing import Any, Self

from pocketmars_agents.arena.matches import Match
from pocketmars_env.core.files.reading import parse_json
from pocketmars_env.core.game_spec import GameSpec


@dataclass(frozen=True)
class Failure:
    """Why a bot has lost a game that was not played to its end.

    Attributes:
        seat: its seat.
        reason: an illegal answer, an exception, or a time that was exceeded, in words.

    """

    seat: int
    reason: str


@dataclass(frozen=True)
class GameResult:
    """One finished game. All tuples but `winners` have an entry for each seat, those of automata included.

    Attributes:
        match: the game that was played.
        winners: the winning seats, ascending; several share the win. When a bot failed, all others.
        scores: points, at the end or when a bot failed.
        truncated: whether the round limit ended the game.
        decisions: how many answers were given.
        seconds: time that the bots took for them.
        failure: which bot failed and why, or None.
        actions: all answers, of games that were just played; no file of results keeps them.

    """

    match: Match
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    truncated: bool
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    failure: Failure | None = None
    actions: tuple[int, ...] = field(default=(), repr=False, compare=False)

    def share(self, seat: int) -> float:
        """The seat's share of the win, 0 to 1."""
        return (seat in self.winners) / len(self.winners)

    def margin(self, seat: int) -> float:
        """Points of a seat minus the mean points of all others."""
        own = self.scores[seat]
        return own - (sum(self.scores) - own) / (len(self.scores) - 1)

    def to_line(self) -> bytes:
        """The game as a line of a file."""
        data = {name: getattr(self, name) for name in self.kept()}
        failure = self.failure and vars(self.failure)
        return line_of({**data, "match": self.match.as_dict(), "failure": failure})

    @classmethod
    def kept(cls) -> tuple[str, ...]:
        """What a line says of a game."""
        return tuple(entry.name for entry in fields(cls) if entry.compare)

    @classmethod
    def from_line(cls, line: bytes, spec: GameSpec) -> Self:
        """The game of a line that `to_line` wrote.

        Args:
            line: what it wrote.
            spec: the game that was played.

        Raises:
            ValueError: if the line is anything else.

        """
        data = parse_json(line)
        if not isinstance(data, dict) or tuple(data) != cls.kept():
            raise ValueError("not a finished game")
        try:
            lists = {name: tuple(data[name]) for name in LISTS if name in data}
            failure = None if data["failure"] is None else Failure(**data["failure"])
            match = Match.from_dict(data["match"], spec)
            result = cls(**{**data, **lists, "match": match, "failure": failure})
            result.check()
        except TypeError as error:
            raise ValueError(f"not a finished game: {error}") from error
        if result.to_line() != line:
            raise ValueError("a value is written in another way")
        return result

    def check(self) -> None:
        """Raise a ValueError that names a value that is out of its range."""
        seats = self.match.config.seats
        for name in ("scores", "decisions"):
            if not are_numbers(getattr(self, name), seats, int):
                raise ValueError(f"{name} must be {seats} integers in 0..{LARGEST}")
        if not are_numbers(self.seconds, seats, float):
            raise ValueError(f"seconds must be {seats} numbers in 0..{LARGEST}")
        if type(self.truncated) is not bool:
            raise ValueError("truncated must be true or false")
        if self.failure is not None:
            seat, reason = self.failure.seat, self.failure.reason
            if type(seat) is not int or seat not in range(seats) or not isinstance(reason, str):
                raise ValueError("the failure must name a seat and a reason")
            others = tuple(other for other in range(seats) if other != seat)
            if self.winners != others:
                raise ValueError("when a bot failed, all others are the winners")
        elif not self._winners_are_sound():
            raise ValueError("winners must be seats that fit the scores, ascending")

    def _winners_are_sound(self) -> bool:
        """Whether the winners may have won by their scores; ties are broken by what is not kept."""
        if not self.winners or list(self.winners) != sorted({*self.winners}):
            return False
        if not all(type(seat) is int and seat in range(len(self.scores)) for seat in self.winners):
            return False
        return all(self.scores[seat] == max(self.scores) for seat in self.winners)


LARGEST = 10**12
"""More than any game has of anything."""
LISTS = ("winners", "scores", "decisions", "seconds", "actions")
"""What is a list in JSON and a tuple here."""


def are_numbers(values: tuple[Any, ...], count: int, kind: type[int] | type[float]) -> bool:
    """Whether these are `count` numbers of a type, in 0..`LARGEST`."""
    return len(values) == count and all(type(value) is kind and 0 <= value <= LARGEST for value in values)


def line_of(data: dict[str, Any]) -> bytes:
    return json.dumps(data, allow_nan=False).encode() + b"\n"
