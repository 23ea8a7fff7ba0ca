"""Engine that lets other programs use a bot from this package through the line protocol."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np

from pocketmars_agents.bots.estimates import CHANCE, ValuedAgent
from pocketmars_agents.bots.policy_agent import PolicyAgent, check_game
from pocketmars_agents.line_protocol.messages import (
    MAX_REQUEST,
    PROTOCOL,
    Message,
    ProtocolError,
    integer_in,
    line_of,
    message_of,
)
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.agent import Agent, choose_actions, is_batch_agent, prepare
from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.game import Game, View
from pocketmars_env.core.game_spec import GameSpec, game_named

MAX_ID = 2**53


class Engine:
    """Runs a bot from this package and replies to the messages of one program.

    Args:
        bot: the name of the bot; see `make_agent`.

    Raises:
        ValueError: if no agent can be made from the name.

    """

    def __init__(self, bot: str) -> None:
        self._bot = bot
        self._agent = make_agent(bot)
        self._spec: GameSpec | None = None
        self._games: dict[int, tuple[Agent, dict[str, Any]]] = {}

    def answer(self, line: bytes) -> Message | None:
        """Return the reply to a line, or None if no reply is needed."""
        message = message_of(line)
        if message["type"] == "quit":
            raise EOFError
        if message["type"] == "hello":
            return self._hello(message)
        if self._spec is None:
            raise ProtocolError("the first message must be hello")
        if message["type"] == "new_game":
            settings = message.get("settings")
            if not isinstance(settings, dict):
                raise ProtocolError(f"settings must be an object, got {quoted(settings)}")
            try:
                self._spec.config(**settings)
            except (TypeError, ValueError) as error:
                raise ProtocolError(f"settings are invalid: {error_text(error)}") from error
            agent = self._agent if is_batch_agent(self._agent) else make_agent(self._bot)
            self._games[self._game_id(message)] = agent, settings
            return None
        if message["type"] == "game_over":
            self._games.pop(self._game_id(message), None)
            return None
        if message["type"] == "decision":
            return self._decision(message, self._spec)
        raise ProtocolError(f"unknown type {quoted(message['type'])}")

    def _hello(self, message: Message) -> Message:
        integer_in(message, "protocol", PROTOCOL, PROTOCOL)
        try:
            spec = game_named(str(message.get("game")))
            if isinstance(self._agent, PolicyAgent):
                check_game(self._agent.name, self._agent.spec, spec)
        except ValueError as error:
            raise ProtocolError(str(error)) from error
        integer_in(message, "rules_version", spec.rules_version, spec.rules_version)
        self._spec = spec
        prepare(self._agent, spec)  # the time limit for the start is longer than that for a decision
        return {"type": "ready", "protocol": PROTOCOL, "name": self._agent.name, "fields": ["position"]}

    def _game_id(self, message: Message) -> int:
        return integer_in(message, "game_id", 0, MAX_ID)

    def _decision(self, message: Message, spec: GameSpec) -> Message:
        number, game_id = integer_in(message, "id", 0, MAX_ID), self._game_id(message)
        if game_id not in self._games:
            raise ProtocolError(f"game {game_id} has not begun")
        agent, settings = self._games[game_id]
        view = view_of(message, spec, settings)
        seed = message.get("seed", "0")
        is_number = isinstance(seed, str) and len(seed) <= 20 and seed.isascii() and seed.isdigit()
        if not is_number or int(seed) >= 2**64:
            raise ProtocolError(f"seed must be a string with an integer in 0..2**64-1, got {quoted(seed)}")
        action, value = decide(agent, view, int(seed))
        answer = {"type": "action", "id": number, "action": action}
        return answer if value is None else {**answer, "value": value}


def decide(agent: Agent, view: View, seed: int) -> tuple[int, float | None]:
    """Return the agent's action, and the win probability that the agent estimates.

    The action is the one that the agent would choose in the arena with the same seed. The probability is
    clipped to 0..1; it is None if the agent is a batch agent or does not estimate a win probability.
    """
    if isinstance(agent, ValuedAgent) and not is_batch_agent(agent):
        estimate = agent.estimate(view, np.random.Generator(np.random.PCG64(seed)))
        is_chance = estimate.kind == CHANCE and estimate.value is not None
        return int(estimate.action), min(max(estimate.value or 0.0, 0.0), 1.0) if is_chance else None
    action = int(choose_actions(agent, view.as_batch(), np.array([seed], dtype=np.uint64))[0])
    return action, None


def view_of(message: Message, spec: GameSpec, settings: dict[str, Any]) -> View:
    """Return the view that a ``decision`` message describes."""
    position = message.get("position")
    if not isinstance(position, dict) or set(position) != {"snapshot", "resume_state"}:
        raise ProtocolError("position must be an object with snapshot and resume_state")
    try:
        game = Game.from_origin(settings, position, spec)
    except ValueError as error:
        raise ProtocolError(str(error)) from error
    seat = integer_in(message, "seat", 0, game.seats - 1)
    if game.to_play != seat:
        raise ProtocolError(f"it is not seat {seat}'s turn")
    return game.view(seat)


def serve(bot: str) -> None:
    """Reply to the lines on stdin until stdin ends or a ``quit`` message arrives.

    If a line is invalid, the engine replies with an ``error`` message and continues.
    """
    engine = Engine(bot)
    with protocol_output() as output:
        while line := sys.stdin.buffer.readline(MAX_REQUEST):
            try:
                if not line.endswith(b"\n"):
                    drop_rest_of_line(sys.stdin.buffer)
                answer = engine.answer(line)
            except EOFError:
                return
            except ProtocolError as error:
                answer = {"type": "error", "message": str(error)}
            if answer is not None:
                output.write(line_of(answer))
                output.flush()


def drop_rest_of_line(stream: IO[bytes]) -> None:
    """Read and discard the rest of a line that is longer than `MAX_REQUEST` bytes."""
    while (part := stream.readline(MAX_REQUEST)) and not part.endswith(b"\n"):
        pass


@contextmanager
def protocol_output() -> Iterator[IO[bytes]]:
    """Yield stdout as a binary file for messages, and redirect all other output to stderr."""
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        yield output
