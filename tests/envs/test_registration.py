"""Importing the package registers the environments, and loads none of them."""

import subprocess
import sys
from typing import Any

import gymnasium
import pettingzoo
import pytest

from pocketmars_env.envs import aec
from pocketmars_env.envs.single_player import SoloEnv
from pocketmars_env.registration import AEC_ID, SOLO_ID, TABLE_ID, register_environments

has_registry = pytest.mark.skipif(
    not hasattr(pettingzoo, "register"), reason="this version of PettingZoo has no registry"
)


def test_gymnasium_makes_the_solo_game() -> None:
    env = gymnasium.make(SOLO_ID, level="cyborg", illegal="raise")
    assert type(env.unwrapped) is SoloEnv
    assert (env.unwrapped.game.config.level, env.unwrapped.illegal) == ("cyborg", "raise")


@has_registry
def test_pettingzoo_makes_the_wrapped_environment() -> None:
    env = pettingzoo.make("aec", AEC_ID, players=3, draft=True)
    assert type(env) is type(aec.env())
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.unwrapped.game.config.draft


def test_importing_the_package_registers_without_loading_the_environments() -> None:
    code = (
        "import sys, gymnasium, pocketmars_env\n"
        f"assert {SOLO_ID!r} in gymnasium.registry\n"
        "print([name for name in sys.modules if name.startswith('pocketmars_env.envs')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_pettingzoo_without_a_registry_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    registered: list[str] = []

    def register(name: str, **_: Any) -> None:
        registered.append(name)

    monkeypatch.setattr(gymnasium, "register", register)
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    register_environments()
    assert registered == [SOLO_ID, TABLE_ID]
