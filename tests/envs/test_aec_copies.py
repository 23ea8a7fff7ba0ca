"""Clones, deep copies and pickles of the PettingZoo environment keep the game."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from pocketmars_env.pocketmars_v1 import env, raw_env
from tests.envs.playing import everything, legal_actions, pickled, play, started
from tests.modes import MODES

Copier = Callable[[Any], Any]


COPIERS = [raw_env.clone, copy.deepcopy, pickled]


@pytest.mark.parametrize(
    ("mode", "copied"), [*((mode, pickled) for mode in MODES), *(("two", copied) for copied in COPIERS[:2])]
)
def test_a_copy_in_the_middle_of_a_game_is_equal_and_goes_on_equally(mode: str, copied: Copier) -> None:
    env = started(**MODES[mode])
    play(env, most=11)
    twin = copied(env)
    assert everything(twin) == everything(env)
    play(env, seed=2)
    play(twin, seed=2)
    assert env.game.over
    assert everything(twin) == everything(env)
    env.reset()
    twin.reset()
    assert everything(twin) == everything(env)


@pytest.mark.parametrize("copied", COPIERS)
def test_copies_go_their_own_ways(copied: Copier) -> None:
    env = started(players=3)
    play(env, most=11)
    before = everything(env)
    twin = copied(env)
    play(twin)
    twin.infos["player_0"]["note"] = 1
    twin.step(None)
    assert everything(env) == before
    env.step(legal_actions(env)[0])
    assert len(twin.agents) == 2


@pytest.mark.parametrize("copied", COPIERS)
def test_a_copy_at_the_end_lets_its_agents_leave(copied: Copier) -> None:
    env = started()
    play(env)
    env.step(None)
    twin = copied(env)
    assert everything(twin) == everything(env)
    twin.step(None)
    assert (twin.agents, env.agents) == ([], ["player_1"])


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_the_wrapped_environment_can_be_copied(copied: Copier) -> None:
    wrapped = started(make=env)
    play(wrapped, most=11)
    twin = copied(wrapped)
    play(wrapped, seed=2)
    assert not twin.unwrapped.game.over
    play(twin, seed=2)
    assert everything(twin.unwrapped) == everything(wrapped.unwrapped)


def test_a_clone_through_the_wrappers_is_the_raw_environment() -> None:
    wrapped = started(make=env)
    assert type(wrapped.clone()) is raw_env
    assert everything(wrapped.clone()) == everything(wrapped.unwrapped)


@pytest.mark.parametrize("copied", COPIERS)
def test_copies_have_masks_of_their_own(copied: Copier) -> None:
    env = started(action_mask="info")
    mover = env.agent_selection
    before = env.infos[mover]["action_mask"].copy()
    twin = copied(env)
    twin.infos[mover]["action_mask"][:] = 0
    assert (env.infos[mover]["action_mask"] == before).all()
    assert twin.observe(mover).shape == env.observe(mover).shape
