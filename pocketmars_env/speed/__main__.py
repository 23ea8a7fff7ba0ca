"""Measure the decisions per second of this package's interfaces and of other libraries.

    python -m pocketmars_env.speed
    python -m pocketmars_env.speed --only kernel/mask/2p open_spiel/hanabi --seconds 5
    python -m pocketmars_env.speed --json > speed.json

The results are printed as tables. The rows for OpenSpiel, PettingZoo's Connect Four and Stable-Baselines3
are measured only if the optional packages are installed, and the rows for games on a GPU only if there is a
GPU.
"""

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from pocketmars_env.core.files.output import output_errors
from pocketmars_env.core.game_spec import default_game, game_named
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.core.several_values import SeveralValues
from pocketmars_env.speed.own_rows import cuda_rows, own_rows
from pocketmars_env.speed.peer_rows import peer_rows
from pocketmars_env.speed.report import figures_table, result_of, rows_table
from pocketmars_env.speed.timing import Row, is_within, measure

PROGRAM = "python -m pocketmars_env.speed"
MAX_SECONDS = 3600.0


app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command(cls=SeveralValues)
def main(
    game: Annotated[str, typer.Option(help="The game to measure.")] = default_game().name,
    seconds: Annotated[float, typer.Option(help="Total time per row in seconds.")] = 1.0,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Measure only rows with these (first parts of) names: kernel, kernel/mask/2p, learn, ..."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of Markdown tables.")] = False,
) -> None:
    """Measure the decisions per second of a game and of other libraries."""
    try:
        spec = game_named(game)
        if not 0 < seconds <= MAX_SECONDS:
            raise ValueError(f"--seconds must be above 0 and at most {MAX_SECONDS:g}, got {seconds:g}")
        rows = choose_rows([*own_rows(spec), *cuda_rows(spec), *peer_rows(spec)], only)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    ensure_compiled(spec)
    rates = measure([row for row in rows if row.is_installed], seconds)
    result = result_of(spec, rows, rates, seconds)
    with output_errors(PROGRAM):
        if as_json:
            print(json.dumps(result, indent=2))
        else:
            print(*result["about"], rows_table(result), figures_table(result), sep="\n\n")


def choose_rows(rows: Sequence[Row], names: Sequence[str] | None) -> list[Row]:
    """Return the rows that match a name or a prefix in `names`, or all rows if `names` is None."""
    for name in names or ():
        if not any(is_within(row.name, name) for row in rows):
            accepted = ", ".join(dict.fromkeys(row.name.split("/")[0] for row in rows))
            raise ValueError(
                f"--only: no row is named {name!r}; accepted: {accepted}, "
                f"or more parts of a row's name, such as {rows[0].name}"
            )
    return [row for row in rows if names is None or any(is_within(row.name, name) for name in names)]


if __name__ == "__main__":
    app(prog_name=PROGRAM)
