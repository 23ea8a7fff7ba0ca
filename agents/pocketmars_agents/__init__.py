"""Bots for Pocket Mars and Project Mars, and the command-line interface ``pocketmars``."""

from pocketmars_agents.game_bots import GameBots, add_game_bots
from pocketmars_agents.games import BUILT_IN
from pocketmars_agents.registry import Agent, BatchAgent, accepted_names, choose_actions, make_agent

__all__ = [
    "Agent",
    "BatchAgent",
    "GameBots",
    "accepted_names",
    "add_game_bots",
    "choose_actions",
    "make_agent",
]

for _bots in BUILT_IN:
    add_game_bots(_bots)
