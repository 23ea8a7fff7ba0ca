"""What the package knows of one game alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from pocketmars_env.core.game_spec import GameSpec

if TYPE_CHECKING:
    from pocketmars_agents.recording.columns import Column


@dataclass(frozen=True, kw_only=True)
class GameParts:
    """What one game adds to the commands and to recordings.

    Attributes:
        line_up: the bots of ``pocketmars arena`` if none is named.
        opponent: the bot of ``pocketmars play`` if none is named.
        add_commands: adds the game's own commands to ``pocketmars``.
        columns: gives the columns that a table of decisions has for this game alone.

    """

    line_up: tuple[str, ...] = ("random", "random")
    opponent: str = "random"
    add_commands: Callable[[typer.Typer], None] = lambda app: None
    columns: Callable[[], Sequence["Column"]] = lambda: ()


PARTS: dict[str, GameParts] = {}
"""By the game's name."""


def parts_of(spec: GameSpec) -> GameParts:
    """What the package knows of a game alone."""
    return PARTS.get(spec.name, GameParts())
