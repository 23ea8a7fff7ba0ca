"""Game-specific parts of the package."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from pocketmars_env.core.game_spec import GameSpec

if TYPE_CHECKING:
    from pocketmars_agents.recording.columns import Column


@dataclass(frozen=True, kw_only=True)
class GameParts:
    """Game-specific parts of the commands and recordings.

    Attributes:
        line_up: default bots of ``pocketmars arena``.
        opponent: default bot of ``pocketmars play``.
        adviser: the bot that gives hints to a person; empty for none.
        add_commands: adds the game's own commands to ``pocketmars``.
        columns: returns the game-specific columns of a recorded table of decisions.

    """

    line_up: tuple[str, ...] = ("random", "random")
    opponent: str = "random"
    adviser: str = ""
    add_commands: Callable[[typer.Typer], None] = lambda app: None
    columns: Callable[[], Sequence["Column"]] = lambda: ()


PARTS: dict[str, GameParts] = {}
"""Game-specific parts by the name of the game."""


def parts_of(spec: GameSpec) -> GameParts:
    """Returns the parts registered for a game, or the defaults."""
    return PARTS.get(spec.name, GameParts())
