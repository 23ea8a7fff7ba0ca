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
from collections.abc import Iterable
from typing import Any, NamedTuple, TypedDict

from pocketmars_env.core import gate
from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.game_spec import GameSpec

CHANCE_KEYS = ("shuffles", "reveals")
"""The keys of an origin that fix random events in advance: the results of shuffles, and revealed cards."""
ORIGINS = ({"seed"}, {"seed", "deal"}, {"snapshot", "resume_state"})
"""The accepted sets of keys in an origin, not counting `CHANCE_KEYS`."""
OLD_KEYS = {"bookmark": "resume_state"}
"""Renamed keys of an origin: maps each name in older files to the current name."""


class Origin(TypedDict, total=False):
    """The start of a game: a seed, a deal or a position, with the keys in `ORIGINS` and `CHANCE_KEYS`."""

    seed: int
    deal: dict[str, Any]
    snapshot: dict[str, Any]
    resume_state: dict[str, Any]
    shuffles: list[list[Any]]
    reveals: list[Any]


def header(spec: GameSpec) -> str:
    """Return the first line of a game's text."""
    return f"# {spec.title} game, format {spec.rules_version + 1}"


def checked_origin(data: object) -> Origin:
    """Return the origin in plain data; raise a ValueError if it is invalid."""
    keys = set(gate.convert(data, dict[str, Any], "the origin"))
    if keys - set(CHANCE_KEYS) not in ORIGINS:
        accepted = "; ".join(", ".join(sorted(keys)) for keys in ORIGINS)
        raise ValueError(f"the origin has the keys {quoted(sorted(keys))}; accepted: {accepted}")
    return gate.convert(data, Origin, "the origin")


class Move(NamedTuple):
    """A move: the seat, the name of the decision, and the number of the action."""

    seat: int
    decision: str
    action: int

    def line(self, spec: GameSpec) -> str:
        """Return the move as a line of text."""
        return f"{self.seat} {self.decision} {self.action} {spec.action_name(self.action)}"


def move_of(line: str, spec: GameSpec) -> Move:
    """Parse a line; raise a ValueError unless `Move.line` returns exactly this line."""
    seat, decision, action, _ = line.split(" ", 3)
    move = Move(int(seat), decision, int(action))
    if move.line(spec) != line:
        raise ValueError(f"expected {move.line(spec)!r}")
    return move


def text_of(
    spec: GameSpec, config: dict[str, Any], origin: dict[str, Any], moves: Iterable[Move], comments: list[str]
) -> str:
    """Return a game as text: its settings, its origin, its moves, and comments after the moves."""
    head = [header(spec), f"config {json.dumps(config)}"]
    head += [f"{key} {json.dumps(origin[key])}" for key in Origin.__annotations__ if key in origin]
    body = [move.line(spec) for move in moves] + [f"# {comment}" for comment in comments]
    return "\n".join(head + body) + "\n"


def parsed(text: str, spec: GameSpec) -> tuple[Any, dict[str, Any], list[Move]]:
    """Return the settings, the origin and the moves in a text; `Game.from_origin` checks the first two."""
    lines = text.splitlines()
    first_line, expected = lines[0] if lines else "", header(spec)
    if first_line != expected:
        raise ValueError(f"not a game's text: it must begin with {expected!r}, got {quoted(first_line)}")
    data: dict[str, Any] = {}
    moves: list[Move] = []
    for number, line in enumerate(lines[1:], start=2):
        if line.startswith("#"):
            continue
        key, _, value = line.partition(" ")
        try:
            key = OLD_KEYS.get(key, key)
            if key == "config" or key in Origin.__annotations__:
                data[key] = gate.decode(value, Any, key)
            else:
                moves.append(move_of(line, spec))
        except ValueError as error:
            raise ValueError(f"line {number} is damaged ({error_text(error)}): {quoted(line)}") from error
    return data.pop("config", None), data, moves
