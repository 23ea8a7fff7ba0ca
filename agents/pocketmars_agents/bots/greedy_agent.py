"""Greedy bot: one-ply search with the value at the end of the turn, over a few determinizations."""

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent


class GreedyAgent(LookAheadAgent):
    """One-ply search: later decisions of the turn are not searched, see `look_ahead.py`."""

    kind = "greedy"
    default = 8
    is_planner = False
