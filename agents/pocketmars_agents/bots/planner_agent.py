"""Planner bot: searches the rest of its turn in a few determinizations."""

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent, check_worlds

WORLDS = 4


class PlannerAgent(LookAheadAgent):
    """Search of the whole turn: evaluates all its later decisions of the turn, see `look_ahead.py`.

    Args:
        worlds: number of determinizations for each decision.

    Raises:
        ValueError: if `worlds` is not an integer in 1..10000.

    """

    def __init__(self, worlds: int = WORLDS) -> None:
        super().__init__(self.name_of(worlds), worlds, is_planner=True)

    @staticmethod
    def name_of(worlds: int = WORLDS) -> str:
        """Returns the name of the agent with this number of worlds; raises the same errors as the class."""
        check_worlds("planner", worlds)
        return "planner" if worlds == WORLDS else f"planner:{worlds}"
