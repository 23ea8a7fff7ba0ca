"""A sitting in the terminal."""

from pocketmars_agents.play.autosave import Autosave
from pocketmars_agents.play.terminal.app import PlayApp


def run(autosave: Autosave) -> None:
    """Play in the terminal until the people leave.

    Args:
        keeper: the game, which it keeps after every answer.

    """
    PlayApp(autosave.session, autosave).run()
