"""A sitting in the terminal."""

from agents.human.keeping import Keeper
from agents.human.terminal_app import PlayApp


def run(keeper: Keeper) -> None:
    """Play in the terminal until the people leave.

    Args:
        keeper: the game, which it keeps after every answer.

    """
    PlayApp(keeper.sitting, keeper).run()
