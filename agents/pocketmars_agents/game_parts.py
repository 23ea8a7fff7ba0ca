"""What each game defines: default bots, commands, and columns in the table of recorded decisions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from pocketmars_env.core.game_spec import GameSpec

if TYPE_CHECKING:
    from pocketmars_agents.recording.columns import Column


@dataclass(frozen=True, kw_only=True)
class GameParts:
    """One game's default bots, its own commands, and its own columns in the table of recorded decisions.

    Attributes:
        line_up: default bots of ``pocketmars arena``.
        opponent: default opponent in ``pocketmars play``.
        adviser: default bot for hints in ``pocketmars play`` with one person; if it is an empty string, hints
            are off by default.
        add_commands: a function that adds the game's own commands to ``pocketmars``.
        columns: a function that returns the game's own columns in the table of recorded decisions.

    """

    line_up: tuple[str, ...] = ("random", "random")
    opponent: str = "random"
    adviser: str = ""
    add_commands: Callable[[typer.Typer], None] = lambda app: None
    columns: Callable[[], Sequence["Column"]] = lambda: ()


PARTS: dict[str, GameParts] = {}
"""The registered `GameParts` by game name."""


def parts_of(spec: GameSpec) -> GameParts:
    """Return the `GameParts` of a game, or `GameParts` with default values if none are registered."""
    return PARTS.get(spec.name, GameParts())
