"""Registers the third-party game of this folder while its tests run."""

from collections.abc import Iterator

import gymnasium
import pytest

from pocketmars_env import register_game
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.envs.registration import ENVIRONMENTS
from tests.third_game.pairs import SPEC


@pytest.fixture(scope="package", autouse=True)
def _registered() -> Iterator[None]:
    register_game(SPEC)
    yield
    del GAMES[SPEC.name]
    for mode in SPEC.env_modes:
        del ENVIRONMENTS[SPEC.id_of(mode.name)]
        del gymnasium.registry[SPEC.id_of(mode.name)]
