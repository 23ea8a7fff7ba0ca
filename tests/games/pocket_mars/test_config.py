"""Game settings: their defaults, and the values that are refused."""

from typing import Any

import pytest

from pocketmars_env import Game, GameConfig
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states
from tests.modes import MODES

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"mode": "coop"}, r"mode must be one of 'multi', 'solo', got 'coop'"),
    ({"mode": None}, r"mode must be one of"),
    ({"edition": "first"}, r"edition must be one of 'grey_fox', 'board_and_dice', got 'first'"),
    (
        {"mode": "solo", "level": "easy"},
        r"level must be one of 'standard', 'super_droid', 'cyborg', got 'easy'",
    ),
    ({"draft": 1}, r"draft must be True or False, got 1"),
    ({"mode": "solo", "da_agent": "yes"}, r"da_agent must be True or False, got 'yes'"),
    ({"da_agent": True}, r"da_agent is for mode='solo'"),
    ({"players": 1}, r"players must be 2, 3 or 4 \(or mode='solo' for one player\), got 1"),
    ({"players": 5}, r"players must be 2, 3 or 4"),
    ({"players": "2"}, r"players must be an integer, got '2'"),
    ({"players": True}, r"players must be an integer, got True"),
    ({"players": 3, "mode": "solo"}, r"players must be 1 in the solo game, or left out; got 3"),
    ({"round_limit": 0}, r"round_limit must be an integer in 1\.\.10000, got 0"),
    ({"round_limit": 10_001}, r"round_limit must be an integer in 1\.\.10000, got 10001"),
    ({"round_limit": 2.5}, r"round_limit must be an integer in 1\.\.10000, got 2\.5"),
    ({"round_limit": True}, r"round_limit must be an integer in 1\.\.10000, got True"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED, ids=[str(settings) for settings, _ in REFUSED])
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GameConfig(**settings)
    with pytest.raises(ValueError, match=message):
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
