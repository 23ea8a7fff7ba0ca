"""A bot that searches its whole turn in a few sampled worlds."""

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent, check_worlds

WORLDS = 4


class PlannerAgent(LookAheadAgent):
    """The whole turn: all its further answers are tried, see `look_ahead.py`.

    Args:
        worlds: how many worlds are sampled for each decision.

    Raises:
        ValueError: if that is not an integer in 1..10000.

    """

    def __init__(self, worlds: int = WORLDS) -> None:
        super().__init__(self.name_of(worlds), worlds, is_planner=True)

    @staticmethod
    def name_of(worlds: int = WORLDS) -> str:
        """The name of the agent with this number of worlds; raises as the class."""
        check_worlds("planner", worlds)
        return "planner" if worlds == WORLDS else f"planner:{worlds}"
