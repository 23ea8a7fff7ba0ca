"""Functions that build and check messages of the line protocol."""

import json
from dataclasses import asdict
from typing import Any

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.reading import parse_json
from pocketmars_env.core.game import View
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.plain import PlainSeatView
from pocketmars_env.core.presentation.presenting import presentation_of

PROTOCOL = 1
MAX_LINE = 65_536
"""Maximum length of a line from a bot, in bytes, including the line ending."""
MAX_REQUEST = 2**20
"""Maximum length of a line to an engine, in bytes, including the line ending."""
FIELDS = ("text", "observation", "view", "position")
"""Optional fields of a ``decision`` message."""
DEFAULT_FIELDS = ("text", "observation", "view")

Message = dict[str, Any]


class ProtocolError(Exception):
    """Raised if a process exits, is too slow, breaks the protocol, reports an error or cannot be started."""


def line_of(message: Message) -> bytes:
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def message_of(line: bytes) -> Message:
    """Parse a line and return its message."""
    text = line.decode(errors="replace").strip()
    try:
        message = parse_json(line, has_unique_keys=True)
    except ValueError as error:
        raise ProtocolError(f"not JSON ({error}): {quoted(text)}") from error
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise ProtocolError(f"not an object with a type: {quoted(text)}")
    return message


def integer_in(message: Message, key: str, smallest: int, largest: int) -> int:
    """Return ``message[key]``; raise a ProtocolError unless it is an integer in ``smallest..largest``."""
    value = message.get(key)
    if type(value) is not int or not smallest <= value <= largest:
        raise ProtocolError(f"{key} must be an integer in {smallest}..{largest}, got {quoted(value)}")
    return value


# --- to a bot -------------------------------------------------------------------------------------


def hello(spec: GameSpec) -> Message:
    """Return the first message to a bot, which describes the protocol and the game."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "game": spec.name,
        "rules_version": spec.rules_version,
        "num_actions": spec.num_actions,
        "observation_size": spec.observation_size,
    }


def new_game(game_id: int, view: View) -> Message:
    """Return the message that announces a game to a bot before the bot's first decision in the game."""
    config = view.spec.config.of_state(view.states[0])
    names = list(config.seat_names)
    return {
        "type": "new_game",
        "game_id": game_id,
        "seat": view.seat,
        "seats": names,
        "settings": config.as_dict(),
    }


def decision(
    number: int, game_id: int, view: View, seed: int, seconds: float, fields: tuple[str, ...]
) -> Message:
    """Return the message that asks a bot for a decision.

    The bot's reply must repeat the ID `number`. `fields` lists the optional fields that are included.
    """
    spec, states = view.spec, view.states
    presentation = presentation_of(spec)
    seat_view = presentation.seat_view(states, view.seat)
    has_text = "text" in fields
    message: Message = {
        "type": "decision",
        "id": number,
        "game_id": game_id,
        "seat": view.seat,
        "decision": spec.decisions[int(states["decision"][0])].name,
        "seconds": seconds,
        "seed": str(seed),  # a string, because JavaScript numbers are exact only up to 2**53
        "legal": [
            {"action": action, "name": spec.action_name(action)}
            | ({"text": presentation.action_text(seat_view, action)} if has_text else {})
            for action in view.legal
        ],
    }
    if has_text:
        message["text"] = presentation.prompt(seat_view)
    if "observation" in fields:
        message["observation"] = [round(value, 6) for value in view.observation.tolist()]
    if "view" in fields:
        message["view"] = view_data(seat_view)
    if "position" in fields:
        message["position"] = {
            "snapshot": spec.codec.snapshot(states),
            "resume_state": spec.codec.resume_state(states),
        }
    return message


def view_data(seat_view: Any) -> Message:
    """Return a seat view as JSON-serializable data: its fields or, for a `PlainSeatView`, its observation."""
    if isinstance(seat_view, PlainSeatView):
        pieces = seat_view.observations.values()
        return {name: numbers.tolist() for piece in pieces for name, numbers in piece.items()}
    return asdict(seat_view)


# --- from a bot -----------------------------------------------------------------------------------


def check_type(message: Message, expected: str) -> None:
    """Raise a ProtocolError if the message reports an error or is not of the expected type."""
    if message["type"] == "error":
        raise ProtocolError(f"the bot reports an error: {quoted(message.get('message'))}")
    if message["type"] != expected:
        raise ProtocolError(f"expected {expected}, got {quoted(message['type'])}")


def fields_of_ready(message: Message) -> tuple[str, ...]:
    """Return the ``fields`` in a bot's reply to ``hello``, or `DEFAULT_FIELDS` if this key is missing."""
    check_type(message, "ready")
    integer_in(message, "protocol", PROTOCOL, PROTOCOL)
    fields = message.get("fields", list(DEFAULT_FIELDS))
    if not isinstance(fields, list) or not all(field in FIELDS for field in fields):
        raise ProtocolError(f"fields must be a list of {', '.join(FIELDS)}, got {quoted(fields)}")
    return tuple(fields)


def answer_of(message: Message, number: int, legal: list[int]) -> tuple[int, float | None]:
    """Return the action and the value estimate, if any, from the reply to the decision `number`."""
    check_type(message, "action")
    integer_in(message, "id", number, number)
    action = message.get("action")
    if type(action) is not int:
        raise ProtocolError(f"action must be an integer, got {quoted(action)}")
    if action not in legal:
        raise ProtocolError(f"action {quoted(action)} is illegal; accepted: {', '.join(map(str, legal))}")
    value = message.get("value")
    if value is not None and (type(value) not in (int, float) or not 0 <= value <= 1):
        raise ProtocolError(f"value must be a number in 0..1 or null, got {quoted(value)}")
    return action, None if value is None else float(value)
