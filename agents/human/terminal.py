"""A sitting in the terminal."""

from pathlib import Path

from agents.human.keeping import Keeper
from agents.human.sitting import Sitting
from agents.human.terminal_app import PlayApp


def run(sitting: Sitting, save: Path | None) -> None:
    """Play in the terminal until the people leave.

    The replay is kept after every answer, so nothing is lost, however the program ends.

    Args:
        sitting: the game.
        save: the replay's file; None for a game that is not kept.

    Raises:
        ValueError: if the replay cannot be written in the end.

    """
    keeper = None if save is None else Keeper(sitting, save)
    try:
        PlayApp(sitting, keeper).run()
    finally:
        if keeper is not None:
            keep(keeper)


def keep(keeper: Keeper) -> None:
    """Keep the replay, and say where."""
    try:
        keeper.keep()
    except OSError as error:
        raise ValueError(f"cannot write {keeper.path}: {error.strerror}") from error
    print(f"The game is kept in {keeper.path}: pocketmars replay {keeper.path}")
