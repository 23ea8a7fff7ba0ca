"""A network in training as an agent, and the Gumbel noise that samples from its policy."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import chisquare

from pocketmars_agents.bots.policy_agent import gumbel_noise
from pocketmars_env import NUM_ACTIONS, Game, Views
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.network import Network, masked
from pocketmars_training.common.network_agent import NetworkAgent
from tests.agents.playing import check_alone, views_of


def seeds_of(count: int) -> Any:
    return np.random.default_rng(2).integers(0, 2**64, size=count, dtype=np.uint64)


def test_a_row_of_the_noise_depends_on_its_seed_alone() -> None:
    seeds = seeds_of(9)
    noise = gumbel_noise(seeds, NUM_ACTIONS)
    assert noise.dtype == np.float32
    assert noise.shape == (9, NUM_ACTIONS)
    for k in range(9):
        assert np.array_equal(gumbel_noise(seeds[k : k + 1], NUM_ACTIONS)[0], noise[k])
    assert np.array_equal(gumbel_noise(seeds[::-1], NUM_ACTIONS), noise[::-1])
    assert len(np.unique(noise)) > 0.99 * noise.size
    extremes = gumbel_noise(np.array([0, 2**64 - 1], dtype=np.uint64), NUM_ACTIONS)
    assert np.isfinite(extremes).all()


def test_the_noise_has_the_gumbel_distribution() -> None:
    noise = gumbel_noise(seeds_of(2_000), NUM_ACTIONS).astype(np.float64)
    assert abs(noise.mean() - np.euler_gamma) < 0.01
    assert abs(noise.var() - np.pi**2 / 6) < 0.02
    rows: Any = np.corrcoef(noise[:50])
    assert abs(rows[~np.eye(50, dtype=bool)]).max() < 0.3


def test_the_highest_with_noise_is_a_draw_from_the_softmax() -> None:
    logits = np.array([0.0, 1.0, -2.0, 0.5, 3.0], dtype=np.float32)
    count = 50_000
    drawn = (logits + gumbel_noise(seeds_of(count), 5)).argmax(axis=1)
    expected = np.exp(logits) / np.exp(logits).sum() * count
    assert chisquare(np.bincount(drawn, minlength=5), expected * count / expected.sum()).pvalue > 0.01


def test_samples_follow_the_policy(network: Network) -> None:
    views = views_of(60)
    busiest = int(views.masks.sum(axis=1).argmax())
    count = 20_000
    many = Views(SPEC, views.states, np.full(count, busiest), np.full(count, views.seats[busiest]))
    drawn = NetworkAgent("sampler", network, is_sampling=True).act_batch(many, seeds_of(count))
    mask = torch.from_numpy(views.masks[busiest] != 0)
    with torch.no_grad():
        logits, _ = network(torch.from_numpy(views.observations[busiest : busiest + 1]))
    expected = masked(logits, mask[None]).softmax(dim=1)[0].numpy().astype(np.float64)
    found = np.bincount(drawn, minlength=NUM_ACTIONS)
    assert not found[~mask.numpy()].any()
    likely = expected * count > 5  # as the χ² test requires
    assert likely.sum() > 2
    assert found[~likely].sum() < 50
    drawn_likely = found[likely].sum()
    assert chisquare(found[likely], expected[likely] / expected[likely].sum() * drawn_likely).pvalue > 0.01


@pytest.mark.parametrize("is_sampling", [False, True])
def test_answers_are_legal_and_do_not_depend_on_the_views_beside(network: Network, is_sampling: bool) -> None:
    check_alone(NetworkAgent("model", network, is_sampling), views_of(200), every=7)


def test_one_view_at_a_time(network: Network) -> None:
    agent = NetworkAgent("model", network, is_sampling=True)
    game, rng = Game(players=2, seed=3), np.random.default_rng(3)
    while not game.over:
        game.step(agent.act(game.view(), rng))  # raises if the action is illegal


def test_a_frozen_copy_stays_when_the_network_learns(network: Network) -> None:
    views = views_of(300)
    seeds = seeds_of(len(views))
    frozen = NetworkAgent.frozen("past", network)
    present = NetworkAgent("present", network, is_sampling=True)
    before = present.act_batch(views, seeds)
    assert np.array_equal(frozen.act_batch(views, seeds), before)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn_like(weight))
    assert np.array_equal(frozen.act_batch(views, seeds), before)
    assert not np.array_equal(present.act_batch(views, seeds), before)
    frozen.load_state_dict(network.state_dict())
    assert np.array_equal(frozen.act_batch(views, seeds), present.act_batch(views, seeds))
