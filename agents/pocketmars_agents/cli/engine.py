"""The command ``pocketmars engine``: a bot for other programs."""

from typing import Annotated

import typer

from pocketmars_agents.cli.command_options import errors_of
from pocketmars_agents.line_protocol.engine import serve


def engine_command(
    bot: Annotated[str, typer.Argument(help="The bot; `pocketmars bots` lists the names.")],
) -> None:
    """Serve a bot to another program through the line protocol, on stdin and stdout.

    The program chooses the game. Arenas use it as a bot: "exec:pocketmars engine planner".

    Example: `pocketmars engine planner`
    """
    with errors_of("engine", None):
        serve(bot)
