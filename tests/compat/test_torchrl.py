"""TorchRL plays the unmodified environments and trains on them."""

import re
import warnings
from typing import Any

import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, pocketmars_v1
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from tests.modes import MODES

pytest.importorskip("torchrl", exc_type=ImportError)

import torch

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # TorchRL uses names that it has deprecated itself
    from torchrl.envs import GymEnv
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
    from torchrl.envs.utils import check_env_specs
    from torchrl.objectives import ClipPPOLoss

    from examples import torchrl_ppo

# TorchRL warns about every PettingZoo version except 1.24.3. PyTorch and TorchRL use names that they have
# deprecated themselves.
pytestmark = [
    pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested:UserWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]

SEED = 5


def wrapped(**settings: Any) -> PettingZooWrapper:
    """Return a seeded environment with all seats in one group."""
    env = pocketmars_v1.env(**settings)
    env = PettingZooWrapper(env, use_mask=True, group_map={"seats": list(env.possible_agents)})
    env.set_seed(SEED)
    return env


@pytest.mark.parametrize("mode", MODES)
def test_the_specs_hold_in_every_mode(mode: str) -> None:
    check_env_specs(PettingZooWrapper(pocketmars_v1.env(**MODES[mode]), use_mask=True))


@pytest.mark.parametrize("mode", ["three", "solo_da_agent"])
def test_masks_in_the_infos_and_a_state_are_read(mode: str) -> None:
    env = PettingZooWrapper(
        pocketmars_v1.env(**MODES[mode], action_mask="info"), use_mask=True, return_state=True
    )
    check_env_specs(env)
    game = env.rollout(10_000)
    agents = len(env.possible_agents)
    assert game["state"].shape[1:] == (agents * OBSERVATION_SIZE,)
    assert game["next", "done"][-1].item()


@pytest.mark.parametrize("mode", ["two", "four", "solo_da_agent"])
def test_a_rollout_is_one_game(mode: str) -> None:
    torch.manual_seed(SEED)
    env = wrapped(**MODES[mode])
    game = env.rollout(10_000)
    assert game["next", "done"].flatten().tolist() == [False] * (len(game) - 1) + [True]
    assert (game["seats", "mask"].sum(-1) == 1).all()  # one seat acts at a time
    chosen = game["seats", "action_mask"].gather(-1, game["seats", "action"].unsqueeze(-1))
    assert chosen.all()
    rewards = game["next", "seats", "reward"].squeeze(-1)
    assert not rewards[:-1].any()
    assert rewards[-1].any()
    assert rewards[-1].sum().item() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("name", [SOLO_ID, TABLE_ID])
def test_it_reads_the_infos_of_a_gymnasium_environment(name: str) -> None:
    env = GymEnv(name)
    env.set_seed(SEED)
    env = env.auto_register_info_dict()
    env.reset()
    steps = env.rollout(20)
    assert steps["action_mask"].shape[1:] == (NUM_ACTIONS,)
    assert steps["next", "illegal_action"].dtype == torch.bool
    legal = steps["action_mask"].gather(-1, steps["action"].argmax(-1, keepdim=True)).squeeze(-1) != 0
    assert (steps["next", "illegal_action"] == ~legal).all()


def test_the_same_seeds_give_the_same_game() -> None:
    games = []
    for _ in range(2):
        torch.manual_seed(SEED)
        games.append(wrapped(players=3).rollout(50))
    assert (games[0] == games[1]).all()


@pytest.mark.parametrize("players", [2, 3])
def test_the_example_learns_for_an_iteration(
    players: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torchrl_ppo, "FRAMES", 1024)
    monkeypatch.setattr(torchrl_ppo, "EPOCHS", 1)
    actors: list[torch.nn.Module] = []
    before: list[torch.Tensor] = []

    def watched(actor: torch.nn.Module, *args: Any, **settings: Any) -> Any:
        actors.append(actor)
        before.extend(weights.detach().clone() for weights in actor.parameters())
        return ClipPPOLoss(actor, *args, **settings)

    monkeypatch.setattr(torchrl_ppo, "ClipPPOLoss", watched)
    torchrl_ppo.train(iterations=1, players=players)
    printed, errors = capfd.readouterr()
    assert re.search(r"^iteration 1: mean return [+-]\d\.\d+ in \d+ games$", printed, re.M)
    assert "Illegal" not in printed + errors
    (actor,) = actors
    assert any((old != new).any() for old, new in zip(before, actor.parameters()))
