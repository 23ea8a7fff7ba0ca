"""Engine that lets other programs use a bot from this package through the line protocol."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Annotated, Any, Literal

import numpy as np
from msgspec import Meta

from pocketmars_agents.bots.estimates import CHANCE, ValuedAgent
from pocketmars_agents.bots.policy_agent import PolicyAgent, check_game
from pocketmars_agents.line_protocol.messages import (
    MAX_REQUEST,
    PROTOCOL,
    Incoming,
    Message,
    ProtocolError,
    line_of,
    message_of,
)
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.agent import Agent, choose_actions, is_batch_agent, prepare
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import Game, View
from pocketmars_env.core.game_spec import GameSpec, game_named
from pocketmars_env.core.seeds import check_seed

Id = Annotated[int, Meta(ge=0, le=2**53)]


class Hello(Incoming, tag="hello"):
    """The first message, which selects the game."""

    protocol: Literal[1]
    game: str
    rules_version: int


class NewGame(Incoming, tag="new_game"):
    """The beginning of a game."""

    game_id: Id
    settings: dict[str, Any]


class GameOver(Incoming, tag="game_over"):
    """The end of a game, which the engine forgets."""

    game_id: Id


class Decision(Incoming, tag="decision"):
    """The request for an action in a position, which is an origin of a game; see `Game.from_origin`."""

    id: Id
    game_id: Id
    seat: int
    position: dict[str, Any]
    seed: Annotated[str, Meta(pattern=r"^[0-9]{1,20}\Z")] = "0"


class Quit(Incoming, tag="quit"):
    """The end of the engine."""


REQUEST: Any = Hello | NewGame | GameOver | Decision | Quit


class Engine:
    """Runs a bot from this package and replies to the messages of one program."""

    def __init__(self, bot: str) -> None:
        self._bot = bot
        self._agent = make_agent(bot)
        self._spec: GameSpec | None = None
        self._games: dict[int, tuple[Agent, dict[str, Any]]] = {}

    def answer(self, line: bytes) -> Message | None:
        """Return the reply to a line, or None if no reply is needed."""
        message = message_of(line, REQUEST)
        if isinstance(message, Quit):
            raise EOFError
        if isinstance(message, Hello):
            return self._hello(message)
        if self._spec is None:
            raise ProtocolError("the first message must be hello")
        if isinstance(message, Decision):
            return self._decision(message, self._spec)
        if isinstance(message, GameOver):
            self._games.pop(message.game_id, None)
        else:
            try:
                self._spec.config_of(message.settings)
            except ValueError as error:
                raise ProtocolError(str(error)) from error
            agent = self._agent if is_batch_agent(self._agent) else make_agent(self._bot)
            self._games[message.game_id] = agent, message.settings
        return None

    def _hello(self, message: Hello) -> Message:
        try:
            spec = game_named(message.game)
            if isinstance(self._agent, PolicyAgent):
                check_game(self._agent.name, self._agent.spec, spec)
        except ValueError as error:
            raise ProtocolError(str(error)) from error
        if message.rules_version != spec.rules_version:
            raise ProtocolError(
                f"rules_version must be {spec.rules_version}, got {quoted(message.rules_version)}"
            )
        self._spec = spec
        # load everything now: the time limit for the start is longer than that for a decision
        prepare(self._agent, spec)
        game = Game(spec, seed=0)
        Game.from_snapshot(game.snapshot(), game.resume_state(), spec=spec).view().observation  # noqa: B018
        return {"type": "ready", "protocol": PROTOCOL, "name": self._agent.name, "fields": ["position"]}

    def _decision(self, message: Decision, spec: GameSpec) -> Message:
        if message.game_id not in self._games:
            raise ProtocolError(f"game {message.game_id} has not begun")
        agent, settings = self._games[message.game_id]
        try:
            seed, game = check_seed(int(message.seed)), Game.from_origin(settings, message.position, spec)
        except ValueError as error:
            raise ProtocolError(str(error)) from error
        if game.to_play != message.seat:
            raise ProtocolError(f"it is not seat {quoted(message.seat)}'s turn")
        action, value = decide(agent, game.view(message.seat), seed)
        answer = {"type": "action", "id": message.id, "action": action}
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
