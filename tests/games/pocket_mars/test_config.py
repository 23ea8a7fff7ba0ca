"""Game settings: their defaults, and the values that are refused."""

from typing import Any

import pytest

from pocketmars_env import Game, GameConfig
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states
from tests.modes import MODES

REFUSED: list[dict[str, Any]] = [
    {"mode": "coop"}, {"mode": None}, {"edition": "first"}, {"level": "easy", "mode": "solo"}, {"draft": 1},
    {"da_agent": "yes", "mode": "solo"}, {"da_agent": True}, {"level": "cyborg"}, {"players": 1},
    {"players": 5}, {"players": "2"}, {"players": True}, {"players": 3, "mode": "solo"}, {"round_limit": 0},
    {"round_limit": 10_001}, {"round_limit": 2.5}, {"round_limit": True},
]  # fmt: skip


@pytest.mark.parametrize("settings", REFUSED, ids=str)
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        GameConfig(**settings)
    with pytest.raises(ValueError, match=next(iter(settings))):
        Game(**settings)


def test_defaults_depend_on_the_mode() -> None:
    multi, solo = GameConfig(), GameConfig(mode="solo")
    assert (multi.players, multi.level, multi.round_limit, multi.seats) == (2, None, 200, 2)
    assert (solo.players, solo.level, solo.round_limit, solo.seats) == (1, "standard", 60, 2)
    assert (multi.is_solo, solo.is_solo) == (False, True)
    assert GameConfig(players=1, mode="solo") == solo
    assert GameConfig(mode="solo", level=None) == solo
    assert GameConfig(players=4, round_limit=10_000).round_limit == 10_000


@pytest.mark.parametrize("mode", MODES)
def test_settings_survive_the_way_through_a_state(mode: str) -> None:
    config = GameConfig(**MODES[mode], round_limit=77)
    assert GameConfig(**config.as_dict()) == config
    assert GameConfig.of_state(blank_states(1, config)[0]) == config
    assert Game(**config.as_dict(), seed=0).config == config
