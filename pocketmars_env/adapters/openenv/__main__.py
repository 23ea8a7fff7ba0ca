"""Command line of the OpenEnv server: ``python -m pocketmars_env.adapters.openenv --help``."""

from typing import Annotated

import gymnasium
import typer
import uvicorn

from pocketmars_env.adapters.openenv.server import make_app
from pocketmars_env.core.game_spec import default_game
from pocketmars_env.text_interface import TextEnv
from pocketmars_env.text_interface.text_env import DEFAULT_RETRIES

DEFAULT_ENV = default_game().id_of(default_game().env_modes[0].name)


def serve(
    env_id: Annotated[str, typer.Option(help="The id of the Gymnasium environment.")] = DEFAULT_ENV,
    opponents: Annotated[str | None, typer.Option(help="A bot for all other seats.")] = None,
    retries: Annotated[
        int, typer.Option(help="Number of consecutive illegal replies that the model may correct.")
    ] = DEFAULT_RETRIES,
    strict: Annotated[
        bool, typer.Option("--strict", help="Accept only replies that consist of the action alone.")
    ] = False,
    max_sessions: Annotated[int, typer.Option(min=1, help="Maximum number of simultaneous sessions.")] = 16,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port.")] = 8000,
) -> None:
    """Serve games as text with OpenEnv."""
    settings = {} if opponents is None else {"opponents": opponents}

    def make_env() -> TextEnv:
        return TextEnv(env_id, retries=retries, is_strict=strict, **settings)

    try:
        make_env().reset(seed=0)  # detects invalid settings, and compiles the rules before the first session
    except (ValueError, TypeError, gymnasium.error.Error) as error:
        typer.echo(f"openenv: {error}", err=True)
        raise typer.Exit(1) from error
    uvicorn.run(make_app(make_env, max_sessions), host=host, port=port)


if __name__ == "__main__":
    typer.run(serve)
