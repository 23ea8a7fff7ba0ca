"""The Gymnasium environments of one learner, most tests with the solo game."""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.seeding import np_random

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, IllegalAction
from pocketmars_env.envs.rewards import RESULTS, REWARDS, final_rewards
from pocketmars_env.games.pocket_mars.config import EDITIONS, LEVELS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.rules.constants import Termination
from pocketmars_env.pocketmars_v1 import SoloEnv, TableEnv
from tests.envs import playing
from tests.envs.playing import pickled, play_learner
from tests.envs.vectors import KINDS

started = partial(playing.started, make=SoloEnv)


def illegal_action(env: SoloEnv) -> int:
    return int(np.flatnonzero(~env.action_masks())[0])


# --- the library's own checks ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_check_env(kind: str) -> None:
    single, _, settings = KINDS[kind]
    env = gymnasium.make(SOLO_ID if single is SoloEnv else TABLE_ID, **settings)
    # Rendering takes most of the time, and does not depend on the kind.
    check_env(env.unwrapped, skip_render_check=kind not in ("two", "solo_standard"))


def test_a_whole_game_through_make_and_its_checkers() -> None:
    env = gymnasium.make(SOLO_ID, level="cyborg")
    _, info = env.reset(seed=4)
    env.action_space.seed(4)
    is_over = False
    while not is_over:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        is_over = terminated or truncated
    assert reward in (-1.0, 1.0)


# --- spaces, observations, masks ------------------------------------------------------------------


def test_spaces() -> None:
    env = SoloEnv()
    assert env.observation_space == gymnasium.spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32)
    assert env.action_space == gymnasium.spaces.Discrete(NUM_ACTIONS)


def test_observations_and_masks_are_the_games() -> None:
    env = SoloEnv(draft=True)
    rng = np.random.default_rng(0)
    observation, info = env.reset(seed=2)
    while not env.game.over:
        assert np.array_equal(observation, env.game.observe(0))
        assert list(info) == ["action_mask", "illegal_action"]
        assert (info["illegal_action"].dtype, info["illegal_action"].shape) == (np.bool_, ())
        assert not info["illegal_action"]
        assert info["action_mask"].dtype == np.int8
        assert env.action_masks().dtype == np.bool_
        assert np.flatnonzero(info["action_mask"]).tolist() == env.game.legal
        assert np.flatnonzero(env.action_masks()).tolist() == env.game.legal
        observation, _, _, _, info = env.step(rng.choice(env.game.legal))
    assert tuple(info) == ("action_mask", "illegal_action", *RESULTS)
    assert not info["action_mask"].any()
    assert not env.action_masks().any()


def test_arrays_are_never_given_twice() -> None:
    env = SoloEnv()
    observation, info = env.reset(seed=1)
    arrays = [observation, *info.values(), env.action_masks(), env.action_masks()]
    observation, _, _, _, info = env.step(env.game.legal[0])
    arrays += [observation, *info.values()]
    for number, array in enumerate(arrays):
        assert not any(np.shares_memory(array, other) for other in arrays[:number])


# --- seeds ----------------------------------------------------------------------------------------


def test_the_games_seed_is_the_next_raw_number_of_the_random_stream() -> None:
    env = SoloEnv(level="super_droid")
    stream = np_random(7)[0].bit_generator
    for seed in (7, None, None):
        env.reset(seed=seed)
        expected = Game(mode="solo", level="super_droid", seed=stream.random_raw())
        assert env.game.to_bytes() == expected.to_bytes()


# --- the end of an episode ------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("reward", REWARDS)
def test_the_reward_comes_at_the_end(level: str, reward: str) -> None:
    env = started(level=level, reward=reward)
    *before, (_, last_reward, terminated, truncated, _) = play_learner(env)
    assert {step[1:4] for step in before} == {(0.0, False, False)}
    assert last_reward == final_rewards(reward, env.game.scores, env.game.winners)[0]
    assert (terminated, truncated) == (True, False)


def test_the_round_limit_truncates() -> None:
    env = started(round_limit=1, reward="margin")
    _, reward, terminated, truncated, _ = play_learner(env)[-1]
    assert terminated is False
    assert truncated is True
    player, da = env.game.scores
    assert reward == player - da


def test_stepping_without_an_episode_asks_for_reset() -> None:
    finished = started()
    play_learner(finished)
    for env in (SoloEnv(), finished):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            env.step(0)


# --- illegal actions ------------------------------------------------------------------------------


@pytest.mark.parametrize(("reward", "loss"), [("win", -1.0), ("margin", -60.0)])
def test_an_illegal_action_ends_the_episode_as_a_loss(reward: str, loss: float) -> None:
    env = started(reward=reward)
    play_learner(env, most=5)
    before = env.game.to_bytes()
    observation, got, terminated, truncated, info = env.step(illegal_action(env))
    assert (got, terminated, truncated) == (loss, True, False)
    assert info["illegal_action"]
    assert (info["termination"], info["won"], info["win_share"]) == (-1, False, 0.0)
    assert info["scores"].tolist() == env.game.scores
    assert env.game.to_bytes() == before
    assert np.array_equal(observation, env.game.observe(0))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(env.game.legal[0])
    env.reset()
    assert play_learner(env)[-1][2] is True


def test_an_illegal_action_is_refused_if_asked_for() -> None:
    env = started(illegal="raise")
    play_learner(env, most=5)
    before = env.game.to_bytes()
    with pytest.raises(IllegalAction, match="illegal"):
        env.step(illegal_action(env))
    assert env.game.to_bytes() == before
    assert play_learner(env)[-1][2] is True


@pytest.mark.parametrize("action", [1.5, None, "0", np.float32(0), np.zeros(2, dtype=np.int64)])
def test_an_action_that_is_no_integer_does_not_end_the_episode(action: Any) -> None:
    env = started()
    before = env.game.to_bytes()
    with pytest.raises(TypeError, match="action"):
        env.step(action)
    assert env.game.to_bytes() == before
    assert play_learner(env)[-1][2] is True


@pytest.mark.parametrize(
    "kind", [np.array, torch.tensor, lambda n: np.array([n]), lambda n: torch.tensor([n])]
)
def test_an_array_or_tensor_of_one_integer_is_the_integer(kind: Any) -> None:
    env, twin = started(), started()
    for _ in range(10):
        action = env.game.legal[-1]
        env.step(kind(action))
        twin.step(action)
    assert env.game.to_bytes() == twin.game.to_bytes()


def unmasked_play(seed: int, **settings: Any) -> tuple[list[float], Any]:
    """Play an episode with random actions, most of them illegal; return the rewards and the last info."""
    env, rng = (
        TableEnv(illegal="random", reward="margin", opponents="greedy:1", **settings),
        np.random.default_rng(1),
    )
    env.reset(seed=seed)
    rewards, is_over = list[float](), False
    while not is_over:
        legal = env.game.legal
        action = int(rng.integers(NUM_ACTIONS))
        _, reward, terminated, truncated, info = env.step(action)
        assert info["illegal_action"] == (action not in legal)
        rewards.append(reward)
        is_over = terminated or truncated
    return rewards, info


def test_a_random_legal_action_can_replace_an_illegal_one() -> None:
    rewards, info = unmasked_play(1)
    assert len(rewards) > 20
    assert set(rewards[:-1]) == {0.0}
    assert info["termination"] == Termination.ALL_SETTLED
    assert unmasked_play(1)[0] == rewards


def test_every_illegal_action_costs_the_penalty() -> None:
    rewards, _ = unmasked_play(1)
    costly, _ = unmasked_play(1, illegal_penalty=0.25)
    differences = np.subtract(rewards, costly)
    assert set(differences) <= {0.0, 0.25}
    assert differences.mean() > 0.2
    env = started(illegal_penalty=0.25)
    assert env.step(illegal_action(env))[1] == -1.25


def test_replacements_do_not_shift_the_opponents_random_numbers() -> None:
    """Playing the replacements as legal actions gives the same game against random opponents."""
    env, rng = TableEnv(players=3, illegal="random"), np.random.default_rng(1)
    twin = TableEnv(players=3)
    env.reset(seed=5)
    twin.reset(seed=5)
    while not env.game.over:
        played = len(env.game.actions)
        env.step(int(rng.integers(NUM_ACTIONS)))
        twin.step(env.game.actions[played])
        assert twin.game.actions == env.game.actions


@pytest.mark.parametrize(
    "name", ["pocketmars/SoloUnmasked-v1", "pocketmars/TableUnmasked-v1", "projectmars/DuelUnmasked-v0"]
)
def test_every_mode_has_an_id_for_programs_without_masks(name: str) -> None:
    env, envs = gymnasium.make(name), gymnasium.make_vec(name, 2)
    env.reset(seed=1)
    envs.reset(seed=1)
    env.action_space.seed(1)
    envs.action_space.seed(1)
    for _ in range(5):  # without the setting, almost every action would end the episode
        _, _, terminated, _, info = env.step(env.action_space.sample())
        assert not terminated
        assert not envs.step(envs.action_space.sample())[2].any()
    assert "illegal_action" in info


# --- masks in observations ------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [("observation", "action_mask"), ("observations", "mask")])
def test_masks_may_be_inside_the_observations(keys: tuple[str, str]) -> None:
    env = started(action_mask="observation", observation_keys=keys)
    twin = started()
    check_env(SoloEnv(action_mask="observation", observation_keys=keys), skip_render_check=True)
    assert list(env.observation_space) == list(keys)
    rng = np.random.default_rng(1)
    while not twin.game.over:
        action = int(rng.choice(twin.game.legal))
        observation, *_, info = env.step(action)
        expected, *_ = twin.step(action)
        assert observation in env.observation_space
        assert list(observation) == list(keys)
        assert np.array_equal(observation[keys[0]], expected)
        assert np.array_equal(observation[keys[1]], info["action_mask"])
        assert not np.shares_memory(observation[keys[1]], info["action_mask"])


@pytest.mark.parametrize(
    "setting", [{"action_mask": "both"}, {"observation_keys": ("a", "a")}, {"observation_keys": "ab"}]
)
def test_wrong_places_of_the_mask_are_named(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(setting))):
        SoloEnv(**setting)


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_settings_are_the_games(edition: str) -> None:
    env = started(level="cyborg", draft=True, edition=edition, round_limit=9)
    expected = Game(mode="solo", level="cyborg", draft=True, edition=edition, round_limit=9).config
    assert env.game.config == expected


def test_render_without_a_mode_warns_and_shows_nothing() -> None:
    with pytest.warns(UserWarning, match="render_mode"):
        assert started().render() is None


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_copies_keep_the_game_and_go_their_own_ways(copied: Callable[[SoloEnv], SoloEnv]) -> None:
    env = started(level="cyborg")
    play_learner(env, most=7)
    twin = copied(env)
    before = env.game.to_bytes()
    assert twin.game.to_bytes() == before
    play_learner(twin, seed=2)
    assert env.game.to_bytes() == before
    play_learner(env, seed=2)
    assert env.game.to_bytes() == twin.game.to_bytes()
    env.reset()
    twin.reset()
    assert env.game.to_bytes() == twin.game.to_bytes()


def test_an_episode_starts_from_a_given_game() -> None:
    game = Game(players=2, seed=5)
    for _ in range(7):
        game.step(game.legal[0])
    single: Any = gymnasium.make(TABLE_ID, seat=game.to_play)
    observation, info = single.reset(seed=1, options={"game": game})
    assert np.array_equal(observation, game.view().observation)
    single.step(info["action_mask"].argmax())
    assert len(game.actions) == 7, "the given game is not played on"
    for other in (Game(players=3), "a game"):
        with pytest.raises(ValueError, match="unfinished game"):
            single.reset(options={"game": other})


@pytest.mark.parametrize("small", ["pebble", "crater"])
def test_the_last_round_of_a_small_game_is_its_end(small: str) -> None:
    single = TableEnv(small=small)
    for seed in range(20):
        single.reset(seed=seed)
        *_, (_, _, terminated, truncated, info) = play_learner(single, seed=seed)
        assert (terminated, truncated) == (True, False)
        have_settled = [seat["earth"] == seat["ship"] == 0 for seat in single.game.snapshot()["seats"]]
        reason = Termination.ALL_SETTLED if any(have_settled) else Termination.ROUND_LIMIT
        assert info["termination"] == reason
