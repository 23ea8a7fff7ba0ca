"""The command ``pocketmars engine``: a bot for other programs."""

from typing import Annotated

import typer

from pocketmars_agents.cli.command_options import errors_of
from pocketmars_agents.line_protocol.engine import serve
from pocketmars_agents.registry import ACCEPTED_AGENTS


def engine_command(
    bot: Annotated[str, typer.Argument(help=f"The bot. Accepted: {ACCEPTED_AGENTS}.")],
) -> None:
    """Serve a bot to another program through the line protocol, on stdin and stdout.

    The program chooses the game. Arenas use it as a bot: "exec:pocketmars engine planner".
    """
    with errors_of("engine", None):
        serve(bot)
