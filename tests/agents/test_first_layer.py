"""The lookup table for the first layer of a network."""

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.network.first_layer import first_layer_of, first_layer_outputs
from pocketmars_env.core.games import Games
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.mlps import blank_mlp


def test_a_small_example() -> None:
    """Entry 0 is "count / 2" with the flags "at least 1" and "at least 2"; entry 1 is "count / 10"."""
    mlp = blank_mlp(SPEC, layers=1, width=3, flags=2)._replace(
        columns=np.array([0, 0]),
        cuts=np.array([0.25, 0.75], np.float32),
        first=np.array([[2, 0, 0], [0, 10, 0], [1, 1, 0], [5, 0, 0]], np.float32),
        biases=np.array([[0, 1, -1]], np.float32),
    )
    layer = first_layer_of(mlp, np.array([1 / 2, 1 / 10], np.float32))
    assert layer.table.tolist() == [[2, 1, 0], [8, 1, 0], [0, 1, 0]]
    counts = np.array([[0, 0], [1, 0], [2, 0], [0, 7], [2, 10]], np.uint8)
    expected = [[0, 1, 0], [2, 2, 0], [8, 2, 0], [0, 8, 0], [8, 12, 0]]  # the last output is cut to 0
    assert np.allclose(first_layer_outputs(counts, layer), expected)


@pytest.mark.parametrize("name", ["solo", "da_seat", "multi", "duel"])
def test_it_equals_the_matrix_multiplication(name: str) -> None:
    policy = make_agent(name)
    assert isinstance(policy, PolicyAgent)
    assert policy.mlp
    games = Games(300, policy.spec, seed=1)
    for _ in range(60):
        games.step(games.random_actions())
        games.reset(games.over)
    views = games.views(np.arange(300), games.to_play)
    flags = views.observations[:, policy.mlp.columns] >= policy.mlp.cuts
    inputs = np.concatenate([views.observations, flags], axis=1)
    expected = np.maximum(inputs @ policy.mlp.first + policy.mlp.biases[0], 0)
    layer = first_layer_of(policy.mlp, policy.spec.scales)
    found = first_layer_outputs(views.observe(np.dtype(np.uint8))[0], layer)
    assert found.dtype == np.float32
    assert np.allclose(found, expected, atol=1e-5)


def test_no_observations() -> None:
    layer = first_layer_of(blank_mlp(SPEC, width=4), SPEC.scales)
    assert first_layer_outputs(np.zeros((0, SPEC.observation_size), np.uint8), layer).shape == (0, 4)
