"""A whole game as text: how it began, and every answer, in words.

    # Pocket Mars game, format 2
    config {"players": 2, "mode": "multi", ...}
    seed 5
    0 PREP 139 CARD(Comms 5)
    ...

Instead of `seed`, a game may begin from a `deal` or a `snapshot` (with its `bookmark`); `shuffles`
are orders that were given. Lines that begin with ``#`` after the first are comments.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from pocketmars_env.core.reading import parse_json
from pocketmars_env.games.pocket_mars.rules.actions import action_name
from pocketmars_env.games.pocket_mars.rules_version import version_0_message

FORMAT = 2
"""Texts of format 1 hold games of rules version 0."""
HEADER = f"# Pocket Mars game, format {FORMAT}"
HEADER_OF_VERSION_0 = "# Pocket Mars game, format 1"
ORIGIN_KEYS = ("seed", "deal", "snapshot", "bookmark", "shuffles")
ORIGINS = ({"seed"}, {"seed", "deal"}, {"snapshot", "bookmark"})
"""The keys that an origin may have, beside ``shuffles``."""


def check_origin(origin: dict[str, Any]) -> None:
    """Raise a ValueError unless `origin` has the form of a `Game.origin`."""
    if set(origin) - {"shuffles"} not in ORIGINS:
        accepted = "; ".join(", ".join(sorted(keys)) for keys in ORIGINS)
        raise ValueError(f"origin has {sorted(origin)}, accepted are: {accepted}")
    shuffles = origin.get("shuffles", [])
    if not isinstance(shuffles, list) or not all(isinstance(order, list) for order in shuffles):
        raise ValueError("shuffles must be lists of cards")
    for name in ("snapshot", "bookmark", "deal"):
        if not isinstance(origin.get(name, {}), dict):
            raise ValueError(f"{name} must be an object")
    if type(origin.get("seed", 0)) is not int:
        raise ValueError("the seed must be an integer")


@dataclass(frozen=True)
class Move:
    """One answer: who was asked what, and the action's number."""

    seat: int
    decision: str
    action: int

    def __str__(self) -> str:
        return f"{self.seat} {self.decision} {self.action} {action_name(self.action)}"

    @classmethod
    def from_text(cls, line: str) -> "Move":
        """Raises a ValueError unless the line is exactly what `__str__` gives."""
        seat, decision, action, _ = line.split(" ", 3)
        move = cls(int(seat), decision, int(action))
        if str(move) != line:
            raise ValueError(f"expected {str(move)!r}")
        return move


@dataclass(frozen=True)
class GameRecord:
    """A game's settings, its beginning (keys of `ORIGIN_KEYS`), its moves, and closing comments."""

    config: dict[str, Any]
    origin: dict[str, Any]
    moves: list[Move]
    comments: list[str] = field(default_factory=list)

    def to_text(self) -> str:
        head = [HEADER, f"config {json.dumps(self.config)}"]
        head += [f"{key} {json.dumps(self.origin[key])}" for key in ORIGIN_KEYS if key in self.origin]
        body = [str(move) for move in self.moves] + [f"# {comment}" for comment in self.comments]
        return "\n".join(head + body) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "GameRecord":
        """Read a text that `to_text` wrote.

        Raises:
            ValueError: names the first line that is damaged, or the format that is not known.

        """
        lines = text.splitlines()
        if not lines or lines[0] != HEADER:
            first = lines[0] if lines else ""
            if first == HEADER_OF_VERSION_0:
                raise ValueError(version_0_message("the text"))
            raise ValueError(f"not a game's text: it must begin with {HEADER!r}, got {first[:80]!r}")
        data: dict[str, Any] = {}
        moves: list[Move] = []
        for number, line in enumerate(lines[1:], start=2):
            if line.startswith("#"):
                continue
            key, _, value = line.partition(" ")
            try:
                if key == "config" or key in ORIGIN_KEYS:
                    data[key] = parse_json(value)
                else:
                    moves.append(Move.from_text(line))
            except ValueError as error:
                raise ValueError(f"line {number} is damaged ({error}): {line[:80]!r}") from error
        config = data.pop("config", None)
        if not isinstance(config, dict):
            raise ValueError("a game's text needs a config line with an object")
        check_origin(data)
        return cls(config, data, moves)
