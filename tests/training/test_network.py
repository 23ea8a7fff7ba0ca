"""The policy and value network."""

from pathlib import Path

import numpy as np
import pytest
import torch

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.network.mlp import compact, evaluate_all, new_activations
from pocketmars_env import Games
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.export import export
from pocketmars_training.common.network import Network, masked, opponent_split_loss, sample_actions
from tests.agents.mlps import random_mlp


def test_searches_can_compute_it_themselves(tmp_path: Path) -> None:
    network = Network.untrained(SPEC, (16, 16, 16))
    export(network, tmp_path / "policy.onnx", {})
    mlp = PolicyAgent(tmp_path / "policy.onnx").mlp
    assert mlp is not None
    observations, masks = Games(50, seed=1).observe()
    with torch.no_grad():
        expected, expected_values = network(torch.from_numpy(observations))
    logits, values = expected.numpy().copy(), np.zeros(50, dtype=np.float32)
    logits[masks != 0] = 0
    evaluate_all(observations, masks, compact(mlp), new_activations(mlp, SPEC.max_seats), logits, values)
    assert np.allclose(logits, expected.numpy(), atol=1e-5)
    assert np.allclose(values, expected_values.numpy(), atol=1e-5)


def test_the_file_of_a_network_holds_the_same_network(tmp_path: Path, network: Network) -> None:
    export(network, tmp_path / "policy.onnx", {})
    found = PolicyAgent(tmp_path / "policy.onnx").mlp
    assert found is not None
    for name, array in network.to_mlp()._asdict().items():
        assert np.array_equal(array, getattr(found, name)), name
        assert array.flags.c_contiguous
    observations, _ = map(torch.from_numpy, Games(50, seed=1).observe())
    with torch.no_grad():
        for one, other in zip(network(observations), Network.of_mlp(found)(observations)):
            assert torch.equal(one, other)


def test_the_opponents_split_is_exported(tmp_path: Path) -> None:
    network = Network.of_mlp(random_mlp(2, 12, opponent_win_split=3))
    export(network, tmp_path / "policy.onnx", {})
    agent = PolicyAgent(tmp_path / "policy.onnx")
    observations, masks = Games(50, players=4, seed=1).observe()
    assert agent.mlp is not None
    assert np.array_equal(agent.mlp.opponent_win_split, network.to_mlp().opponent_win_split)
    assert np.array_equal(agent.mlp.opponent_win_split_biases, network.to_mlp().opponent_win_split_biases)
    with torch.no_grad():
        *_, expected = network(torch.from_numpy(observations))
    assert np.allclose(agent.outputs(observations, masks)["opponent_win_split"], expected.numpy(), atol=1e-4)


def test_the_opponents_split_does_not_train_the_trunk() -> None:
    network = Network.of_mlp(random_mlp(2, 12, opponent_win_split=3))
    observations, _ = Games(4, players=4, seed=1).observe()
    network(torch.from_numpy(observations))[2].sum().backward()
    assert all(weights.grad is None for weights in network.trunk.parameters())
    assert network.split_net is not None
    assert network.split_net.weight.grad is not None


def test_an_untrained_split_is_even(network: Network) -> None:
    observations = torch.from_numpy(Games(5, seed=1).observe()[0])
    before = network(observations)
    assert len(before) == 2
    network.add_split(3)
    *after, opponent_win_split = network(observations)
    assert all(map(torch.equal, before, after))
    assert torch.equal(opponent_win_split, torch.zeros(5, 3))
    assert len(network.to_mlp().opponent_win_split) == 3


def test_an_untrained_network_prefers_no_action() -> None:
    observations, masks = map(torch.from_numpy, Games(50, seed=1).observe())
    with torch.no_grad():
        logits, values = Network.untrained(SPEC, (32, 32))(observations)
    policies = masked(logits, masks != 0).softmax(dim=1)
    assert (policies.amax(dim=1) * (masks != 0).sum(dim=1) < 1.2).all()
    assert values.isfinite().all()


def test_the_opponents_split_is_learned_by_its_loss() -> None:
    """The loss is minimal at the logits of the mean shares; seats that are not in the game have no effect."""
    shares, logits = torch.tensor([[0.5, 0.25, 0.0], [0.0, 0.25, 0.0]]), torch.zeros(3, requires_grad=True)
    seats, optimizer = torch.tensor([3, 3]), torch.optim.Adam([logits], lr=0.05)
    for _ in range(300):
        optimizer.zero_grad()
        opponent_split_loss(shares, seats, logits.expand(2, 3)).backward()
        optimizer.step()
    assert logits[:2].softmax(dim=0).tolist() == pytest.approx([0.5, 0.5], abs=0.01)
    assert logits[2] == 0
    assert opponent_split_loss(torch.tensor([[0.7, 0.0, 0.0]]), torch.tensor([2]), logits[None]) == 0


def test_samples_are_legal_and_as_likely_as_their_probabilities() -> None:
    generator = torch.Generator().manual_seed(1)
    probabilities = torch.tensor([0.0, 0.5, 0.0, 0.3, 0.2, 0.0])
    logs = probabilities.log().clamp(min=-1e8)
    drawn = torch.bincount(sample_actions(logs.expand(20_000, -1), generator), minlength=6) / 20_000
    assert drawn[probabilities == 0].sum() == 0
    assert (drawn - probabilities).abs().max() < 0.015
