"""Play the games of this package's bots in the ladder.

Run ``python -m pocketmars_agents.ladder.own_bots FOLDER``. After an interruption, the same command continues.
The folder gets the rows, which can be copied to the folder `rows` of this package at any time, and all games,
in its folder ``games``. Several commands can run at the same time if each plays other divisions.
"""

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import hire_processes
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.rows import (
    GAMES,
    GAMES_OF_SLOW_BOTS,
    SLOW,
    Cell,
    Row,
    add_row,
    all_divisions,
    division_named,
    new_row,
    read_rows,
)
from pocketmars_agents.ladder.times import with_processor_times
from pocketmars_env.core.game_spec import Config


def play(division: Division, row: Row, opponent: str, config: Config, folder: Path) -> Cell:
    """Play the games of a bot against one opponent: first those of slow bots, then the others."""
    hire = hire_processes(1, with_processor_times(play_matches))
    path = folder / f"{division.name}-{row.name}-{opponent}.jsonl".replace(":", "_")
    for games in (GAMES_OF_SLOW_BOTS, GAMES):
        matches = [row.match(division, opponent, config, number) for number in range(games)]
        cell = Cell.of(opponent, run(matches, hire, path))
        if any(seconds > SLOW * count for seconds, count in zip(cell.seconds, cell.decisions)):
            break
    return cell


def main(
    folder: Annotated[Path, typer.Argument(help="The folder for rows and games.")],
    division: Annotated[list[str] | None, typer.Option(help="Only this division; repeatable.")] = None,
) -> None:
    """Play the games of this package's bots that are missing in a folder, fast bots first."""
    (folder / "games").mkdir(parents=True, exist_ok=True)
    for where in map(division_named, division or all_divisions()):
        for bot in where.bots:
            for opponent, config in where.opponents_of(bot).items():
                known = {row.name: row for row in read_rows(folder, where)}
                row = known.get(bot) or new_row(bot, where)
                if opponent not in {cell.opponent for cell in row.cells}:
                    print(f"{where.name}: {bot} against {opponent}", flush=True)
                    cell = play(where, row, opponent, config, folder / "games")
                    add_row(folder, where, replace(row, cells=(*row.cells, cell)))


if __name__ == "__main__":
    typer.run(main)
