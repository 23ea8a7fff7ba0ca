"""A sitting in the terminal."""

from pocketmars_agents.play.keeping import Keeper
from pocketmars_agents.play.terminal.app import PlayApp


def run(keeper: Keeper) -> None:
    """Play in the terminal until the people leave.

    Args:
        keeper: the game, which it keeps after every answer.

    """
    PlayApp(keeper.sitting, keeper).run()
