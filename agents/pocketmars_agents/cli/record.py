"""The command ``pocketmars record``, which records games between bots as a dataset."""

import time
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.cli.command_options import FAILED, Bots, Jobs, errors_of, processes, stop, with_bar
from pocketmars_agents.cli.game_options import Settings, mode_of
from pocketmars_agents.cli.games import game_commands_of
from pocketmars_agents.recording.plan import Plan, seated
from pocketmars_agents.recording.recorder import (
    FORMATS,
    RecordingError,
    play_and_record,
    record,
    unfinished_path,
)
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.rewards import REWARDS


def record_games(
    spec: GameSpec,
    bots: Bots,
    out: Annotated[
        Path,
        typer.Option(help="Folder for datasets; the new dataset is written to a subfolder with its name."),
    ],
    settings: Settings,
    games: Annotated[int, typer.Option(help="Number of games.")] = 1_000,
    seed: Annotated[int, typer.Option(help="The first game's seed; it increases by 1 for each game.")] = 0,
    format: Annotated[str, typer.Option(help=f"What to write, one of: {', '.join(FORMATS)}.")] = FORMATS[0],
    observations: Annotated[
        bool, typer.Option("--observations", help="Put observations and masks into the Parquet table too.")
    ] = False,
    reward: Annotated[
        str, typer.Option(help=f"The reward at the end of a game, one of: {', '.join(REWARDS)}.")
    ] = REWARDS[0],
    observation_dtype: Annotated[
        str,
        typer.Option(help="The dtype of observations: float32, or uint8 counts (float32 / GameSpec.scales)."),
    ] = "float32",
    name: Annotated[
        str, typer.Option(help="The dataset's name.", show_default="made from the settings and the bots")
    ] = "",
    jobs: Jobs = None,
) -> None:
    """Record bots' games as a Minari dataset or a Parquet table.

    The dataset is for offline RL; the table has all decisions; `--format both` writes both. In multiplayer
    games, the last bot given also fills the remaining seats, and the bots rotate by one seat after each game.
    In solo games of Pocket Mars, a second bot, if given, plays Devious Automatics. With reproducible bots,
    the same command gives the same data for any number of processes. If the recording is interrupted, run the
    same command again: it keeps the finished games and plays the others.

    Example: `pocketmars record planner greedy --games 1000 --out datasets`
    """
    with errors_of("record", None):
        config = spec.config(**settings)
        at_a_table = mode_of(spec, has_opponents=True)
        if len(bots) > config.seats_to_play and at_a_table:
            config = spec.config(**at_a_table.settings_of(settings))
        plan = Plan(seated(bots, config), config, games, seed, reward, name, observation_dtype)
        if observations and format == "minari":
            raise ValueError("--observations is for the Parquet table: use --format parquet or --format both")
    with errors_of("record", unfinished_path(out / plan.dataset_id)):
        workers = processes(jobs, play_and_record)
        start = time.perf_counter()
        try:
            columns = game_commands_of(spec).columns
            played = with_bar(record(plan, out, workers, format, observations, columns), plan.games)
            decisions = sum(len(game.actions) for game in played)
        except RecordingError as error:
            raise stop("record", str(error), FAILED) from error
        speed = decisions / (time.perf_counter() - start)
        counts = f"{plan.games:,} games with {decisions:,} decisions, {speed:,.0f} a second"
        typer.echo(f"{counts}: {out / plan.dataset_id}")
