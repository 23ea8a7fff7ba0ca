"""Expert iteration."""

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pocketmars_env import NUM_ACTIONS
from pocketmars_training.common.network import masked
from pocketmars_training.expert_iteration import ExpertRun, kl_divergences, reverse_kl, sample_policies
from tests.training.tiny import tiny_expert, with_one_matchup


def expert(folder: Path, start: Path, **changes: Any) -> contextlib.closing[ExpertRun]:
    return with_one_matchup(ExpertRun(tiny_expert(folder, start, **changes)))


def collect(run: ExpertRun, samples: int) -> None:
    run.start_games()
    while run.buffer.added < samples:
        for games in run.games:
            run.play(games)


def test_a_resumed_run_searches_with_the_resumed_network(tmp_path: Path, start: Path) -> None:
    targets, states = [], []
    with expert(tmp_path, start, total_timesteps=60) as run:
        run.train()
        states.append(run.network.state_dict())
        run.start_games()
        indices = run.games[0].learner_games()
        views, seeds = run.games[0].learner_views(indices), indices.astype(np.uint64)
        targets.append(run.expert.search(views, seeds))
    with expert(tmp_path, start, total_timesteps=60, resume=True) as run:
        states.append(run.network.state_dict())
        targets.append(run.expert.search(views, seeds))
    with expert(tmp_path / "new", start, total_timesteps=60) as run:
        targets.append(run.expert.search(views, seeds))
    assert all(torch.equal(weight, states[1][name]) for name, weight in states[0].items())
    assert np.array_equal(targets[0].policies, targets[1].policies)
    assert not np.array_equal(targets[0].policies, targets[2].policies)


@pytest.mark.parametrize(
    "changes", [{"searched_if_sure": 0.0}, {"temperature": 1_000.0}, {"simulations": 10**9}]
)
def test_settings_that_the_search_does_not_accept_are_refused(
    changes: dict[str, Any], tmp_path: Path, start: Path
) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        tiny_expert(tmp_path, start, **changes)


# with a bot share of 1.0, the learner has no decision in some steps
@pytest.mark.parametrize("bot_share", [0.0, 1.0])
def test_samples_have_a_choice_and_legal_targets(tmp_path: Path, start: Path, bot_share: float) -> None:
    with expert(tmp_path, start, searched=1.0, searched_if_sure=1.0, bot_share=bot_share, n_envs=3) as run:
        collect(run, 60)
        batch = run.buffer.batch(np.arange(60))
    assert (batch.masks.sum(dim=1) > 1).all()
    assert not batch.policies[~batch.masks].any()
    assert batch.policies.sum(dim=1).numpy() == pytest.approx(np.ones(60), abs=1e-2)
    assert batch.win_shares.sum(dim=1).numpy() == pytest.approx(np.ones(60), abs=1e-5)
    assert set(batch.seats.tolist()) <= {2, 3, 4}


def test_few_decisions_are_searched_when_the_network_is_sure(tmp_path: Path, start: Path) -> None:
    with expert(tmp_path, start, searched=0.8, searched_if_sure=0.1, sure=0.9) as run:
        run.start_games()
        masks = np.ones((8_000, NUM_ACTIONS), dtype=np.int8)
        policies = np.zeros((8_000, NUM_ACTIONS), dtype=np.float32)
        policies[:4_000, 0], policies[4_000:, :2] = 0.95, 0.5
        searched = run.choose_searched(policies, masks)
        assert searched[:4_000].mean() == pytest.approx(0.1, abs=0.02)
        assert searched[4_000:].mean() == pytest.approx(0.8, abs=0.02)
        masks[:, 1:] = 0
        assert not run.choose_searched(policies, masks).any()


def test_the_targets_are_learned(tmp_path: Path, start: Path) -> None:
    with expert(tmp_path, start, players=(3, 4), learning_rate=3e-3, outcome=0.0) as run:
        collect(run, 100)
        batch = run.buffer.batch(np.arange(100))
        before = run.step(batch)
        for _ in range(60):
            after = run.step(batch)
    assert after["policy_loss"] < before["policy_loss"] / 2
    assert after["value_loss"] < before["value_loss"] / 2
    assert after["opponent_split_loss"] < before["opponent_split_loss"]


def test_actions_are_sampled_by_their_probabilities() -> None:
    policies = np.tile(np.array([0.0, 0.25, 0.0, 0.75, 0.0], dtype=np.float32), (20_000, 1))
    found = np.bincount(sample_policies(policies, np.random.default_rng(0)), minlength=5) / 20_000
    assert found == pytest.approx([0.0, 0.25, 0.0, 0.75, 0.0], abs=0.01)
    assert found[0] == found[2] == found[4] == 0


def test_the_noise_of_targets_averages_out() -> None:
    """With noisy targets, the loss is minimal for the policy without noise, not for one with more entropy."""
    rng = np.random.default_rng(0)
    logits = np.full((20_000, 5), -np.inf)
    logits[:, :3] = rng.normal([2.0, 1.0, 0.0], 1.0, size=(20_000, 3))
    targets = torch.from_numpy(logits).softmax(dim=1).float()
    own = torch.zeros(5, requires_grad=True)
    mask = torch.arange(5) < 3
    optimizer = torch.optim.Adam([own], lr=0.05)
    for _ in range(200):
        log_probs = masked(own[None], mask[None]).log_softmax(dim=1)
        optimizer.zero_grad()
        reverse_kl(targets, log_probs).backward()
        optimizer.step()
    found = log_probs.exp()[0, :3].detach().numpy()
    quiet = np.exp([2.0, 1.0, 0.0]) / np.exp([2.0, 1.0, 0.0]).sum()
    assert found == pytest.approx(quiet, abs=0.01)
    assert targets.mean(dim=0)[0] < quiet[0] - 0.03


def test_divergences_are_those_of_the_definition() -> None:
    one = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]], dtype=np.float32)
    other = np.array([[0.25, 0.75, 0.0], [0.5, 0.5, 0.0]], dtype=np.float32)
    expected = [0.5 * np.log(2) + 0.5 * np.log(2 / 3), np.log(2)]
    assert kl_divergences(one, other) == pytest.approx(expected, rel=1e-5)
