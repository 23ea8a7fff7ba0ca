"""Planner bot: searches the rest of its turn in a few determinizations."""

from pocketmars_agents.bots.look_ahead_agent import LookAheadAgent, check_determinizations

DETERMINIZATIONS = 4


class PlannerAgent(LookAheadAgent):
    """Search of the whole turn: evaluates all its later decisions of the turn, see `look_ahead.py`.

    Args:
        determinizations: number of determinizations for each decision.

    Raises:
        ValueError: if `determinizations` is not an integer in 1..10000.

    """

    def __init__(self, determinizations: int = DETERMINIZATIONS) -> None:
        super().__init__(self.name_of(determinizations), determinizations, is_planner=True)

    @staticmethod
    def name_of(determinizations: int = DETERMINIZATIONS) -> str:
        """Returns the name of the agent with these arguments; raises the same errors as the class."""
        check_determinizations("planner", determinizations)
        return "planner" if determinizations == DETERMINIZATIONS else f"planner:{determinizations}"
