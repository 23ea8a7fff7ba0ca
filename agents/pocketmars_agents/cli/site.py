"""The command ``pocketmars site``, which writes the page for playing as static files."""

import gzip
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.cli.command_options import errors_of
from pocketmars_agents.cli.seating import starts_of
from pocketmars_env.core.game_spec import GAMES


def site_command(
    out: Annotated[Path, typer.Option(help="Folder for the files.")] = Path("build/site"),
    modules: Annotated[
        Path, typer.Option(help="Folder for the compiled modules, which are kept for the next time.")
    ] = Path("build/modules"),
) -> None:
    """Write a page for playing as static files, which need no server.

    A web host can serve the folder. The file NAME.html is the page of one game and also works without a web
    host.

    Example: `pocketmars site --out build/site`
    """
    from pocketmars_agents.play.web.site import write_site  # needs the extra play

    with errors_of("site", None):
        write_site(out, {spec: starts_of(spec) for spec in GAMES.values()}, modules)
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        content = path.read_bytes()
        typer.echo(f"{len(content):>12,} bytes, {len(gzip.compress(content)):>10,} with gzip  {path}")
