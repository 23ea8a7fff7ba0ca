"""Importing the package registers the environments without loading them."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import pettingzoo
import pytest

from pocketmars_env import pocketmars_v1 as aec
from pocketmars_env.envs.registration import aec_id, register_game
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.pocketmars_v1 import SoloEnv

pytestmark = pytest.mark.smoke

has_registry = pytest.mark.skipif(
    not hasattr(pettingzoo, "register"), reason="this version of PettingZoo has no registry"
)


def test_gymnasium_makes_the_solo_game() -> None:
    env = gymnasium.make(SOLO_ID, level="cyborg", illegal="raise")
    assert type(env.unwrapped) is SoloEnv
    assert (env.unwrapped.game.config.level, env.unwrapped.illegal) == ("cyborg", "raise")


@has_registry
def test_pettingzoo_makes_the_wrapped_environment() -> None:
    env = pettingzoo.make("aec", aec_id(SPEC), players=3, draft=True)
    assert type(env) is type(aec.env())
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.unwrapped.game.config.draft


def test_importing_the_package_registers_without_loading_the_environments() -> None:
    code = (
        "import sys, gymnasium, pocketmars_env\n"
        f"assert {SOLO_ID!r} in gymnasium.registry\n"
        "print(*(name for name in sys.modules if name.startswith('pocketmars_env.envs.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pocketmars_env.envs.registration"]


def test_without_the_extra_render_its_modes_are_not_offered() -> None:
    code = (
        "import sys\n"
        "sys.modules |= dict.fromkeys(('resvg_py', 'PIL', 'pygame'))  # they cannot be imported\n"
        "import gymnasium, pocketmars_env\n"
        "from gymnasium.utils.env_checker import check_env\n"
        f"env = gymnasium.make({SOLO_ID!r})\n"
        "check_env(env.unwrapped)\n"
        f"print(*env.metadata['render_modes'], *gymnasium.make_vec({SOLO_ID!r}).metadata['render_modes'])\n"
        "try:\n"
        f"    gymnasium.make({SOLO_ID!r}, render_mode='human')\n"
        "except ModuleNotFoundError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modes, message = done.stdout.splitlines()
    assert modes == "ansi svg ansi svg"
    assert ".[render]" in message


def test_a_pettingzoo_without_a_registry_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    registered: list[str] = []

    def register(name: str, **_: Any) -> None:
        registered.append(name)

    monkeypatch.setattr(gymnasium, "register", register)
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    register_game(SPEC, "pocketmars_env.pocketmars_v1")
    assert {SOLO_ID, TABLE_ID} <= set(registered)


@pytest.mark.filterwarnings("ignore:.*is out of date")
@pytest.mark.parametrize("name", ["pocketmars/Solo-v0", "pocketmars/Table-v0"])
@pytest.mark.parametrize(
    "make",
    [
        lambda name: gymnasium.make(name, level="cyborg"),
        lambda name: gymnasium.make(name, render_mode="rgb_array"),
        lambda name: gymnasium.make_vec(name, 2),
        lambda name: gymnasium.make_vec(name, 2, "sync"),
    ],
)
def test_gymnasium_refuses_the_ids_of_version_0(name: str, make: Callable[[str], object]) -> None:
    with pytest.raises(gymnasium.error.DeprecatedEnv, match=f"{name[:-1]}1"):
        make(name)


@has_registry
def test_pettingzoo_refuses_the_id_of_version_0() -> None:
    with pytest.raises(pettingzoo.env_registry.exceptions.VersionNotFound, match="v1"):
        pettingzoo.make("aec", "pocketmars/pocketmars-v0", players=3)
