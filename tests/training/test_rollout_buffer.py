"""Rollouts with the decisions of all seats."""

import numpy as np
import pytest
import torch

from pocketmars_agents import make_agent
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.device import NetworkInputs
from pocketmars_training.common.network import Network, masked
from pocketmars_training.common.rollout_buffer import (
    Forward,
    RolloutBuffer,
    RolloutCollector,
    advantages_of,
    concatenate,
)
from pocketmars_training.common.self_play_table import Bots
from pocketmars_training.common.training_spec import kinds_of
from tests.agents.mlps import random_mlp

INPUTS = NetworkInputs(SPEC, [SPEC.config(players=4)], torch.device("cpu"))


@pytest.fixture(scope="module")
def network() -> Forward:
    """A network that takes observations as the buffer stores them."""
    network = Network.of_mlp(random_mlp(2, 12))
    network.add_split(3)
    return lambda stored: network(INPUTS.of(stored))


def collector(
    counts: tuple[int, ...] = (6, 6, 6), bot_share: float = 0.5, gae_lambda: float = 0.9, seed: int = 1
) -> RolloutCollector:
    bots = [make_agent("random"), make_agent("greedy:1")]
    kinds = kinds_of(SPEC, (2, 3, 4)[: len(counts)])
    return RolloutCollector(SPEC, INPUTS, counts, kinds, Bots(bots, bot_share), 1.0, gae_lambda, (seed,))


def check_decisions(found: RolloutBuffer, network: Forward) -> None:
    """Check that the network made legal decisions in games with all player counts."""
    rows = torch.arange(found.size)
    assert found.masks[rows, found.actions].all()
    with torch.no_grad():
        logits, values, _ = network(found.observations)
        log_probs = masked(logits, found.masks).log_softmax(dim=1)[rows, found.actions]
    torch.testing.assert_close(values, found.values, atol=1e-5, rtol=0)
    torch.testing.assert_close(log_probs, found.log_probs, atol=1e-5, rtol=0)
    assert set(found.seats.tolist()) == {2, 3, 4}


def test_advantages_are_those_of_the_definition() -> None:
    values = np.array([0.5, -0.25, 0.125], np.float32)
    assert advantages_of(values, 1.0, 1.0, 1.0) == pytest.approx([0.5, 1.25, 0.875])
    assert advantages_of(values, 1.0, 1.0, 0.0) == pytest.approx([-0.75, 0.375, 0.875])
    for gamma, gae_lambda in ((1.0, 0.5), (0.9, 0.5), (0.5, 1.0)):
        errors = [gamma * -0.25 - 0.5, gamma * 0.125 + 0.25, 1.0 - 0.125]
        weights = gamma * gae_lambda
        expected = [sum(weights ** (k - i) * errors[k] for k in range(i, 3)) for i in range(3)]
        assert advantages_of(values, 1.0, gamma, gae_lambda) == pytest.approx(expected)


def test_every_seat_gets_its_own_return(network: Forward) -> None:
    found = collector(gae_lambda=1.0).collect(network, 800)
    assert 800 <= found.size < 1_600
    check_decisions(found, network)
    torch.testing.assert_close(found.win_shares.sum(dim=1), torch.ones(found.size))
    rewards = (found.win_shares[:, 0] * found.seats - 1) / (found.seats - 1)
    torch.testing.assert_close(found.values + found.advantages, rewards, atol=1e-5, rtol=0)


def test_a_batch_has_some_of_the_decisions(network: Forward) -> None:
    one, other = collector().collect(network, 50), collector(seed=2).collect(network, 50)
    both = concatenate([one, other])
    assert both.size == one.size + other.size
    batch = both.batch(np.array([one.size, 1]))
    for column, first, second in zip(batch, other, one):
        assert torch.equal(column, torch.stack([first[0], second[1]]))


def test_actions_are_sampled_from_the_policy(network: Forward) -> None:
    """The mean probability of the chosen actions equals its expectation under the policy."""
    found = collector((40,), bot_share=0.0).collect(network, 6_000)
    with torch.no_grad():
        policies = masked(network(found.observations)[0], found.masks).softmax(dim=1)
    expected = policies.square().sum(dim=1).mean().item()
    assert found.log_probs.exp().mean().item() == pytest.approx(expected, abs=0.01)


def test_the_learner_has_all_seats_or_one(network: Forward) -> None:
    shares = collector((8,), bot_share=0.0).collect(network, 300).win_shares[:, 0]
    assert shares.mean().item() == pytest.approx(0.5, abs=0.1)
    shares = collector((8,), bot_share=1.0).collect(network, 300).win_shares[:, 0]
    assert (shares.diff() != 0).sum() < 30  # the learner has one seat per game


def test_the_same_seed_gives_the_same_rollouts(network: Forward) -> None:
    one, again, other = (collector(seed=seed).collect(network, 200) for seed in (1, 1, 2))
    for name in RolloutBuffer._fields:
        assert torch.equal(getattr(one, name), getattr(again, name))
    assert not torch.equal(one.observations[:100], other.observations[:100])


def test_running_games_continue(network: Forward) -> None:
    playing = collector((30,), bot_share=0.0)
    first, second = playing.collect(network, 100), playing.collect(network, 100)
    assert not torch.equal(first.observations[:50], second.observations[:50])
    assert second.size >= 100
