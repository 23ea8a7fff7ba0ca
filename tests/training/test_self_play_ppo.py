"""Self-play PPO that learns from all seats."""

import contextlib
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_training.common.network import masked
from pocketmars_training.common.rollout_buffer import RolloutBuffer
from pocketmars_training.ppo import PpoRun
from tests.training.tiny import tiny_self_play_ppo, with_one_matchup


def self_play_ppo(folder: Path, start: Path | None, **changes: Any) -> contextlib.closing[PpoRun]:
    return with_one_matchup(PpoRun(tiny_self_play_ppo(folder, start, **changes)))


def collect(run: PpoRun) -> RolloutBuffer:
    run.start_games()
    return run.collect()


def test_a_run_without_a_start_begins_with_the_seed_s_weights(tmp_path: Path) -> None:
    found = []
    for folder, seed in (("one", 1), ("again", 1), ("other", 2)):
        changes = {"seed": seed, "net_arch": (24, 24, 24), "total_timesteps": 300}
        with self_play_ppo(tmp_path / folder, None, **changes) as run:
            assert [linear.out_features for linear in run.learner.trunk.linears()] == [24, 24, 24]
            run.train()
        found.append(run.learner.action_net.weight)
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])
    agent = PolicyAgent(tmp_path / "one" / "multi.onnx")
    assert "start" not in agent.card
    assert agent.mlp is not None
    with self_play_ppo(tmp_path / "next", tmp_path / "one" / "multi.onnx") as run:
        assert run.start_card == agent.card
    with self_play_ppo(tmp_path / "one", None, **(changes | {"seed": 1, "resume": True})) as run:
        assert run.num_timesteps == agent.card["decisions"]


def test_an_interruption_stops_all_threads_during_a_rollout(
    tmp_path: Path, start: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = {"threads": 2, "train_freq": 10**8, "total_timesteps": 10**8}
    with self_play_ppo(tmp_path, start, **changes) as run:  # leaving the block waits for all threads
        run.start_games()
        forward, calls = run.play_forward, itertools.count()

        def interrupted(observations: torch.Tensor) -> tuple[torch.Tensor, ...]:
            if next(calls) == 20:
                raise KeyboardInterrupt
            return forward(observations)

        monkeypatch.setattr(run, "play_forward", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.collect()


def test_good_actions_become_more_probable(tmp_path: Path, start: Path) -> None:
    with self_play_ppo(tmp_path, start, learning_rate=1e-3, ent_coef=0.0, barrier_coef=0.0) as run:
        found = collect(run)
        is_good = torch.from_numpy(np.random.default_rng(0).random(found.size) < 0.5)
        batch = found._replace(advantages=torch.where(is_good, 1.0, -1.0))
        for _ in range(40):
            numbers = run.step(batch)
        with torch.no_grad():
            policies = masked(run.forward(batch.observations)[0], batch.masks).log_softmax(dim=1)
        changes = policies[torch.arange(len(policies)), batch.actions] - batch.log_probs
        has_choice = found.masks.sum(dim=1) > 1
        assert changes[is_good & has_choice].mean() > 0.05
        assert changes[~is_good & has_choice].mean() < -0.05
        # the clipped objective has no gradient beyond the clipping range
        assert (changes.exp() - 1).abs()[has_choice].mean() < 0.4
        assert numbers["clip_fraction"] > 0
        assert numbers["approx_kl"] > 0
        assert numbers["policy_loss"] < 0


def test_values_and_opponents_split_are_learned(tmp_path: Path, start: Path) -> None:
    with self_play_ppo(tmp_path, start, players=(3, 4), learning_rate=3e-3, gae_lambda=1.0) as run:
        batch = collect(run)
        before = run.step(batch)
        for _ in range(60):
            after = run.step(batch)
    assert after["value_loss"] < before["value_loss"] / 2
    assert after["opponent_split_loss"] < before["opponent_split_loss"]


def test_the_entropy_bonus_raises_the_entropy(tmp_path: Path, start: Path) -> None:
    found = {}
    for bonus in (0.0, 1.0):
        with self_play_ppo(tmp_path / str(bonus), start, learning_rate=1e-3, ent_coef=bonus) as run:
            batch = collect(run).batch(np.arange(400))
            steps = [run.step(batch) for _ in range(30)]
            found[bonus] = steps[-1]["entropy"] - steps[0]["entropy"]
    assert found[1.0] > max(found[0.0], 0)


def test_the_barrier_restores_actions_that_are_never_played(tmp_path: Path, start: Path) -> None:
    """All advantages are 0; the entropy bonus has little effect on very improbable actions."""
    most_probable = {}
    for name in ("barrier_coef", "ent_coef"):
        weights = {"barrier_coef": 0.0, "ent_coef": 0.0} | {name: 0.01}
        with self_play_ppo(tmp_path / name, start, learning_rate=1e-2, **weights) as run:
            with torch.no_grad():
                run.learner.action_net.bias[::2] -= 20.0
            found = collect(run)
            batch = found._replace(advantages=torch.zeros(found.size)).batch(np.arange(400))
            for _ in range(60):
                run.step(batch)
            with torch.no_grad():
                policies = masked(run.forward(batch.observations)[0], batch.masks).softmax(dim=1)
            # positions in which some, but not all, legal actions were made improbable
            has_both = batch.masks[:, ::2].any(dim=1) & batch.masks[:, 1::2].any(dim=1)
            most_probable[name] = policies[has_both][:, ::2].amax(dim=1).median().item()
    assert most_probable["barrier_coef"] > 1e-3 > most_probable["ent_coef"]


def test_exploration_decays_with_the_learning_rate(tmp_path: Path, start: Path) -> None:
    with self_play_ppo(tmp_path, start) as run:
        assert run.decayed == 1.0
        found = collect(run)
        run.num_timesteps = run.settings.total_timesteps // 2
        run.train_on(found)
        assert run.decayed == pytest.approx(0.55)
        assert run.optimizer.param_groups[0]["lr"] == pytest.approx(0.55 * run.settings.learning_rate)


def test_an_update_stops_at_the_target_kl(tmp_path: Path, start: Path) -> None:
    weights = []
    for name, target_kl in (("all", None), ("stopped", 1e-9)):
        changes = {"n_epochs": 4, "learning_rate": 1e-3, "target_kl": target_kl}
        with self_play_ppo(tmp_path / name, start, **changes) as run:
            run.train_on(collect(run))
            state = run.optimizer.state_dict()["state"]
            weights.append(int(state[0]["step"]))
    assert weights[1] < weights[0]


def test_a_deeper_network_starts_with_the_same_outputs(tmp_path: Path, start: Path) -> None:
    with self_play_ppo(tmp_path / "as_it_was", start) as run:
        observations = collect(run).batch(np.arange(200)).observations
        expected = run.forward(observations)
    with self_play_ppo(tmp_path / "deeper", start, net_arch=(12,) * 4) as run:
        assert len(run.learner.trunk.linears()) == 4
        assert all(map(torch.equal, expected, run.forward(observations)))
        run.train()
    mlp = PolicyAgent(tmp_path / "deeper" / "multi.onnx").mlp
    assert mlp is not None
    assert len(mlp.biases) == 4
    assert not np.array_equal(mlp.others[-1], np.eye(len(mlp.value)))


def test_bfloat16_changes_the_outputs_little(tmp_path: Path, start: Path) -> None:
    with self_play_ppo(tmp_path, start) as run:
        observations = collect(run).batch(np.arange(200)).observations
        exact = run.forward(observations)
    with self_play_ppo(tmp_path / "half", start, bfloat16=True) as run:
        rough = run.forward(observations)
    for one, other in zip(exact, rough, strict=True):
        assert other.dtype == torch.float32
        assert torch.allclose(one, other, rtol=0.05, atol=0.05)
    assert not torch.equal(exact[0], rough[0])


def test_an_epoch_goes_over_all_decisions_once(tmp_path: Path, start: Path) -> None:
    with self_play_ppo(tmp_path, start, n_epochs=2) as run:
        run.start_games()
        full = list(run.batches(64 * 3))
        assert sorted(np.concatenate(full[:3]).tolist()) == list(range(64 * 3))
        assert sorted(np.concatenate(full[3:]).tolist()) == list(range(64 * 3))
        assert [len(rows) for rows in run.batches(64 * 3 + 63)] == [64] * 6
        assert [len(rows) for rows in run.batches(5)] == [5] * 2


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"n_envs": 17, "threads": 2}, [(2, 3), (3, 3), (4, 3), (2, 3), (3, 3), (4, 2)]),
        ({"n_envs": 16, "players": (2, 2, 4)}, [(2, 6), (2, 5), (4, 5)]),
    ],
)
def test_the_games_are_split_among_threads_and_kinds(
    tmp_path: Path, start: Path, changes: dict[str, Any], expected: list[tuple[int, int]]
) -> None:
    with self_play_ppo(tmp_path, start, **changes) as run:
        run.start_games()
        parts = [games.games for collector in run.collectors for games in collector.games]
    assert [(games.config.players, len(games)) for games in parts] == expected
