"""Measure the decisions per second of this package's interfaces and of other libraries.

    python -m pocketmars_env.speed
    python -m pocketmars_env.speed --only kernel/mask/2p open_spiel/hanabi --seconds 5
    python -m pocketmars_env.speed --json > speed.json

The results are printed as tables. The rows for OpenSpiel, PettingZoo's Connect Four and Stable-Baselines3
are measured only if the optional packages are installed, and the rows for games on a GPU only if there is a
GPU.
"""

import argparse
import json
from collections.abc import Sequence

from pocketmars_env.core.files.output import output_errors
from pocketmars_env.core.game_spec import GAMES, default_game, game_named
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.speed.own_rows import cuda_rows, own_rows
from pocketmars_env.speed.peer_rows import peer_rows
from pocketmars_env.speed.report import figures_table, result_of, rows_table
from pocketmars_env.speed.timing import Row, is_within, measure

PROGRAM = "python -m pocketmars_env.speed"
MAX_SECONDS = 3600.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with the given arguments, by default the command-line arguments of the process."""
    options = parser().parse_args(arguments)
    if not 0 < options.seconds <= MAX_SECONDS:
        parser().error(f"--seconds must be above 0 and at most {MAX_SECONDS:g}, got {options.seconds:g}")
    spec = game_named(options.game)
    try:
        rows = choose_rows([*own_rows(spec), *cuda_rows(spec), *peer_rows(spec)], options.only)
    except ValueError as error:
        parser().error(str(error))
    ensure_compiled(spec)
    rates = measure([row for row in rows if row.is_installed], options.seconds)
    result = result_of(spec, rows, rates, options.seconds)
    with output_errors(PROGRAM):
        if options.json:
            print(json.dumps(result, indent=2))
        else:
            print(*result["about"], rows_table(result), figures_table(result), sep="\n\n")


def parser() -> argparse.ArgumentParser:
    """Return the argument parser for the command."""
    argument_parser = argparse.ArgumentParser(
        prog=PROGRAM, description="Measure the decisions per second of a game and of other libraries."
    )
    default = default_game().name
    argument_parser.add_argument(
        "--game", choices=list(GAMES), default=default, help=f"the game to measure (default: {default})"
    )
    argument_parser.add_argument(
        "--seconds", type=float, default=1.0, help="total time per row in seconds (default: 1)"
    )
    argument_parser.add_argument(
        "--only",
        nargs="+",
        metavar="NAME",
        help="measure only rows with these names or first parts of names: kernel, kernel/mask/2p, learn, ...",
    )
    argument_parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown tables")
    return argument_parser


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
    main()
