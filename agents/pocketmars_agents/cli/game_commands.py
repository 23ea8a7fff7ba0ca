"""`GameCommands`: what a game adds to the command line."""

from collections.abc import Callable
from dataclasses import dataclass

import typer


@dataclass(frozen=True, kw_only=True)
class GameCommands:
    """A game's own commands, and the default bots of commands that all games share.

    Attributes:
        line_up: default bots of ``pocketmars arena``.
        opponent: default opponent in ``pocketmars play``.
        adviser: default bot for hints in ``pocketmars play`` with one person; if it is an empty string, hints
            are off by default.
        add_commands: a function that adds the game's own commands to ``pocketmars``.

    """

    line_up: tuple[str, ...] = ("random", "random")
    opponent: str = "random"
    adviser: str = ""
    add_commands: Callable[[typer.Typer], None] = lambda app: None
