"""Tests of recording plans: the accepted settings, and the names of data sets."""

from typing import Any

import pytest

from pocketmars_agents.recording.plan import Plan, seated
from pocketmars_env import GameConfig

SOLO = GameConfig(mode="solo")


@pytest.mark.parametrize(
    ("bots", "config", "expected"),
    [
        (("random",), SOLO, "pocketmars/solo-standard-random-v0"),
        (("random",), GameConfig(mode="solo", handicap=6), "pocketmars/solo-standard-handicap-6-random-v0"),
        (("random", "greedy:8"), GameConfig(draft=True), "pocketmars/2-players-draft-random-greedy-v0"),
        (("greedy:2",) * 4, GameConfig(players=4), "pocketmars/4-players-greedy-2-v0"),
    ],
)
def test_a_data_set_has_a_name_that_says_what_it_is(bots: Any, config: GameConfig, expected: str) -> None:
    assert Plan(bots, config).dataset_id == expected


def test_the_last_bot_takes_the_seats_that_remain() -> None:
    assert seated(["a", "b"], GameConfig(players=4)) == ("a", "b", "b", "b")
    assert seated(["a"], SOLO) == ("a",)


@pytest.mark.parametrize("changes", [{"seed": 2**63}, {"dataset_id": "../games-v0"}])
def test_a_bad_setting_is_named(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"seed must be|must be like"):
        Plan(**{"bots": ("random",), "config": SOLO, **changes})
