"""Error messages have one line of limited length."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.registry import canonical_name, make_agent
from pocketmars_env import Game, Games, observation_pieces, sample_actions
from pocketmars_env.envs.opponents import bot_of
from pocketmars_env.games.project_mars.game import Game as DuelGame
from pocketmars_env.replays import Replay
from pocketmars_env.replays.page import replay_page
from pocketmars_env.text_interface import parse_action
from tests.fuzz.damage import MOST

GAME = Game(seed=1)
VIEW = GAME.view()
REPLAY = Replay.of(GAME)
FRAMES = [np.zeros((4, 4, 3), dtype=np.uint8)]


class Talkative:
    """An object whose ``repr`` has many lines."""

    def __repr__(self) -> str:
        return "line\n" * 20_000


LARGE: dict[str, Any] = {
    "text": "word\x1b[31m\n" * 20_000,
    "list": list(range(20_000)),
    "texts": ["a\nb"] * 20_000,
    "object": Talkative(),
    "array": np.zeros((300, 300)),
    "dict": {"key\n" * 20_000: 1},
    "seed": 10**4_000,
}


CALLS: dict[str, Callable[[Any], object]] = {
    "Game(seed)": lambda value: Game(seed=value),
    "Game(players)": lambda value: Game(seed=1, players=value),
    "Game(mode)": lambda value: Game(seed=1, mode=value),
    "Game.step": lambda value: Game(seed=1).step(value),
    "Game.view": GAME.view,
    "Game.from_deal": Game.from_deal,
    "Game.from_snapshot": Game.from_snapshot,
    "Game.from_origin": lambda value: Game.from_origin(GAME.config.as_dict(), value),
    "Game.stack_shuffles": lambda value: Game(seed=1).stack_shuffles([value]),
    "DuelGame(deck_0)": lambda value: DuelGame(seed=1, deck_0=value),
    "DuelGame.from_deal": DuelGame.from_deal,
    "Games(seed)": lambda value: Games(2, seed=value),
    "Games(num_threads)": lambda value: Games(2, seed=1, num_threads=value),
    "Games.step": lambda value: Games(2, seed=1).step(value),
    "Games.reset": lambda value: Games(2, seed=1).reset(seeds=value),
    "observation_pieces": observation_pieces,
    "sample_actions": lambda value: sample_actions(value, np.random.default_rng()),
    "Replay.load": Replay.load,
    "Replay.of, names": lambda value: Replay.of(GAME, [value, value]),
    "Replay.of, title": lambda value: Replay.of(GAME, title=value),
    "replay_page": lambda value: replay_page(REPLAY, value),
    "make_agent": make_agent,
    "make_agent, a module": lambda value: make_agent(f"{'m' * len(str(value))}:Bot"),
    "make_agent, a class": lambda value: make_agent(f"json:{'C' * len(str(value))}"),
    "make_agent, a setting": lambda value: make_agent(f"puct:{value}"),
    "make_agent, a program": lambda value: make_agent(f"exec:{value}"),
    "make_agent, a model": lambda value: canonical_name(f"llm:{value}"),
    "bot_of": bot_of,
    "PolicyAgent, play": lambda value: PolicyAgent("solo.onnx", value),
    "parse_action": lambda value: parse_action(VIEW, f"ACTION: {value}"[:3_000]),
}  # fmt: skip


@pytest.mark.parametrize("kind", LARGE)
@pytest.mark.parametrize("name", CALLS)
def test_a_message_has_one_line_of_limited_length(name: str, kind: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        CALLS[name](LARGE[kind])
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) <= MOST
