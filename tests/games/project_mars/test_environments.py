"""The Project Mars environments pass the checks of PettingZoo, Gymnasium, Stable-Baselines3 and OpenSpiel."""

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

from pocketmars_env import projectmars_v0, sample_actions
from pocketmars_env.games.project_mars.spec import SPEC
from tests.envs.vectors import ends_of_equal_play
from tests.games.project_mars.modes import MODES

DUEL = "projectmars/Duel-v0"


@pytest.mark.parametrize(
    ("mode", "make"), [*((mode, projectmars_v0.env) for mode in MODES), ("same", projectmars_v0.raw_env)]
)
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
def test_pettingzoo_checks_every_mode(mode: str, make: Any) -> None:
    api_test(make(**MODES[mode]), num_cycles=300)
    seed_test(lambda: make(**MODES[mode]))
    parallel_api_test(turn_based_aec_to_parallel(make(**MODES[mode])), num_cycles=50)


def test_pettingzoo_has_its_id() -> None:
    if hasattr(pettingzoo, "make"):
        env = pettingzoo.make("aec", "projectmars/projectmars-v0", mode="same")
        assert env.possible_agents == ["player_0", "player_1"]


@pytest.mark.parametrize("mode", MODES)
def test_gymnasium_checks_every_mode(mode: str) -> None:
    env = gymnasium.make(DUEL, seat=len(mode) % 2, opponents="random", **MODES[mode])
    check_env(env.unwrapped, skip_render_check=True)
    assert env.observation_space.shape == (SPEC.observation_size,)


@pytest.mark.parametrize("mode", MODES)
def test_native_vectors_equal_single_environments(mode: str) -> None:
    settings: dict[str, Any] = {"opponents": "random", "reward": "margin", **MODES[mode]}
    native = gymnasium.make_vec(DUEL, 3, "vector_entry_point", **settings)
    singles = SyncVectorEnv(
        [lambda: projectmars_v0.DuelEnv(**settings)] * 3, autoreset_mode=AutoresetMode.SAME_STEP
    )
    ends_of_equal_play(native, singles, 150)


def test_stable_baselines3_checks_it() -> None:
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env as check_sb3

    from pocketmars_env.adapters.sb3 import PocketMarsVecEnv

    check_sb3(projectmars_v0.DuelEnv(mode="random"))
    env: Any = PocketMarsVecEnv(DUEL, 8, seed=1, mode="same", opponents="random")
    env.reset()
    masks = np.stack(env.env_method("action_masks"))
    assert env.step(sample_actions(masks, np.random.default_rng(1)))[0].shape == (8, SPEC.observation_size)


@pytest.mark.parametrize(("mode", "reward"), [("starter", "win"), ("same", "margin"), ("random", "win")])
def test_open_spiel_accepts_it(mode: str, reward: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("pocketmars_env.adapters.open_spiel")
    game = pyspiel.load_game("python_project_mars", {"mode": mode, "reward": reward})
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert game.max_utility() == (1 if reward == "win" else SPEC.margin_bound)
