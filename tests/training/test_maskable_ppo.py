"""The faster masked policy computes the same results as the policy of sb3-contrib."""

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.games.pocket_mars.ids import SOLO_ID
from pocketmars_training.common.maskable_ppo import MaskedPolicy, new_model
from pocketmars_training.common.network import sample_actions
from pocketmars_training.solo import SoloSettings

GAMES = 64


@pytest.fixture(scope="module")
def questions() -> Any:
    """Observations of games in progress, and their action masks."""
    env, rng = PocketMarsVecEnv(SOLO_ID, GAMES), np.random.default_rng(1)
    observations: Any = env.reset()
    for _ in range(12):
        masks = np.stack(env.env_method("action_masks"))
        observations, *_ = env.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
    return torch.from_numpy(observations.copy()), np.stack(env.env_method("action_masks")).astype(bool)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Any:
    settings = SoloSettings(
        run=tmp_path_factory.mktemp("run"), n_envs=GAMES, batch_size=GAMES, net_arch=(32,)
    )
    return new_model(PocketMarsVecEnv(SOLO_ID, GAMES), settings).policy


def test_actions_are_judged_as_sb3_judges_them(policy: Any, questions: Any) -> None:
    observations, masks = questions
    actions = torch.tensor([np.flatnonzero(mask)[-1] for mask in masks])
    for mask_form in (masks, torch.from_numpy(masks).float().flatten()):  # in rollouts, and in the buffer
        ours = policy.evaluate_actions(observations, actions, mask_form)
        theirs: Any = MaskableActorCriticPolicy.evaluate_actions(policy, observations, actions, masks)
        for mine, their in zip(ours, theirs):
            assert mine.shape == their.shape
            torch.testing.assert_close(mine, their)


def test_the_likeliest_actions_are_those_of_sb3(policy: Any, questions: Any) -> None:
    observations, masks = questions
    actions, values, logs = policy(observations, deterministic=True, action_masks=masks)
    their_actions, their_values, their_logs = MaskableActorCriticPolicy.forward(
        policy, observations, True, masks
    )
    torch.testing.assert_close(values, their_values)
    torch.testing.assert_close(logs, their_logs)
    # Two actions can be equally probable up to rounding; then either may be chosen.
    same = actions == their_actions
    _, logs_here, _ = policy.evaluate_actions(observations, their_actions, masks)
    torch.testing.assert_close(logs_here[~same], logs[~same])
    assert same.float().mean() > 0.9
    assert masks[np.arange(GAMES), actions].all()


def test_gradients_are_those_of_sb3(policy: Any, questions: Any) -> None:
    observations, masks = questions
    actions = torch.tensor([np.flatnonzero(mask)[0] for mask in masks])
    found: list[Any] = []
    kind: Any
    for kind in (MaskedPolicy, MaskableActorCriticPolicy):
        policy.zero_grad()
        values, logs, entropies = kind.evaluate_actions(policy, observations, actions, masks)
        (values.mean() + logs.mean() + entropies.mean()).backward()
        found.append([parameter.grad.clone() for parameter in policy.parameters()])
    for mine, their in zip(*found):
        torch.testing.assert_close(mine, their)


def test_samples_are_legal_and_as_likely_as_their_probabilities() -> None:
    torch.manual_seed(1)
    probabilities = torch.tensor([0.0, 0.5, 0.0, 0.3, 0.2, 0.0])
    logs = probabilities.log().clamp(min=-1e8)
    drawn = torch.bincount(sample_actions(logs.expand(20_000, -1)), minlength=6) / 20_000
    assert drawn[probabilities == 0].sum() == 0
    assert (drawn - probabilities).abs().max() < 0.015


def test_a_sample_s_likelihood_is_that_of_its_action(policy: Any, questions: Any) -> None:
    observations, masks = questions
    actions, values, logs = policy(observations, action_masks=masks)
    assert masks[np.arange(GAMES), actions.numpy()].all()
    again = policy.evaluate_actions(observations, actions, masks)
    torch.testing.assert_close(again[0], values)
    torch.testing.assert_close(again[1], logs)
