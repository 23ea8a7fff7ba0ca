"""A game as readable text, with its settings, its origin (start) and its moves.

    # Pocket Mars game, format 2
    config {"players": 2, "mode": "multi", ...}
    seed 5
    0 PREP 139 CARD(Comms 5)
    ...

The format number is the version of the rules plus 1. The origin is the start of the game: either a `seed`,
optionally with a `deal`, or a `snapshot` with its `resume_state`. In both cases, `shuffles` and `reveals` can
fix random events in advance. The settings (`config`) and the parts of the origin have one line each, with the
name followed by the value as JSON. Each move is a line with the seat, the decision, and the action's number
and name. After the first line, lines that begin with ``#`` are comments.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.files.reading import parse_json
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.settings import check_type

CHANCE_KEYS = ("shuffles", "reveals")
"""The keys of an origin that fix random events in advance: the results of shuffles, and revealed cards."""
ORIGIN_KEYS = ("seed", "deal", "snapshot", "resume_state", *CHANCE_KEYS)
ORIGINS = ({"seed"}, {"seed", "deal"}, {"snapshot", "resume_state"})
"""The accepted sets of keys in an origin, not counting `CHANCE_KEYS`."""
OLD_KEYS = {"bookmark": "resume_state"}
"""Renamed keys of an origin: maps each name in older files to the current name."""


def header(spec: GameSpec, rules_version: int) -> str:
    """Return the first line of a game's text for a version of the rules."""
    return f"# {spec.title} game, format {rules_version + 1}"


def checked_origin(origin: dict[str, Any]) -> dict[str, Any]:
    """Check an origin from a file, and return it with the current names of its keys.

    Raises:
        ValueError: if the origin does not have the format of `Game.origin`.

    """
    origin = {OLD_KEYS.get(key, key): value for key, value in origin.items()}
    if set(origin) - set(CHANCE_KEYS) not in ORIGINS:
        accepted = "; ".join(", ".join(sorted(keys)) for keys in ORIGINS)
        raise ValueError(f"the origin has the keys {quoted(sorted(origin))}; accepted: {accepted}")
    shuffles = origin.get("shuffles", [])
    if not isinstance(shuffles, list) or not all(isinstance(order, list) for order in shuffles):
        raise ValueError("shuffles must be lists of cards")
    if not isinstance(origin.get("reveals", []), list):
        raise ValueError("reveals must be a list of cards")
    for name in ("snapshot", "resume_state", "deal"):
        if not isinstance(origin.get(name, {}), dict):
            raise ValueError(f"{name} must be an object")
    if type(origin.get("seed", 0)) is not int:
        raise ValueError("the seed must be an integer")
    return origin


@dataclass(frozen=True)
class MoveLine:
    """A move, given by the seat, the decision, and the number and name of the action."""

    seat: int
    decision: str
    action: int
    name: str

    def __str__(self) -> str:
        return f"{self.seat} {self.decision} {self.action} {self.name}"

    @classmethod
    def from_text(cls, line: str, spec: GameSpec) -> "MoveLine":
        """Parse a line; raise a ValueError unless `__str__` of the parsed move returns exactly this line."""
        seat, decision, action, _ = line.split(" ", 3)
        move = cls(int(seat), decision, int(action), spec.action_name(int(action)))
        if str(move) != line:
            raise ValueError(f"expected {str(move)!r}")
        return move


@dataclass(frozen=True)
class GameText:
    """The content of a text.

    Attributes:
        config: the settings, from `config.as_dict()`.
        origin: the start of the game; see `Game.origin`.
        moves: the moves, in order.
        comments: the comments that `to_text` writes after the moves; empty in the result of `from_text`.

    """

    config: dict[str, Any]
    origin: dict[str, Any]
    moves: list[MoveLine]
    comments: list[str] = field(default_factory=list)

    def to_text(self, spec: GameSpec) -> str:
        head = [header(spec, spec.rules_version), f"config {json.dumps(self.config)}"]
        head += [f"{key} {json.dumps(self.origin[key])}" for key in ORIGIN_KEYS if key in self.origin]
        body = [str(move) for move in self.moves] + [f"# {comment}" for comment in self.comments]
        return "\n".join(head + body) + "\n"

    @classmethod
    def from_text(cls, text: str, spec: GameSpec) -> "GameText":
        """Parse a text; the comments are ignored, and the moves are not played.

        Raises:
            ValueError: if the text is invalid or from another version of the rules; the message describes the
                problem and quotes the damaged line, if there is one.
            TypeError: if `text` is not a string.

        """
        check_type("text", text, str)
        lines = text.splitlines()
        first, expected = lines[0] if lines else "", header(spec, spec.rules_version)
        if first != expected:
            if first in (header(spec, version) for version in range(spec.rules_version)):
                raise ValueError(spec.older_version("the text"))
            raise ValueError(f"not a game's text: it must begin with {expected!r}, got {quoted(first)}")
        data: dict[str, Any] = {}
        moves: list[MoveLine] = []
        for number, line in enumerate(lines[1:], start=2):
            if line.startswith("#"):
                continue
            key, _, value = line.partition(" ")
            try:
                if key == "config" or key in ORIGIN_KEYS or key in OLD_KEYS:
                    data[key] = parse_json(value)
                else:
                    moves.append(MoveLine.from_text(line, spec))
            except ValueError as error:
                raise ValueError(f"line {number} is damaged ({error_text(error)}): {quoted(line)}") from error
        config = data.pop("config", None)
        if not isinstance(config, dict):
            raise ValueError("a game's text needs a config line with a JSON object")
        return cls(config, checked_origin(data), moves)
