"""Entry point of the terminal program."""

from pocketmars_agents.play.autosave import Autosave
from pocketmars_agents.play.terminal.app import PlayApp


def run(autosave: Autosave) -> None:
    """Runs a session in the terminal until it is closed.

    Args:
        autosave: the session and its files.

    """
    PlayApp(autosave.session, autosave).run()
