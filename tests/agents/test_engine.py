"""Tests of the engine command: bots act as they do in Python, and each error is reported in one line."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from msgspec.structs import replace

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.bots.estimates import Estimate
from pocketmars_agents.line_protocol import messages
from pocketmars_agents.line_protocol.engine import Engine
from pocketmars_agents.line_protocol.messages import ProtocolError, line_of
from pocketmars_agents.registry import choose_actions, make_agent
from pocketmars_env import View
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GAMES, Config, spec_of
from pocketmars_env.games.pocket_mars.config import GameConfig
from tests.agents.playing import games_of, refusal_of, without_time
from tests.agents.test_line_protocol import ended_bots

__all__ = ["ended_bots"]

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "agents" / "pocketmars_agents" / "line_protocol" / "examples"
TWO = GameConfig(players=2)
DUEL = GAMES["project_mars"].config()
CONFIGS = [TWO, GameConfig(players=3, draft=True), GameConfig(mode="solo", level="cyborg"), DUEL]
LIMIT = 60.0


ALL_FIELDS = get_args(messages.Field)


def engine_of(bot: str) -> str:
    return f"exec:{shlex.join([sys.executable, '-m', 'pocketmars_agents', 'engine', bot])}"


def positions(config: Config, count: int = 30) -> Iterator[Any]:
    """Yield the views of a random game."""
    game, rng = Game(spec_of(config), **config.as_dict(), seed=3), np.random.default_rng(3)
    for _ in range(count):
        if game.over:
            break
        yield game.view()
        game.step(int(rng.choice(game.legal)))


def asked(view: Any, fields: tuple[str, ...] = ("position",), seed: int = 7) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(line_of(messages.decision(5, 1, view, seed, LIMIT, fields)))
    return message


def started(bot: str, view: Any) -> Engine:
    """Return an engine that has started game 1 with the given view."""
    engine = Engine(bot)
    ready = engine.answer(line_of(messages.hello(view.spec)))
    assert ready is not None
    assert messages.reply_of(line_of(ready), messages.Ready).fields == ("position",)
    assert engine.answer(line_of(messages.new_game(1, view))) is None
    return engine


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.label)
def test_a_view_survives_the_protocol(config: Config) -> None:
    for view in positions(config):
        settings = view.spec.config.of_state(view.states[0]).as_dict()
        again = Game.from_origin(settings, asked(view)["position"], view.spec).view()
        assert again.states.tobytes() == view.states.tobytes()


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.label)
def test_a_message_depends_only_on_what_the_seat_knows(config: Config) -> None:
    rng = np.random.default_rng(1)
    for view in positions(config):
        world = view.sample(rng).view(view.seat)
        assert asked(world, ALL_FIELDS) == asked(view, ALL_FIELDS)
        assert messages.new_game(1, world) == messages.new_game(1, view)


@pytest.mark.parametrize("name", ["random", "planner:1"])
def test_an_engine_chooses_like_its_bot(name: str) -> None:
    agent = make_agent(name)
    for seed, view in enumerate(positions(TWO)):
        engine = started(name, view)
        answer = engine.answer(line_of(asked(view, seed=2**63 + seed)))
        assert answer is not None
        seeds = np.array([2**63 + seed], dtype=np.uint64)
        assert answer["action"] == choose_actions(agent, view.as_batch(), seeds)[0]
        assert messages.answer_of(line_of(answer), 5, view.legal)[0] == answer["action"]


class Valued:
    name = "valued"

    def act(self, view: View, rng: np.random.Generator) -> int:
        return self.estimate(view, rng).action

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        return Estimate(view.legal[-1], 0.25)


def test_an_engine_tells_the_estimate_of_its_bot() -> None:
    view = next(positions(TWO))
    answer = started(f"{__name__}:Valued", view).answer(line_of(asked(view)))
    assert answer == {"type": "action", "id": 5, "action": view.legal[-1], "value": 0.25}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"game_id": 2}, "game 2 has not begun"),
        ({"seat": 1}, "not seat 1's turn"),
        ({"seat": 9}, "not seat 9's turn"),
        ({"seed": str(2**64)}, "seed"),
        ({"position": {}}, "origin"),
        ({"position": {"snapshot": {}, "resume_state": {}}}, "."),
        ({"type": "hello", "protocol": 2, "game": "pocket_mars", "rules_version": 1}, "protocol"),
        ({"type": "hello", "protocol": 1, "game": "chess", "rules_version": 1}, "game must be one of"),
        ({"type": "new_game", "settings": {"castles": 2}}, "castles"),
        ({"type": "new_game", "settings": {"players": 10**30}}, "players must be"),
    ],
)
def test_wrong_messages_to_an_engine_are_refused(changes: dict[str, Any], complaint: str) -> None:
    view = next(positions(TWO))
    engine = started("random", view)
    with pytest.raises(ProtocolError, match=complaint):
        engine.answer(line_of({**asked(view), **changes}))
    assert engine.answer(line_of(asked(view))) is not None


def test_a_position_without_a_level_is_refused() -> None:
    view = next(positions(GameConfig(mode="solo")))
    message = asked(view)
    message["position"]["snapshot"]["level"] = None
    with pytest.raises(ProtocolError, match="level"):
        started("random", view).answer(line_of(message))


def test_a_policy_for_another_game_is_refused_at_once() -> None:
    with pytest.raises(ProtocolError, match="Project Mars"):
        Engine("multi").answer(line_of(messages.hello(spec_of(DUEL))))


def same_games(bot: str, config: Config, deals: int) -> None:
    """Check that a bot plays the same games in this process as through the line protocol."""
    seats = config.seats_to_play
    outside, inside = (games_of((name, "random")[:seats], config, deals) for name in (engine_of(bot), bot))
    through = [replace(result, match=match) for result, match in zip(play_matches(outside), inside)]
    assert without_time(through) == without_time(play_matches(inside))


def test_games_through_the_protocol_are_those_inside() -> None:
    same_games("planner", TWO, 2)


@pytest.mark.slow  # starts several engines
@pytest.mark.parametrize("bot", ["random", "greedy", "planner", "ismcts:50"])
@pytest.mark.parametrize("config", [GameConfig(mode="solo"), DUEL], ids=["solo", "duel"])
def test_all_games_through_the_protocol_are_those_inside(bot: str, config: Config) -> None:
    same_games(bot, config, 3)


@pytest.mark.slow  # starts an engine
@pytest.mark.parametrize(
    "wrong",
    [b"castle\n", b'{"type": "' + b"a" * 3 * messages.MAX_REQUEST + b'"}\n'],
    ids=["short", "too long"],
)
def test_an_engine_replies_once_to_a_wrong_line_goes_on_and_ends_with_its_input(wrong: bytes) -> None:
    request = wrong + line_of(messages.hello(spec_of(TWO)))
    command = [sys.executable, "-m", "pocketmars_agents", "engine", "random"]
    done = subprocess.run(command, input=request, capture_output=True, check=True)
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["type"], second["type"]) == ("error", "ready")


def test_an_engine_of_no_bot_is_refused_in_one_line() -> None:
    assert "castle" in refusal_of("engine", "castle")


# --- the examples ---------------------------------------------------------------------------------


def tool(*names: str) -> str:
    """Return the path of the first program found; without one, skip the test, or fail on CI."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        assert os.environ.get("CI") != "true", f"CI lacks {names}"
        pytest.skip(f"there is no {' or '.join(names)}")
    return found


@pytest.fixture(params=["bot.c", "bot.js"])
def example(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The agent name of an example bot, compiled first if it is written in C."""
    source = EXAMPLES / request.param
    if source.suffix == ".js":
        return f"exec:{shlex.join([tool('node', 'nodejs'), str(source)])}"
    program = tmp_path / "bot"
    options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-o", str(program)]
    subprocess.run([tool("cc", "gcc", "clang"), *options, str(source)], check=True)
    return f"exec:{program}"


@pytest.mark.parametrize("config", [TWO, GameConfig(mode="solo"), DUEL], ids=["table", "solo", "duel"])
def test_the_example_bots_play(example: str, config: Config) -> None:
    bots = (example, "random")[: config.seats_to_play]
    results = play_matches([Match(bots, config, seed) for seed in range(5)])
    assert [result.failure for result in results] == [None] * 5


@pytest.mark.slow  # hundreds of games
def test_the_example_bots_play_many_games_and_are_better_than_chance(example: str) -> None:
    config = GameConfig(mode="solo")
    results, chance = (
        play_matches([Match((bot,), config, seed) for seed in range(300)]) for bot in (example, "random")
    )
    assert [result.failure for result in results] == [None] * 300
    assert np.mean([result.margin(0) for result in results]) > np.mean([game.margin(0) for game in chance])
