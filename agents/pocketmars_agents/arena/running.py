"""Plays a list of games on workers, keeps them in a file, and goes on where it was stopped."""

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import closing
from itertools import groupby
from math import ceil
from pathlib import Path

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import Result, ResultsFile
from pocketmars_agents.arena.workers import Hire, Played, Workers
from pocketmars_env.core.game_spec import spec_of

SECONDS_PER_LIST = 1.0
"""How long the bots of one list shall take: an interruption loses no more of each process."""
MAX_GAMES_PER_LIST = 256
GROWTH = 4
"""A list has at most so many times the games of the one before it."""


def run(matches: Sequence[Match], hire: Hire, out: Path | None = None) -> list[GameResult]:
    """Play games, but for those that the results file holds already.

    Args:
        matches: the games, all of them of one game's rules.
        hire: who plays them.
        out: the results file, if one shall be kept.

    Returns:
        The finished games, in the order of `matches`.

    Raises:
        ResultsError: if the results file cannot be used; nothing has been played.
        WorkersError: if the workers failed.

    """
    found = {result.match: result for result in finished_games(matches, hire, out)}
    return [found[match] for match in matches]


def finished_games(
    matches: Sequence[Match], hire: Hire, out: Path | None = None
) -> Generator[GameResult, None, None]:
    """The games as they are finished, in any order, those of the file first; see `run`.

    Who needs no more closes the iterator: then the rest is not played. An equal match comes once.
    """
    if out is None or not matches:
        yield from play_games(list(dict.fromkeys(matches)), hire)
        return
    with ResultsFile(out, GameResult, spec_of(matches[0].config)) as file:
        yield from finished_games_of(matches, hire, file)


def finished_games_of(
    matches: Sequence[Match], hire: Hire, file: ResultsFile[Result]
) -> Generator[Result, None, None]:
    """The games as they are finished, those of the file first; the others are added to it.

    Raises:
        TypeError: if the workers give another kind of result than the file keeps.

    """
    wanted = dict.fromkeys(matches)
    yield from (file.finished[match] for match in wanted if match in file.finished)
    missing = [match for match in wanted if match not in file.finished]
    with closing(play_games(missing, hire)) as results:
        for result in results:
            if not isinstance(result, file.kind):
                raise TypeError(f"the workers must give {file.kind.__name__}, got {result!r}")
            file.append(result)
            yield result


def play_games(matches: Sequence[Match], hire: Hire) -> Generator[GameResult, None, None]:
    """Play games on workers that are hired for them, if there are any."""
    if not matches:
        return
    with hire(matches) as workers:
        running: set[Played] = set()
        try:
            for future in play_lists(matches, workers, running):
                yield from future.result()
        finally:
            for future in running:
                future.cancel()


def play_lists(matches: Sequence[Match], workers: Workers, running: set[Played]) -> Iterator[Played]:
    """Submit all games in lists that are long enough, but not longer; yields them when they are done.

    Games of slow bots go one by one and those of fast bots by the hundred: the lists of each line-up
    grow with what its games were seen to take. `running` holds the lists that are being played.
    """
    for _, group in groupby(matches, key=what_is_alike):
        waiting, size = list(group), 1
        while waiting or running:
            while waiting and len(running) < workers.lists_at_once:
                fair = ceil(len(waiting) / workers.lists_at_once)
                chunk, waiting = waiting[: min(size, fair)], waiting[min(size, fair) :]
                running.add(workers.submit(chunk))
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                running.remove(future)
                yield future
                size = next_size(future.result())


def what_is_alike(match: Match) -> tuple[object, ...]:
    """What games that are played side by side have in common."""
    return match.bots, match.config, match.seconds_per_decision


def next_size(results: list[GameResult]) -> int:
    """How many games the next list shall have, after one that took what these took."""
    seconds = sum(sum(result.seconds) for result in results)
    most = min(GROWTH * len(results), MAX_GAMES_PER_LIST)
    return max(1, min(most, int(SECONDS_PER_LIST * len(results) / seconds) if seconds else most))
