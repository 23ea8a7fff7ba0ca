"""The environment in which a learner plays a game as text."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from pocketmars_env import View
from pocketmars_env.envs.opponents import OpponentError
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.text_interface import TextEnv
from tests.envs.scripts import Scripted

KINDS: dict[str, dict[str, Any]] = {
    SOLO_ID: {"round_limit": 4},
    TABLE_ID: {"players": 3, "opponents": "greedy:1", "round_limit": 4},
    "projectmars/Duel-v0": {"seat": 1},
}


def first_legal(prompt: str) -> str:
    _, _, listed = prompt.rpartition("Your legal actions:\n")
    return f"ACTION: {listed.partition(':')[0]}"


def played(env: TextEnv, seed: int) -> tuple[list[str], float, bool, bool]:
    """Play a game; return its prompts, the last reward, and whether it was terminated or truncated."""
    prompts = [env.reset(seed)]
    while True:
        step = env.step(first_legal(prompts[-1]))
        assert not step.is_illegal
        prompts.append(step.text)
        if step.terminated or step.truncated:
            return prompts, step.reward, step.terminated, step.truncated


@pytest.mark.parametrize("env_id", KINDS)
def test_a_seed_gives_a_game(env_id: str) -> None:
    env = TextEnv(env_id, **KINDS[env_id])
    first = played(env, 3)
    assert played(env, 3) == first != played(env, 4)
    prompts, reward, terminated, truncated = first
    assert -1.0 <= reward <= 1.0
    assert terminated != truncated
    assert "Game over: " in prompts[-1]
    assert all("Your legal actions:" in prompt for prompt in prompts[:-1])
    assert any("Since your last decision:" in prompt for prompt in prompts)
    assert env.result()["over"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("ACTION: 1")


def test_illegal_replies_are_answered_and_then_end_the_game() -> None:
    env = TextEnv(SOLO_ID, retries=1)
    prompt = env.reset(seed=1)
    for _ in range(2):
        wrong = env.step("I resign")
        assert (wrong.reward, wrong.terminated, wrong.is_illegal) == (0.0, False, True)
        assert wrong.text.startswith("Error")
        prompt = env.step(first_legal(prompt)).text  # a legal action resets the retries
    env.step("")
    last = env.step("ACTION: 99999")
    assert (last.reward, last.terminated, last.truncated, last.is_illegal) == (-1.0, True, False, True)
    assert not env.result()["over"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(first_legal(prompt))


def test_strict_replies() -> None:
    env = TextEnv(SOLO_ID, is_strict=True)
    prompt = env.reset(seed=1)
    assert env.step(first_legal(prompt)).is_illegal
    assert not env.step(first_legal(prompt).removeprefix("ACTION: ")).is_illegal


@pytest.mark.parametrize(
    ("env_id", "settings", "named"),
    [
        (SOLO_ID, {"retries": -1}, "retries"),
        (SOLO_ID, {"levels": 3}, "levels"),
        (TABLE_ID, {"opponents": "nobody"}, "nobody"),
        ("CartPole-v1", {}, "illegal|CartPole"),
        ("pocketmars/Nothing-v1", {}, "Nothing"),
    ],
)
def test_wrong_settings_are_refused(env_id: str, settings: dict[str, Any], named: str) -> None:
    with pytest.raises((ValueError, TypeError, gymnasium.error.Error), match=named):
        TextEnv(env_id, **settings)


def test_after_an_opponents_error_in_a_later_reset_the_game_must_be_reset() -> None:
    class Failing(Scripted):
        def act(self, view: View, rng: np.random.Generator) -> int:
            return -1 if is_failing else super().act(view, rng)

    is_failing = False
    env = TextEnv(TABLE_ID, opponents=Failing([]), seat=1)
    env.reset(seed=1)
    is_failing = True
    with pytest.raises(OpponentError):
        env.reset(seed=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("ACTION: 1")


def test_after_an_opponents_error_the_game_must_be_reset() -> None:
    env = TextEnv(TABLE_ID, opponents=Scripted([-1]), seat=0)
    with pytest.raises(OpponentError):
        played(env, 1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("ACTION: 1")
