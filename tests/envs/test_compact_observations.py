"""Observations in uint8 are counts; multiplied by the scales, they equal the float32 observations."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from pocketmars_env import pocketmars_v1, projectmars_v0
from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.game_spec import GameSpec, game_named
from pocketmars_env.core.games import Games
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from tests.modes import MODES

COMPACT: dict[str, Any] = {"observation_dtype": "uint8"}
FORMS: tuple[dict[str, Any], ...] = ({}, COMPACT)
GAMES = [
    *(("pocket_mars", settings) for settings in MODES.values()),
    *(("project_mars", {"mode": mode}) for mode in ("starter", "same", "random")),
]
ENVIRONMENTS = [TABLE_ID, SOLO_ID, "projectmars/Duel-v0"]


def assert_equal(compact: Any, observations: Any, spec: GameSpec) -> None:
    assert compact.dtype == np.uint8
    expected = compact * spec.scales
    assert expected.dtype == observations.dtype == np.float32
    assert expected.tobytes() == observations.tobytes()


@pytest.mark.parametrize(("game", "settings"), GAMES, ids=str)
def test_they_are_equal_in_whole_games(game: str, settings: dict[str, Any]) -> None:
    spec = game_named(game)
    plain, compact = (Games(40, spec, seed=3, **settings, **more) for more in FORMS)
    for _ in range(400):
        for seat in (-1, *range(plain.config.seats)):
            seats = np.full(40, seat)
            (observations, masks), (counts, same_masks) = plain.observe(seats), compact.observe(seats)
            assert_equal(counts, observations, spec)
            assert masks.tobytes() == same_masks.tobytes()
        if plain.over.all():
            break
        actions = plain.random_actions()
        plain.step(actions, ~plain.over)
        compact.step(actions, ~compact.over)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_single_and_vector_environments_show_them(name: str) -> None:
    plain, compact = gymnasium.make(name), gymnasium.make(name, **COMPACT)
    vectors = [gymnasium.make_vec(name, 3, vectorization_mode="vector_entry_point", **more) for more in FORMS]
    spec: GameSpec = plain.unwrapped.game_spec  # type: ignore[attr-defined]
    assert_equal(compact.reset(seed=1)[0], plain.reset(seed=1)[0], spec)
    assert_equal(vectors[1].reset(seed=1)[0], vectors[0].reset(seed=1)[0], spec)
    for env, count in ((compact, 1), (vectors[1], 3)):
        observation = env.reset(seed=2)[0]
        assert env.observation_space.contains(observation)
        assert observation.nbytes == count * spec.observation_size


@pytest.mark.parametrize("env", [pocketmars_v1.env, projectmars_v0.env])
@pytest.mark.parametrize("action_mask", ["observation", "info"])
def test_pettingzoo_shows_them(env: Callable[..., Any], action_mask: str) -> None:
    plain, compact = (env(action_mask=action_mask, **more) for more in FORMS)
    for one in (plain, compact):
        one.reset(seed=4)
    spec = plain.unwrapped.game_spec
    for agent in plain.possible_agents:
        found, expected = compact.observe(agent), plain.observe(agent)
        assert compact.observation_space(agent).contains(found)
        if action_mask == "observation":
            found, expected = found["observation"], expected["observation"]
        assert_equal(found, expected, spec)
    assert compact.state_space.contains(compact.state())
    assert (compact.state() * np.tile(spec.scales, len(plain.possible_agents)) == plain.state()).all()


def test_stable_baselines_gets_them() -> None:
    plain, compact = (PocketMarsVecEnv(TABLE_ID, 2, seed=1, **more) for more in FORMS)
    assert_equal(compact.reset(), plain.reset(), game_named("pocket_mars"))
    assert compact.observation_space.dtype == np.uint8


def test_counts_above_255_and_other_names_are_refused() -> None:
    with pytest.raises(ValueError, match="256"):
        pocketmars_v1.env(round_limit=256, **COMPACT)
    with pytest.raises(ValueError, match="observation_dtype"):
        gymnasium.make(TABLE_ID, observation_dtype="int8")
