"""A sitting in the terminal."""

import sys
from pathlib import Path

from agents.human.sitting import Sitting
from agents.human.terminal_app import PlayApp


def run(sitting: Sitting, save: Path | None) -> None:
    """Play in the terminal until the people leave, and print the result.

    However it ends, the game is saved as far as it has come.

    Args:
        sitting: the game.
        save: the replay's file; None for a game that is not saved.

    """
    app = PlayApp(sitting, save)
    try:
        app.run()
    finally:
        print(app.save())
