"""`GameCommands`: what a game adds to the command line."""

from collections.abc import Callable
from dataclasses import dataclass

import typer

from pocketmars_agents.recording.columns import Column
from pocketmars_env.core.game_spec import GameSpec


@dataclass(frozen=True, kw_only=True)
class GameCommands:
    """A game's own commands, and its defaults and columns for commands that all games share.

    Attributes:
        game: the game.
        line_up: default bots of ``pocketmars arena``.
        opponent: default opponent in ``pocketmars play``.
        adviser: default bot for hints in ``pocketmars play`` with one person; if it is an empty string, hints
            are off by default.
        add_commands: a function that adds the game's own commands to ``pocketmars``.
        columns: the columns that the game adds to the table of ``pocketmars record``.

    """

    game: GameSpec
    line_up: tuple[str, ...] = ("random", "random")
    opponent: str = "random"
    adviser: str = ""
    add_commands: Callable[[typer.Typer], None] = lambda app: None
    columns: tuple[Column, ...] = ()
