"""How other libraries use the environments, and what the self-play page states about the game."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test
from pettingzoo.utils import turn_based_aec_to_parallel

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, pocketmars_v1, projectmars_v0
from pocketmars_env.pocketmars_v1 import env
from tests.modes import MODES


def rewards_by_random_play(made: Any, seed: int) -> dict[str, float]:
    """Play first legal actions in PettingZoo's loop, with masks from the infos; return the final rewards."""
    made.reset(seed=seed)
    final = {}
    for agent in made.agent_iter():
        observation, reward, terminated, truncated, info = made.last()
        assert made.observation_space(agent).contains(observation)
        if terminated or truncated:
            final[agent] = reward
            made.step(None)
        else:
            made.step(int(np.flatnonzero(info["action_mask"])[0]))
    return final


@pytest.mark.parametrize("mode", MODES)
def test_what_agilerl_asks_of_a_parallel_environment(mode: str) -> None:
    """AgileRL cannot be installed with this PettingZoo version, so the test imitates AgileRL's calls.

    AgileRL rejects masks in observations, stacks the masks of all agents at every step, and sets the logits
    of illegal actions to -1e8.
    """
    parallel = turn_based_aec_to_parallel(env(**MODES[mode], action_mask="info"))
    rng = np.random.default_rng(1)
    observations, infos = parallel.reset(seed=1)
    while parallel.agents:
        assert set(observations) == set(infos) == set(parallel.possible_agents)
        assert {observation.shape for observation in observations.values()} == {(OBSERVATION_SIZE,)}
        masks = np.array([info["action_mask"] for info in infos.values()])
        assert masks.shape == (len(infos), NUM_ACTIONS)
        logits = np.where(masks == 1, rng.normal(size=masks.shape), -1e8)
        actions = dict(zip(infos, logits.argmax(axis=1).tolist()))
        observations, rewards, terminations, truncations, infos = parallel.step(actions)
    assert all(terminations.values())
    assert not any(truncations.values())  # which an illegal action would also set
    assert any(rewards.values())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", [pocketmars_v1.parallel_env, projectmars_v0.parallel_env])
def test_pettingzoos_test_of_the_parallel_environment(make: Any) -> None:
    parallel_api_test(make(), num_cycles=500)


@pytest.mark.parametrize("mode", MODES)
def test_the_parallel_environment_plays_the_games_of_env(mode: str) -> None:
    parallel, aec = pocketmars_v1.parallel_env(**MODES[mode]), env(**MODES[mode])
    observations, _ = parallel.reset(seed=3)
    aec.reset(seed=3)
    rng, infos = np.random.default_rng(1), {}
    while parallel.agents:
        legal = {agent: np.flatnonzero(seen["action_mask"]) for agent, seen in observations.items()}
        actions = {agent: int(rng.choice(own)) if len(own) else 0 for agent, own in legal.items()}
        aec.step(actions[aec.agent_selection])
        observations, rewards, *_, infos = parallel.step(actions)
    assert parallel.unwrapped.game.to_bytes() == aec.unwrapped.game.to_bytes()
    assert list(rewards.values()) == [aec.unwrapped.rewards[agent] for agent in rewards]
    assert sum(info["win_share"] for info in infos.values()) <= 1


SUPERSUIT: dict[str, tuple[Any, ...]] = {
    "agent_indicator_v0": (),
    "clip_reward_v0": (),
    "delay_observations_v0": (1,),
    "dtype_v0": (np.float16,),
    "flatten_v0": (),
    "frame_stack_v1": (3,),
    "max_observation_v0": (2,),
    "nan_random_v0": (),
    "normalize_obs_v0": (0, 1),
    "pad_action_space_v0": (),
    "pad_observations_v0": (),
    "reshape_v0": ((OBSERVATION_SIZE, 1),),
}


@pytest.mark.parametrize("wrapper", SUPERSUIT)
def test_wrappers_of_supersuit_leave_the_game_as_it_is(wrapper: str) -> None:
    supersuit = pytest.importorskip("supersuit")
    wrapped = getattr(supersuit, wrapper)(env(players=3, action_mask="info"), *SUPERSUIT[wrapper])
    assert rewards_by_random_play(wrapped, 1) == rewards_by_random_play(env(players=3, action_mask="info"), 1)


def test_seats_do_not_alternate_and_the_last_mover_does_not_always_win() -> None:
    rng = np.random.default_rng(1)
    seen: Counter[str] = Counter()
    for seed in range(20):
        game, movers = Game(players=3, seed=seed), list[int]()
        while not game.over:
            movers.append(game.to_play or 0)
            game.step(int(rng.choice(game.legal)))
        seen["the same seat again"] += any(one == other for one, other in pairwise(movers))
        seen["another than the next"] += any((one + 2) % 3 == other for one, other in pairwise(movers))
        seen["the last mover wins" if movers[-1] in game.winners else "another wins"] += 1
    assert seen["the same seat again"] == seen["another than the next"] == 20
    assert min(seen["the last mover wins"], seen["another wins"]) > 0
