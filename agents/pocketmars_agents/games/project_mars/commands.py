"""The default bots of the commands for Project Mars."""

from pocketmars_agents.cli.game_commands import GameCommands

COMMANDS = GameCommands(line_up=("planner", "greedy"), opponent="planner", adviser="planner")
