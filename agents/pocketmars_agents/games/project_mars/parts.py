"""The default bots for Project Mars."""

from pocketmars_agents.game_parts import GameParts

PARTS = GameParts(line_up=("planner", "greedy"), opponent="planner", adviser="planner")
