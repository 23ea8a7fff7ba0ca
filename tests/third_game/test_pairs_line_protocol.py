"""Bots in other processes play a third-party game."""

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from tests.agents.test_line_protocol import bot, ended_bots
from tests.third_game.pairs import PairsConfig

__all__ = ["ended_bots"]


def test_a_bot_in_another_process() -> None:
    results = play_matches([Match((bot(), "random"), PairsConfig(2), seed) for seed in range(3)])
    assert [result.failure for result in results] == [None] * 3
