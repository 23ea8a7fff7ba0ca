"""The default bots of the commands for Project Mars."""

from pocketmars_agents.cli.game_commands import GameCommands
from pocketmars_env.games.project_mars.spec import SPEC

COMMANDS = GameCommands(game=SPEC, line_up=("planner", "greedy"), opponent="planner", adviser="planner")
