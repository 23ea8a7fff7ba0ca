"""Resumable runs: play a list of games on workers and save them in a results file."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import closing
from itertools import groupby
from math import ceil
from pathlib import Path

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import ResultsFile
from pocketmars_agents.arena.workers import Hire, Played
from pocketmars_env.core.game_spec import spec_of

SECONDS_PER_LIST = 1.0
"""Target time for one list of games; an interruption loses at most about this much work per process."""
MAX_GAMES_PER_LIST = 256
GROWTH = 4
"""Maximum factor by which the length of the lists grows from one list to the next."""


def run(matches: Sequence[Match], hire: Hire, out: Path | None = None) -> list[GameResult]:
    """Play all games that the results file does not contain yet.

    Args:
        matches: the games to play, all with the same `GameSpec`.
        hire: the factory of the workers.
        out: the results file; None saves nothing.

    Returns:
        The finished games, in the order of `matches`.

    Raises:
        ResultsError: before any game if the results file cannot be used; later if a result cannot be written.
        WorkersError: if the workers fail.

    """
    found = {result.match: result for result in finished_games(matches, hire, out)}
    return [found[match] for match in matches]


def finished_games(
    matches: Sequence[Match], hire: Hire, out: Path | None = None
) -> Generator[GameResult, None, None]:
    """Yield the results that the results file already contains, then those of new games as they finish.

    Equal matches are played only once. Close the iterator to stop early. See `run` for arguments and errors.
    """
    if out is None or not matches:
        yield from play_games(list(dict.fromkeys(matches)), hire)
        return
    with ResultsFile(out, spec_of(matches[0].config)) as file:
        yield from finished_games_of(matches, hire, file)


def finished_games_of(
    matches: Sequence[Match], hire: Hire, file: ResultsFile
) -> Generator[GameResult, None, None]:
    """Yield the results that the file already contains, then append and yield new ones as games finish."""
    wanted = dict.fromkeys(matches)
    yield from (file.finished[match] for match in wanted if match in file.finished)
    missing = [match for match in wanted if match not in file.finished]
    with closing(play_games(missing, hire)) as results:
        for result in results:
            file.append(result)
            yield result


def in_order(results: Iterable[GameResult], matches: Sequence[Match]) -> Iterator[GameResult]:
    """Yield the results in the order of `matches`, each as soon as all earlier ones are available."""
    early: dict[Match, GameResult] = {}
    waiting = iter(matches)
    wanted = next(waiting, None)
    for result in results:
        early[result.match] = result
        while wanted in early:
            yield early.pop(wanted)
            wanted = next(waiting, None)


def play_games(matches: Sequence[Match], hire: Hire) -> Generator[GameResult, None, None]:
    """Play the games on workers and yield the results as they finish.

    The workers get lists of games. The length of a list depends on the measured time per game of its line-up:
    one game for slow bots, up to hundreds for fast bots.
    """
    if not matches:
        return
    running: set[Played] = set()
    with hire(matches) as workers:
        try:
            for _, group in groupby(matches, key=what_is_alike):
                waiting, size = list(group), 1
                while waiting or running:
                    while waiting and len(running) < workers.lists_at_once:
                        length = min(size, ceil(len(waiting) / workers.lists_at_once))
                        running.add(workers.submit(waiting[:length]))
                        del waiting[:length]
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        running.remove(future)
                        results = future.result()
                        size = next_size(results)
                        yield from results
        finally:
            for future in running:
                future.cancel()


def what_is_alike(match: Match) -> tuple[object, ...]:
    """The properties that all games of one list share."""
    return match.bots, match.config, match.seconds_per_decision


def next_size(results: list[GameResult]) -> int:
    """The number of games in a worker's next list, based on the time per game in `results`."""
    seconds = sum(sum(result.seconds) for result in results)
    most = min(GROWTH * len(results), MAX_GAMES_PER_LIST)
    return max(1, min(most, int(SECONDS_PER_LIST * len(results) / seconds) if seconds else most))
