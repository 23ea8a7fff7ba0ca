"""Play the games of this package's bots in the ladder.

Run ``python -m pocketmars_agents.ladder.own_bots FOLDER``. The cheapest cells come first. After an
interruption, the same command continues. The folder gets the rows, which can be copied to the folder `rows`
of this package at any time, and all games, in its folder ``games``. With ``--plan``, the command only prints
the cells that are missing, with their estimated processor time. Several commands can run at the same time if
each plays other divisions (``--division``).
"""

import argparse
import functools
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import bots_of, this_process, warm_up
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.rows import (
    GAMES,
    GAMES_OF_SLOW_BOTS,
    SLOW,
    Cell,
    Row,
    add_row,
    all_divisions,
    new_row,
    read_rows,
)
from pocketmars_env.core import gate
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game_spec import Config

SAMPLE = 2
"""The number of games from which the times of a bot are estimated."""


class Cost(NamedTuple):
    """A bot's processor time per decision in seconds, and the decisions of a seat in a game."""

    seconds: float
    decisions: float


class Task(NamedTuple):
    """The games of a bot against one opponent."""

    division: Division
    bot: str
    opponent: str
    config: Config
    games: int
    seconds: float

    def matches(self) -> list[Match]:
        row = empty_row(self.division, self.bot)
        return [row.match(self.division, self.opponent, self.config, number) for number in range(self.games)]

    def __str__(self) -> str:
        return f"{self.division.name}: {self.bot} against {self.opponent}, {self.games:,} games"


def empty_row(division: Division, bot: str) -> Row:
    return new_row(bot, division, datetime.now(UTC).date().isoformat())


def with_processor_times(play: Callable[[], list[GameResult]]) -> list[GameResult]:
    """Return results whose decision times are estimated processor times, because the machine may be busy."""
    wall, processor = time.perf_counter(), time.process_time()
    results = play()
    share = min(1.0, (time.process_time() - processor) / (time.perf_counter() - wall))
    return [
        replace(result, seconds=tuple(share * seconds for seconds in result.seconds)) for result in results
    ]


def costs_of(division: Division, folder: Path) -> dict[str, Cost]:
    """Return the costs of a division's bots, measured in a few games and stored in a file."""
    path = folder / "costs" / f"{division.name}.json"
    if path.exists():
        return gate.decode(path.read_bytes(), dict[str, Cost], str(path))
    costs = {}
    for bot in division.bots:
        row, opponent = empty_row(division, bot), next(iter(division.opponents))
        matches = [
            row.match(division, opponent, division.opponents[opponent], number) for number in range(SAMPLE)
        ]
        warm_up(bots_of(matches))
        results = with_processor_times(functools.partial(play_matches, matches))
        own = [(result, result.match.seat_of(0)) for result in results]
        decisions = sum(result.decisions[seat] for result, seat in own)
        seconds = sum(result.seconds[seat] for result, seat in own)
        costs[bot] = Cost(round(seconds / decisions, 6), round(decisions / SAMPLE, 1))
    write_whole(path, msgspec.json.format(msgspec.json.encode(costs)))
    return costs


def tasks_of(division: Division, folder: Path) -> Iterator[Task]:
    """Yield the cells of a division that are missing in the folder."""
    costs = costs_of(division, folder)
    rows = {row.name: row for row in read_rows(folder, division)}
    for bot in division.bots:
        done = {cell.opponent for cell in rows[bot].cells} if bot in rows else set()
        for opponent, config in division.opponents_of(bot).items():
            seats = (
                [costs[bot], *[costs[opponent]] * (config.players - 1)] if opponent in costs else [costs[bot]]
            )
            games = GAMES_OF_SLOW_BOTS if max(cost.seconds for cost in seats) > SLOW else GAMES
            if opponent not in done:
                seconds = games * sum(cost.seconds * cost.decisions for cost in seats)
                yield Task(division, bot, opponent, config, games, seconds)


def play(task: Task, folder: Path) -> None:
    """Play the games of a cell, and store the cell."""
    name = f"{task.division.name}-{task.bot}-{task.opponent}".replace(":", "_")
    path = folder / "games" / f"{name}.jsonl"
    results = with_processor_times(lambda: run(task.matches(), this_process, path))
    known = {row.name: row for row in read_rows(folder, task.division)}
    row = known.get(task.bot, empty_row(task.division, task.bot))
    cells = (*row.cells, Cell.of(task.opponent, results))
    add_row(folder, task.division, replace(row, cells=cells))


def main() -> None:
    """Play the cells that are missing, the cheapest first."""
    parser = argparse.ArgumentParser(description="Play the games of this package's bots in the ladder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--plan", action="store_true", help="only print the missing cells")
    parser.add_argument("--division", choices=all_divisions(), nargs="*", help="only these divisions")
    options = parser.parse_args()
    divisions = [
        division for name, division in all_divisions().items() if name in (options.division or [name])
    ]
    (options.folder / "games").mkdir(parents=True, exist_ok=True)
    tasks = [task for division in divisions for task in tasks_of(division, options.folder)]
    tasks.sort(key=lambda task: task.seconds)
    print(f"{len(tasks)} cells, about {sum(task.seconds for task in tasks) / 3600:.1f} h", flush=True)
    for task in tasks:
        print(f"{task}, about {task.seconds:,.0f} s", flush=True)
        if not options.plan:
            play(task, options.folder)


if __name__ == "__main__":
    main()
