"""The PettingZoo environment: agents, spaces, masks, stepping, seeds and the end of an episode."""

from typing import Any

import numpy as np
import pettingzoo
import pytest
import torch
from gymnasium import spaces

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, IllegalAction
from pocketmars_env.envs.rewards import RESULTS, REWARDS, final_rewards
from pocketmars_env.games.pocket_mars.rules.constants import Termination
from pocketmars_env.pocketmars_v1 import env, raw_env
from tests.envs.playing import illegal_action, is_over, legal_actions, play, started
from tests.modes import MODES


def as_vector(action: int) -> torch.Tensor:
    return torch.tensor([action])


# --- agents and spaces ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "agents"),
    [
        ({}, ["player_0", "player_1"]),
        ({"players": 3}, ["player_0", "player_1", "player_2"]),
        ({"players": 4}, ["player_0", "player_1", "player_2", "player_3"]),
        ({"mode": "solo"}, ["player_0"]),
        ({"mode": "solo", "da_agent": True}, ["player_0", "da_0"]),
    ],
)
def test_agents_are_named_by_seat(settings: dict[str, Any], agents: list[str]) -> None:
    env = raw_env(**settings)
    assert (env.possible_agents, env.agents) == (agents, [])
    env.reset()
    assert env.agents == agents
    assert env.agent_selection == agents[env.game.to_play or 0]


def test_spaces_are_always_the_same_objects() -> None:
    env = started()
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert list(space) == ["observation", "action_mask"]
        assert space["observation"] == spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32)
        assert space["action_mask"] == spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
        assert env.action_space(agent) == spaces.Discrete(NUM_ACTIONS)
        assert env.observation_space(agent) is space
        assert env.action_space(agent) is env.action_space(agent)


def test_metadata() -> None:
    assert str(env()) == "pocketmars_v1"
    assert raw_env.metadata == {
        "name": "pocketmars_v1",
        "render_modes": ["ansi", "rgb_array", "svg", "human"],
        "render_fps": 4,
        "is_parallelizable": False,
    }


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 5}, {"reward": "score"}, {"render_mode": "text"}, {"render_view": 2},
        {"action_mask": "both"}, {"render_theme": "blue"}, {"planets": 3},
    ],
)  # fmt: skip
def test_wrong_settings_are_named(settings: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=next(iter(settings))):
        env(**settings)


@pytest.mark.parametrize("method", ["observe", "action_mask", "observation_space", "action_space"])
def test_an_unknown_agent_is_named(method: str) -> None:
    with pytest.raises(KeyError, match="da_0"):
        getattr(started(), method)("da_0")


# --- observations and masks -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_observations_are_the_games_and_only_the_asked_agent_has_a_mask(mode: str) -> None:
    env = started(**MODES[mode])
    rng = np.random.default_rng(0)
    while not is_over(env):
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert list(seen) == ["observation", "action_mask"]
            assert np.array_equal(seen["observation"], env.game.observe(seat))
            legal = env.game.legal if agent == env.agent_selection else []
            assert np.flatnonzero(seen["action_mask"]).tolist() == legal
            assert np.array_equal(seen["action_mask"], env.action_mask(agent))
        assert np.array_equal(env.action_mask(), env.observe(env.agent_selection)["action_mask"])
        env.step(rng.choice(legal_actions(env)))


@pytest.mark.parametrize(("mode", "make"), [*((mode, env) for mode in MODES), ("two", raw_env)])
def test_masks_may_be_in_the_infos_beside_a_plain_vector(mode: str, make: Any) -> None:
    made, twin = started(make=make, **MODES[mode], action_mask="info"), started(**MODES[mode])
    rng = np.random.default_rng(0)
    for agent in made.possible_agents:
        assert made.observation_space(agent) == spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32)
    while not is_over(twin):
        assert made.agent_selection == twin.agent_selection
        assert np.array_equal(made.last()[0], twin.last()[0]["observation"])
        for agent in made.agents:
            expected = twin.observe(agent)
            assert np.array_equal(made.observe(agent), expected["observation"])
            assert list(made.infos[agent]) == ["action_mask"]
            mask = made.infos[agent]["action_mask"]
            assert mask.dtype == np.int8
            assert np.array_equal(mask, expected["action_mask"])
        action = int(rng.choice(legal_actions(twin)))
        made.step(action)
        twin.step(action)
    assert made.rewards == twin.rewards
    for _ in made.possible_agents:
        info = made.last()[4]
        assert not info["action_mask"].any()
        assert tuple(info) == ("action_mask", *RESULTS)
        made.step(None)
    assert made.infos == {}


def test_everybody_can_be_observed_before_the_end_and_after_leaving() -> None:
    env = started(players=3)
    play(env)
    for _ in range(3):
        env.step(None)
    assert env.agents == []
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))
        assert not env.observe(agent)["action_mask"].any()


def test_arrays_are_never_given_twice() -> None:
    env = started()
    first, second = env.observe("player_0"), env.observe("player_0")
    for key in first:
        assert not np.shares_memory(first[key], second[key])


def test_the_da_agent_is_asked_and_loses_what_the_player_wins() -> None:
    env = raw_env(**MODES["solo_da_agent"])
    rng = np.random.default_rng(0)
    to_play: set[str] = set()
    for seed in range(20):
        env.reset(seed=seed)
        while not is_over(env):
            to_play.add(env.agent_selection)
            env.step(rng.choice(legal_actions(env)))
        assert env.rewards["da_0"] == -env.rewards["player_0"] != 0
    assert to_play == {"player_0", "da_0"}


# --- seeds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 7, np.int64(7), 2**64 - 1])
def test_the_seed_is_the_games(seed: int) -> None:
    assert started(seed=seed, players=3).game.to_bytes() == Game(players=3, seed=seed).to_bytes()


def test_resets_without_a_seed_go_on_as_the_first_seed_decides() -> None:
    def games(seed: int) -> list[bytes]:
        env = started(seed=seed)
        starts = [env.game.to_bytes()]
        for _ in range(3):
            env.reset()
            starts.append(env.game.to_bytes())
        return starts

    assert games(5) == games(5)
    assert len(set(games(5)) | set(games(6))) == 8


def test_without_any_seed_games_are_random() -> None:
    assert len({started(seed=None).game.to_bytes() for _ in range(3)}) == 3


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "one", True])
def test_a_wrong_seed_leaves_the_game_alone(seed: Any) -> None:
    env = started()
    before = env.game.to_bytes()
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    assert env.game.to_bytes() == before


def test_options_are_ignored() -> None:
    env = raw_env()
    env.reset(seed=3, options={"unknown": 1})
    assert env.game.to_bytes() == Game(seed=3).to_bytes()


# --- the end of an episode ------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("round_limit", [None, 1])
def test_all_agents_end_at_once_with_the_rewards_of_the_scores(
    mode: str, reward: str, round_limit: int | None
) -> None:
    env = started(**MODES[mode], reward=reward, round_limit=round_limit)
    play(env, most=3)
    assert set(env.rewards.values()) == {0.0}
    play(env)
    game = env.game
    expected = final_rewards(reward, game.scores, game.winners)
    assert list(env.rewards.values()) == expected[: len(env.possible_agents)]
    assert env.rewards == env._cumulative_rewards
    assert game.truncated == (round_limit == 1)
    for agent in env.possible_agents:
        assert env.terminations[agent] is not game.truncated
        assert env.truncations[agent] is game.truncated
    if len(env.agents) > 1:
        assert sum(env.rewards.values()) == pytest.approx(0)


def test_after_the_end_every_agent_leaves_with_its_reward() -> None:
    env = started(players=4)
    play(env)
    final, left = dict(env.rewards), []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert (reward, terminated, truncated) == (final[agent], True, False)
        assert tuple(info) == RESULTS
        assert observation in env.observation_space(agent)
        env.step(None)
        left.append(agent)
    assert left == env.possible_agents
    for by_agent in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
        assert by_agent == {}


def test_dead_agents_take_no_action() -> None:
    env = started()
    play(env)
    with pytest.raises(ValueError, match="None"):
        env.step(0)


def test_stepping_without_an_episode_asks_for_reset() -> None:
    fresh, left = raw_env(), started()
    play(left)
    left.step(None)
    left.step(None)
    for ended in (fresh, left):
        with pytest.raises(ValueError, match="reset"):
            ended.step(0)


def test_an_environment_can_be_reset_in_the_middle_and_after_the_end() -> None:
    env = started()
    for most in (5, None, 5):
        play(env, most)
        env.reset(seed=9)
        assert env.game.to_bytes() == Game(seed=9).to_bytes()
        assert (env.agents, set(env.terminations.values())) == (env.possible_agents, {False})


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("round_limit", [None, 1])
def test_the_infos_of_the_end_are_the_results_of_the_game(mode: str, round_limit: int | None) -> None:
    env = started(**MODES[mode], round_limit=round_limit)
    play(env, most=3)
    assert set(env.infos) == set(env.agents)
    assert not any(env.infos.values())
    play(env)
    game, winners = env.game, env.game.winners
    for seat, agent in enumerate(env.agents):
        info = env.infos[agent]
        assert info.pop("scores").tolist() == game.scores
        assert info == {
            "won": seat in winners,
            "win_share": (seat in winners) / len(winners),
            "termination": Termination[game.termination],
            "rounds": game.snapshot()["round"],
        }


# --- illegal actions ------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["illegal", -1, NUM_ACTIONS])
def test_raw_env_refuses_an_illegal_action_and_changes_nothing(action: Any) -> None:
    env = started()
    play(env, most=6)
    before, agent = env.game.to_bytes(), env.agent_selection
    with pytest.raises(IllegalAction, match=env.game.decision):
        env.step(illegal_action(env) if action == "illegal" else action)
    assert (env.game.to_bytes(), env.agent_selection) == (before, agent)
    env.step(legal_actions(env)[0])
    assert env.game.to_bytes() != before


@pytest.mark.parametrize(("reward", "loss"), [("win", -1), ("margin", -60)])
@pytest.mark.parametrize("action_mask", ["observation", "info"])
def test_env_ends_the_episode_with_an_illegal_action(action_mask: str, reward: str, loss: float) -> None:
    wrapped = started(make=env, players=3, reward=reward, action_mask=action_mask)
    mover = wrapped.agent_selection
    wrapped.step(illegal_action(wrapped))
    assert all(wrapped.terminations.values())
    assert wrapped.rewards == {
        agent: loss if agent == mover else 0 for agent in ["player_0", "player_1", "player_2"]
    }
    for info in wrapped.infos.values():
        assert (info["termination"], info["won"], info["win_share"]) == (-1, False, 0)
    for _ in range(3):
        wrapped.step(None)
    assert wrapped.agents == []


@pytest.mark.skipif(
    not hasattr(pettingzoo, "register"), reason="earlier wrappers keep the agent of the illegal action"
)
def test_env_starts_anew_after_an_illegal_action() -> None:
    wrapped = started(make=env)
    wrapped.step(illegal_action(wrapped))
    wrapped.reset(seed=1)
    play(wrapped)
    assert wrapped.unwrapped.game.over


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize(
    "action", [1.5, "LAUNCH", np.float32(1), np.array([1, 2]), np.array([[1]]), np.array([1.0])]
)
def test_an_action_that_is_no_integer_changes_nothing(make: Any, action: Any) -> None:
    made = started(make=make)
    before = made.unwrapped.game.to_bytes()
    with pytest.raises(TypeError, match="action"):
        made.step(action)
    assert made.unwrapped.game.to_bytes() == before
    play(made)


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("kind", [np.int8, np.array, torch.tensor, lambda n: np.array([n]), as_vector])
def test_an_array_or_tensor_of_one_integer_is_the_integer(make: Any, kind: Any) -> None:
    made, twin = started(make=make), started()
    for _ in range(20):
        action = legal_actions(twin)[-1]
        made.step(kind(action) if action < 128 else action)
        twin.step(action)
    assert made.unwrapped.game.to_bytes() == twin.game.to_bytes()


def test_env_asserts_that_actions_are_in_the_space() -> None:
    wrapped = started(make=env)
    wrapped.observe(wrapped.agent_selection)
    with pytest.raises(AssertionError, match="action"):
        wrapped.step(NUM_ACTIONS)


def test_env_enforces_the_order_of_calls() -> None:
    with pytest.raises(AttributeError, match="reset"):
        _ = env().agents


# --- rendering ------------------------------------------------------------------------------------


def test_render_without_a_mode_warns_and_shows_nothing() -> None:
    wrapped = started(make=env)
    with pytest.warns(UserWarning, match="render_mode"):
        assert wrapped.render() is None
    wrapped.close()


def test_an_episode_starts_from_a_given_game() -> None:
    game = Game(players=3, seed=5)
    for _ in range(7):
        game.step(game.legal[0])
    aec = env(players=3)
    aec.reset(seed=1, options={"game": game})
    play(aec, most=1)
    assert (aec.unwrapped.game.origin, len(game.actions)) == (game.origin, 7)
    assert aec.unwrapped.game.actions[:7] == game.actions
    with pytest.raises(ValueError, match="unfinished game"):
        aec.reset(options={"game": Game(players=2)})
