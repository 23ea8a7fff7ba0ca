"""Planner bot: searches the rest of its turn in a few determinizations."""

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent


class PlannerAgent(LookAheadAgent):
    """Search of the whole turn: evaluates all its later decisions of the turn, see `look_ahead.py`."""

    kind = "planner"
    default = 4
    is_planner = True
