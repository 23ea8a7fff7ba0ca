"""Greedy bot: one-ply search with the value at the end of the turn, over a few determinizations."""

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent, check_determinizations

DETERMINIZATIONS = 8


class GreedyAgent(LookAheadAgent):
    """One-ply search: later decisions of the turn are not searched, see `look_ahead.py`.

    Args:
        determinizations: number of determinizations for each decision.

    Raises:
        ValueError: if `determinizations` is not an integer in 1..10000.

    """

    def __init__(self, determinizations: int = DETERMINIZATIONS) -> None:
        super().__init__(self.name_of(determinizations), determinizations, is_planner=False)

    @staticmethod
    def name_of(determinizations: int = DETERMINIZATIONS) -> str:
        """Returns the name of the agent with these arguments; raises the same errors as the class."""
        check_determinizations("greedy", determinizations)
        return "greedy" if determinizations == DETERMINIZATIONS else f"greedy:{determinizations}"
