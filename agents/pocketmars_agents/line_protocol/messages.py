"""Functions that build and check messages of the line protocol."""

import json
from dataclasses import asdict
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta

from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import View
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.plain import PlainSeatView
from pocketmars_env.core.presentation.presenting import presentation_of

PROTOCOL = 1
MAX_LINE = 65_536
"""Maximum length of a line from a bot, in bytes, including the line ending."""
MAX_REQUEST = 2**20
"""Maximum length of a line to an engine, in bytes, including the line ending."""
Field = Literal["text", "observation", "view", "position"]
"""Optional fields of a ``decision`` message."""

Message = dict[str, Any]
T = TypeVar("T")


class ProtocolError(Exception):
    """Raised if a process exits, is too slow, breaks the protocol, reports an error or cannot be started."""


def line_of(message: Message) -> bytes:
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"


class Incoming(gate.Record, forbid_unknown_fields=False):
    """Base class of messages from another program; the key ``type`` is the tag of the subclass."""


def message_of(line: bytes, schema: type[T]) -> T:
    """Decode a line from another program."""
    try:
        return gate.decode(line, schema, "the message")
    except ValueError as error:
        raise ProtocolError(f"{error}: {quoted(line.decode(errors='replace').strip())}") from error


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


class Ready(Incoming, tag="ready"):
    """The reply to ``hello``, with the fields that ``decision`` messages should contain."""

    protocol: Literal[1]
    fields: tuple[Field, ...] = ("text", "observation", "view")


class Action(Incoming, tag="action"):
    """The reply to a ``decision``, whose ID it repeats, with the estimated win probability."""

    id: int
    action: int
    value: Annotated[float, Meta(ge=0, le=1)] | None = None


class Error(Incoming, tag="error"):
    """The reason why the bot cannot continue."""

    message: Any = None


def reply_of(line: bytes, schema: type[T]) -> T:
    """Decode a bot's reply; raise a ProtocolError if it does not fit the schema or reports an error."""
    union: Any = schema | Error
    reply = message_of(line, union)
    if isinstance(reply, Error):
        raise ProtocolError(f"the bot reports an error: {quoted(reply.message)}")
    return reply  # type: ignore[no-any-return]  # the union is built at run time


def answer_of(line: bytes, number: int, legal: list[int]) -> tuple[int, float | None]:
    """Return the action and the value estimate, if any, from the reply to the decision `number`."""
    reply = reply_of(line, Action)
    if reply.id != number:
        raise ProtocolError(f"id must be {number}, got {quoted(reply.id)}")
    if reply.action not in legal:
        raise ProtocolError(
            f"action {quoted(reply.action)} is illegal; accepted: {', '.join(map(str, legal))}"
        )
    return reply.action, reply.value
