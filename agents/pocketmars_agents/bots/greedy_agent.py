"""Greedy bot: one-ply search with the value at the end of the turn, over a few determinizations."""

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent, check_worlds

WORLDS = 8


class GreedyAgent(LookAheadAgent):
    """One-ply search: later decisions of the turn are not searched, see `look_ahead.py`.

    Args:
        worlds: number of determinizations for each decision.

    Raises:
        ValueError: if `worlds` is not an integer in 1..10000.

    """

    def __init__(self, worlds: int = WORLDS) -> None:
        super().__init__(self.name_of(worlds), worlds, is_planner=False)

    @staticmethod
    def name_of(worlds: int = WORLDS) -> str:
        """Returns the name of the agent with this number of worlds; raises the same errors as the class."""
        check_worlds("greedy", worlds)
        return "greedy" if worlds == WORLDS else f"greedy:{worlds}"
