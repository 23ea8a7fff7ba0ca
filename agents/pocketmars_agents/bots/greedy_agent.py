"""A bot that plays the action that looks best at the end of the turn, in a few sampled worlds."""

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent, check_worlds

WORLDS = 8


class GreedyAgent(LookAheadAgent):
    """One ply: its further answers of the turn are not searched, see `look_ahead.py`.

    Args:
        worlds: how many worlds are sampled for each decision.

    Raises:
        ValueError: if that is not an integer in 1..10000.

    """

    def __init__(self, worlds: int = WORLDS) -> None:
        super().__init__(self.name_of(worlds), worlds, is_planner=False)

    @staticmethod
    def name_of(worlds: int = WORLDS) -> str:
        """The name of the agent with this number of worlds; raises as the class."""
        check_worlds("greedy", worlds)
        return "greedy" if worlds == WORLDS else f"greedy:{worlds}"
