"""Game-specific bots and commands, one folder per game."""

from pocketmars_agents.games.pocket_mars.bots import BOTS as POCKET_MARS
from pocketmars_agents.games.project_mars.bots import BOTS as PROJECT_MARS

BUILT_IN = (POCKET_MARS, PROJECT_MARS)
"""The `GameBots` of the built-in games."""
