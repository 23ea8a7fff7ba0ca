"""The command ``pocketmars wasm``, which compiles a game and its bots for browsers and Node."""

import time
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.cli.command_options import errors_of
from pocketmars_agents.wasm.bots import build_for
from pocketmars_env.core.game_spec import GameSpec


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
