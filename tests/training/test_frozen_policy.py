"""Frozen policies, which are fast opponents in training."""

from pathlib import Path

import numpy as np
import pytest
import torch

from pocketmars_agents import make_agent
from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env.core.game_spec import GameSpec, game_named
from pocketmars_env.core.games import Games
from pocketmars_training.common.device import NetworkInputs
from pocketmars_training.common.network_agent import FrozenPolicy, fastest
from tests.training.tiny import write_start

CPU = torch.device("cpu")


def inputs_of(spec: GameSpec) -> NetworkInputs:
    return NetworkInputs(spec, [spec.config()], CPU)


@pytest.mark.parametrize("name", ["solo", "da_seat", "multi", "duel"])
def test_its_actions_are_those_of_the_policy(name: str) -> None:
    policy = make_agent(name)
    assert isinstance(policy, PolicyAgent)
    frozen = fastest(policy, inputs_of(policy.spec), bfloat16=False)
    assert isinstance(frozen, FrozenPolicy)
    assert frozen.name == name
    games = Games(40, policy.spec, seed=1)
    seeds, alike = np.zeros(40, np.uint64), []
    for _ in range(30):
        views = games.views(np.arange(40), games.to_play)
        actions = policy.act_batch(views, seeds)
        alike.append(frozen.act_batch(views, seeds) == actions)
        games.step(actions)
        games.reset(games.over)
    assert np.mean(alike) > 0.998  # rounding can swap two nearly equal logits


def test_it_acts_in_one_game() -> None:
    policy = make_agent("multi")
    assert isinstance(policy, PolicyAgent)
    frozen = fastest(policy, inputs_of(policy.spec), bfloat16=True)
    game = Games(1, policy.spec, seed=2)
    view = next(iter(game.views(np.arange(1), game.to_play)))
    assert frozen.act(view, np.random.default_rng(1)) in view.legal


def test_other_agents_play_as_they_are(tmp_path: Path) -> None:
    pocket_mars = game_named("pocket_mars")
    sampling = PolicyAgent(write_start(tmp_path / "policy.onnx"), play="sample")
    for agent in (make_agent("greedy"), sampling):
        assert fastest(agent, inputs_of(pocket_mars), bfloat16=False) is agent
