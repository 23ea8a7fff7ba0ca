"""Bots in other processes play a third-party game."""

import shlex
import sys
from pathlib import Path

from pocketmars_agents.arena.match_batch import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.line_protocol.connection import close_all
from tests.third_game.pairs import PairsConfig

BOT = Path(__file__).parents[1] / "agents" / "line_protocol_bot.py"


def test_a_bot_in_another_process() -> None:
    name = f"exec:{shlex.join([sys.executable, '-S', str(BOT)])}"
    results = play_matches([Match((name, "random"), PairsConfig(2), seed) for seed in range(3)])
    close_all()
    assert [result.failure for result in results] == [None] * 3
