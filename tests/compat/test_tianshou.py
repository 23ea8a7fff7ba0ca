"""Tianshou plays the unmodified PettingZoo environment and trains on it."""

import re
from typing import Any

import numpy as np
import pytest

from pocketmars_env import pocketmars_v1
from pocketmars_env.envs.rewards import final_rewards
from tests.modes import MODES

pytest.importorskip("tianshou", exc_type=ImportError)

from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

from examples import tianshou_dqn

# Tianshou uses features that NumPy and PyTorch have deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SEED = 5
GAMES = 4


@pytest.mark.parametrize("mode", MODES)
def test_its_collector_plays_every_mode(mode: str) -> None:
    np.random.seed(SEED)  # noqa: NPY002  # Tianshou uses NumPy's global generator
    env = PettingZooEnv(pocketmars_v1.env(**MODES[mode]))
    seats = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=seats, env=env)
    tables = DummyVectorEnv([lambda: PettingZooEnv(pocketmars_v1.env(**MODES[mode]))] * 2)
    tables.seed(SEED)
    buffer = VectorReplayBuffer(20_000, 2)
    collector = Collector(algorithm, tables, buffer)
    collector.reset()
    played = collector.collect(n_episode=GAMES)

    returns = played.returns.reshape(GAMES, len(seats))
    assert returns.any()
    if len(seats) > 1:
        np.testing.assert_allclose(returns.sum(axis=1), 0.0, atol=1e-6)
    decisions, _ = buffer.sample(0)  # a size of 0 returns all
    assert len(decisions) == played.n_collected_steps == played.lens.sum()
    assert decisions.obs.mask[np.arange(len(decisions)), decisions.act].all()
    assert set(decisions.obs.agent_id) == set(env.env.possible_agents)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_example_learns_for_an_iteration(
    players: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"TABLES": 2, "GAMES": 2, "UPDATES": 3}.items():
        monkeypatch.setattr(tianshou_dqn, name, value)
    targets: list[float] = []
    update = DQN._update_with_batch

    def watched(learner: DQN, batch: Any) -> Any:
        targets.extend(batch.returns.flatten().tolist())
        return update(learner, batch)

    monkeypatch.setattr(DQN, "_update_with_batch", watched)
    tianshou_dqn.train(iterations=1, players=players)
    printed, errors = capfd.readouterr()
    assert re.search(r"^iteration 1: mean return [+-]\d\.\d+ in 2 games$", printed, re.M)
    assert "Illegal" not in printed + errors
    # All learning targets are final rewards.
    ends = {final_rewards("win", [0] * players, range(k))[0] for k in range(1, players + 1)}
    ends |= {final_rewards("win", [0] * players, [1])[0]}
    assert {round(target, 4) for target in targets} <= {round(end, 4) for end in ends}
    assert targets
