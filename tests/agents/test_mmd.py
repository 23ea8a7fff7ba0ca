"""Tests of the policy-based search: rollouts, the improved policy, networks and names."""

import re
from functools import partial
from typing import Any

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_agents.bots.batched import seed_for
from pocketmars_agents.bots.mmd_agent import MmdAgent
from pocketmars_agents.bots.puct_agent import CompiledNetwork
from pocketmars_agents.game_bots import Network
from pocketmars_agents.registry import needs_trust
from pocketmars_env import NUM_ACTIONS, Game
from pocketmars_env.core.agent import choose_actions
from tests.agents.mlps import outputs_of, random_mlp
from tests.agents.playing import search, views_of, wins
from tests.modes import MODES


class Flat(Network):
    """A network with equal logits for all actions and a value of 0; it records the positions."""

    def __init__(self) -> None:
        self.states: list[Any] = []

    def evaluate(self, states: Any, observations: Any, masks: Any) -> Any:
        self.states.append(states.copy())
        return np.zeros((len(states), NUM_ACTIONS), np.float32), np.zeros(len(states), np.float32)


class Batched(Network):
    """A network that kernels cannot evaluate."""

    def __init__(self, mlp: Any) -> None:
        self.mlp = mlp

    def evaluate(self, states: Any, observations: Any, masks: Any) -> Any:
        return outputs_of(self.mlp, observations, masks)


@pytest.mark.parametrize("mode", ["two", "four", "solo_da_agent"])
def test_networks_inside_and_outside_of_kernels_make_the_same_search(mode: str) -> None:
    mlp, game = random_mlp(2, 16), Game(**MODES[mode], seed=4)
    for _ in range(8):
        game.step(game.legal[0])
    agents = (MmdAgent(60, depth=5, network=network) for network in (CompiledNetwork(mlp), Batched(mlp)))
    one, other = (search(agent, game) for agent in agents)
    assert (one.visits == other.visits).all()
    assert np.allclose(one.values, other.values, atol=1e-6)
    assert np.allclose(one.priors, other.priors, atol=1e-6)


def test_all_candidates_are_played_in_the_same_determinizations() -> None:
    game, network = Game(players=2, seed=1), Flat()
    number = min(8, len(game.legal))
    found = search(MmdAgent(3 * number, depth=0, network=network), game)
    assert sorted(found.visits)[-number:] == [3] * number
    hands = [int(states["seats"]["hand"][k][1]) for states in network.states[1:] for k in range(len(states))]
    assert [len(set(hands[k : k + number])) for k in range(0, len(hands), number)] == [1, 1, 1]
    assert len(set(hands)) == 3


def test_the_improved_policy_takes_a_step_from_the_prior_toward_the_values() -> None:
    view = views_of(12)[5]
    agent = MmdAgent(200, depth=2, step=1.5, magnet=0.1)
    (policy,) = agent.preferences(view.as_batch(), seed_for(view, np.random.default_rng(0)))
    found, legal = agent.search(view, np.random.default_rng(0)), np.flatnonzero(view.mask)
    tried = found.visits > 0
    eta = 1.5 * np.sqrt(found.visits.max())
    logits = (np.log(found.priors) + eta * found.values)[tried] / (1 + eta * 0.1)
    assert len(logits) > 1
    assert np.allclose(policy[legal][tried], np.exp(logits) / np.exp(logits).sum(), atol=1e-5)
    assert policy.sum() == pytest.approx(1.0)


def test_a_step_of_0_plays_like_the_policy() -> None:
    views = views_of(40)
    seeds = np.arange(len(views), dtype=np.uint64)
    still, policy = MmdAgent(20, depth=0, step=0.0), make_agent("multi")
    assert (still.act_batch(views, seeds) == choose_actions(policy, views, seeds)).all()


def test_a_sampled_action_follows_the_improved_policy() -> None:
    views, agent = views_of(20), MmdAgent(40, depth=1, play="sample")
    drawn = np.array(
        [agent.act_batch(views, np.arange(len(views), dtype=np.uint64) + 99 * k) for k in range(9)]
    )
    policies = agent.preferences(views, np.arange(len(views), dtype=np.uint64))
    assert all(policies[k, action] > 0 for k in range(len(views)) for action in drawn[:, k])
    assert (drawn != drawn[0]).any()


def test_another_policy_can_play_the_other_seats_in_rollouts() -> None:
    game, new_agent = Game(players=3, seed=3), partial(MmdAgent, 50, depth=6)
    same = [search(new_agent(against=name, against_temperature=0.5), game) for name in ("multi", None)]
    assert np.allclose(same[0].values, same[1].values, atol=1e-5)  # rounding depends on the buffers
    other = search(new_agent(against="solo"), game)
    assert (other.priors == same[0].priors).all()
    assert (other.values != same[0].values).any()


def test_a_search_against_a_policy_needs_networks_in_kernels() -> None:
    with pytest.raises(ValueError, match="needs a policy that search kernels can evaluate"):
        search(MmdAgent(5, against="multi", network=Flat()), Game(players=2, seed=1))


@pytest.mark.parametrize("search", ["puct", "mmd"])
def test_policy_files_in_names_need_trust(search: str) -> None:
    for name in (search, f"{search}:50", f"{search}:policy=multi"):
        assert not needs_trust(name)
    assert needs_trust(f"{search}:policy=mine.onnx")
    assert needs_trust("mmd:against=mine.onnx")


def test_rollouts_improve_a_policy_of_equal_probabilities() -> None:
    agent, random = MmdAgent(100, depth=40, network=CompiledNetwork(random_mlp(1, 4))), make_agent("random")
    assert wins(20, agent, random, players=2) >= 13


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("mmd", "mmd:400"),
        ("mmd:0.1s:depth=32", "mmd:0.1s"),
        ("mmd:50:against_temperature=1:against=multi", "mmd:50:against=multi:against_temperature=1"),
        ("mmd:50:step=1:depth=3:play=sample", "mmd:50:depth=3:step=1:play=sample"),
    ],
)
def test_names(name: str, canonical: str) -> None:
    assert make_agent(name).name == canonical
    assert make_agent(canonical).name == canonical


@pytest.mark.parametrize("name", ["mmd:0", "mmd:depth=x", "mmd:depth=1001", "mmd:step=-1", "mmd:play=worst"])
def test_wrong_settings_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(name))):
        make_agent(name)
