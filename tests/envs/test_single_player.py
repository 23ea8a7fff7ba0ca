"""The Gymnasium environments of one learner, most tests with the solo game."""

import copy
from collections.abc import Callable
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.seeding import np_random

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, IllegalAction
from pocketmars_env.envs.rewards import REWARDS, final_rewards
from pocketmars_env.games.pocket_mars.config import EDITIONS, LEVELS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.pocketmars_v1 import SoloEnv
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
        assert np.flatnonzero(info["action_mask"]).tolist() == env.game.legal()
        assert np.flatnonzero(env.action_masks()).tolist() == env.game.legal()
        observation, _, _, _, info = env.step(rng.choice(env.game.legal()))
    assert list(info) == ["action_mask", "illegal_action"]
    assert not info["action_mask"].any()
    assert not env.action_masks().any()


def test_arrays_are_never_given_twice() -> None:
    env = SoloEnv()
    observation, info = env.reset(seed=1)
    arrays = [observation, *info.values(), env.action_masks(), env.action_masks()]
    observation, _, _, _, info = env.step(env.game.legal()[0])
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
    assert last_reward == final_rewards(reward, env.game.scores(), env.game.winners())[0]
    assert (terminated, truncated) == (True, False)


def test_the_round_limit_truncates() -> None:
    env = started(round_limit=1, reward="margin")
    _, reward, terminated, truncated, _ = play_learner(env)[-1]
    assert terminated is False
    assert truncated is True
    player, da = env.game.scores()
    assert reward == player - da


def test_stepping_without_an_episode_asks_for_reset() -> None:
    finished = started()
    play_learner(finished)
    for env in (SoloEnv(), finished):
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset\\(\\) first"):
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
    assert list(info) == ["action_mask", "illegal_action"]
    assert env.game.to_bytes() == before
    assert np.array_equal(observation, env.game.observe(0))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(env.game.legal()[0])
    env.reset()
    assert play_learner(env)[-1][2] is True


def test_an_illegal_action_is_refused_if_asked_for() -> None:
    env = started(illegal="raise")
    play_learner(env, most=5)
    before = env.game.to_bytes()
    with pytest.raises(IllegalAction, match="is illegal in"):
        env.step(illegal_action(env))
    assert env.game.to_bytes() == before
    assert play_learner(env)[-1][2] is True


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_settings_are_the_games(edition: str) -> None:
    env = started(level="cyborg", draft=True, edition=edition, round_limit=9)
    expected = Game(mode="solo", level="cyborg", draft=True, edition=edition, round_limit=9).config
    assert env.game.config == expected


def test_render_without_a_mode_warns_and_shows_nothing() -> None:
    with pytest.warns(UserWarning, match="without a render_mode"):
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
