"""The bots that support any game play a third-party game."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents import GameBots, accepted_names, add_game_bots, make_agent
from pocketmars_agents.bots.ismcts_agent import IsmctsAgent
from pocketmars_agents.bots.puct_agent import CompiledNetwork, PuctAgent
from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_agents.game_bots import Network
from pocketmars_agents.registry import canonical_name, needs_trust
from pocketmars_agents.search.evaluations import evaluation_by_score, evaluation_of
from pocketmars_env.core.game import Game
from pocketmars_env.core.games import Games
from tests.agents.mlps import blank_mlp
from tests.third_game.pairs import SPEC, PairsGame

BOTS = ("random", "greedy", "planner", "ismcts:30", "ismcts:30:rollout=random", "ismcts:30:objective=score")


def wins(bot: Any, count: int, seed: int = 0) -> float:
    """Return a bot's win rate against `random` in two-player games; it starts every second game."""
    games: Games = Games(count, SPEC, players=2, seed=seed)
    own_seats, rng = np.arange(count) % 2, np.random.default_rng(seed)
    while not games.over.all():
        actions = games.random_actions()
        (own,) = np.nonzero(~games.over & (games.to_play == own_seats))
        if len(own):
            views = games.views(own, own_seats[own])
            actions[own] = bot.act_batch(views, rng.integers(0, 2**64, size=len(own), dtype=np.uint64))
        games.step(actions, ~games.over)
    won = games.winners
    return float((won[np.arange(count), own_seats] / won.sum(axis=1)).mean())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", BOTS)
def test_bots_play_it_legally_and_do_not_peek(name: str, players: int) -> None:
    bot, rng = make_agent(name), np.random.default_rng(0)
    game: Game = PairsGame(seed=3, players=players)
    while not game.over:
        view = game.view()
        seed = int(rng.integers(2**32))
        action = bot.act(view, np.random.default_rng(seed))
        hidden = view.sample(rng).view(view.seat)
        assert action in game.legal
        assert bot.act(hidden, np.random.default_rng(seed)) == action
        game.step(action)


@pytest.mark.parametrize("name", ["ismcts:100", "ismcts:100:rollout=random"])
def test_searches_beat_random(name: str) -> None:
    assert wins(make_agent(name), 400) > 0.6


def test_a_search_tells_what_it_found() -> None:
    found = IsmctsAgent(simulations=200).search(PairsGame(seed=1).view(), np.random.default_rng(0))
    assert found.simulations == 200
    assert np.isclose(found.seat_values.sum(), 1.0)
    assert found.best == found.line[0]


@pytest.mark.parametrize("network", [Network(), CompiledNetwork(blank_mlp(SPEC))])
def test_a_network_guides_the_search(network: Any) -> None:
    assert wins(PuctAgent(simulations=100, network=network), 100) > 0.5


@pytest.mark.parametrize("name", ["puct:10", "solo", "automaton"])
def test_a_bot_without_a_policy_for_the_game_says_so(name: str) -> None:
    with pytest.raises(ValueError, match="Pairs"):
        make_agent(name).act(PairsGame(seed=1).view(), np.random.default_rng(0))


class FirstAgent(RandomAgent):
    """Agent that plays the first legal action."""

    name = "first"

    def act(self, view: Any, rng: np.random.Generator) -> int:
        return int(view.legal[0])


@pytest.fixture
def own_bots(tmp_path: Path) -> Iterator[GameBots]:
    """Register a copy of the default evaluation, a network, a policy and an agent during the test."""
    pytest.importorskip("onnx")
    from tests.agents.onnx_policies import write_policy

    policy = write_policy(
        tmp_path / "policy.onnx",
        actions=SPEC.num_actions,
        observation_shape=("n", SPEC.observation_size),
        mask_shape=("n", SPEC.num_actions),
    )
    own = GameBots(
        game=SPEC,
        evaluation=replace(evaluation_by_score(SPEC)),
        network=Network,
        policies={"pairs_policy": policy},
        agents={FirstAgent: "in any seat"},
    )
    add_game_bots(own)
    yield own
    add_game_bots(GameBots(game=SPEC))


def test_one_call_registers_its_own_bots(own_bots: GameBots) -> None:
    view, rng = PairsGame(seed=1).view(), np.random.default_rng(0)
    assert make_agent("first").act(view, rng) == view.legal[0]
    for name in ("pairs_policy", "pairs_policy:sample", "puct:10"):
        agent = make_agent(name)
        assert agent.name == canonical_name(name) == name
        assert agent.act(view, rng) in view.legal
        assert not needs_trust(name)
    assert evaluation_of(SPEC) is own_bots.evaluation
    assert any("'first'" in name for name in accepted_names())
    with pytest.raises(ValueError, match="'pairs_policy'"):
        make_agent("pairs_polic")


def test_its_own_bots_are_unknown_without_the_call() -> None:
    for name in ("first", "pairs_policy"):
        with pytest.raises(ValueError, match="unknown agent"):
            make_agent(name)
