"""The commands ``pocketmars wasm`` and ``site``, which compile games and bots for browsers."""

import gzip
import time
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.cli.command_options import errors_of
from pocketmars_agents.cli.seating import starts_of
from pocketmars_agents.wasm.bots import build_for
from pocketmars_env.core.game_spec import GAMES, GameSpec


def wasm_command(
    spec: GameSpec,
    out: Annotated[Path, typer.Option(help="Folder for the files.")] = Path("build/wasm"),
) -> None:
    """Compile a game and its bots for browsers and Node.

    Writes NAME.wasm, NAME.js (a script that calls it) and one file for each network.

    Example: `pocketmars --game project_mars wasm --out site/wasm`
    """
    start = time.perf_counter()
    with errors_of("wasm", None):
        build_for(spec, out)
    typer.echo(f"{spec.title}: compiled in {time.perf_counter() - start:.0f} s")
    for path in sorted(out.iterdir()):
        typer.echo(f"{path.stat().st_size:>12,} bytes  {path}")


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
