"""The default bots of Pocket Mars, its commands, and its columns in the table of recorded decisions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from pocketmars_agents.game_parts import GameParts
from pocketmars_agents.games.pocket_mars.shipped import TABLE, can_play_policies
from pocketmars_env.games.pocket_mars.spec import SPEC

if TYPE_CHECKING:
    from pocketmars_agents.recording.columns import Column

STRONG_BOT = TABLE if can_play_policies() else "planner"


def columns() -> "Sequence[Column]":
    """Return the columns that Pocket Mars adds to the table of recorded decisions."""
    from pocketmars_agents.games.pocket_mars.columns import COLUMNS  # to avoid a circular import

    return COLUMNS


def add_commands(app: typer.Typer) -> None:
    """Add the commands ``bench`` and ``leaderboard``."""
    from pocketmars_agents.cli.game_options import for_game  # to avoid a circular import
    from pocketmars_agents.games.pocket_mars.commands import bench, current_name, leaderboard

    app.command(context_settings={"token_normalize_func": current_name})(for_game(bench, SPEC))
    app.command()(leaderboard)


PARTS = GameParts(
    line_up=(STRONG_BOT, "greedy"),
    opponent=STRONG_BOT,
    adviser="planner",
    add_commands=add_commands,
    columns=columns,
)
