"""Resumable runs: play games on workers and save the results in a file."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
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
"""Target time for one list of games (see `play_games`), in seconds. An interrupted run loses the unfinished
lists, about one per process."""
MAX_GAMES_PER_LIST = 256
GROWTH = 4
"""Maximum ratio of the length of a new list of games to the length of the last finished list."""


def run(matches: Sequence[Match], hire: Hire, out: Path | None = None) -> list[GameResult]:
    """Play the games that the results file does not contain yet, and return the results of all games.

    Args:
        matches: the games to play, all with the same `GameSpec`.
        hire: a function that creates the workers that play the games.
        out: the results file; if None, the results are not saved.

    Returns:
        The results, in the order of `matches`.

    Raises:
        ResultsError: before the first game if the results file cannot be used, or during the run if a result
            cannot be written.
        WorkersError: if the workers fail.

    """
    results = {result.match: result for result in finished_games(matches, hire, out)}
    return [results[match] for match in matches]


def finished_games(
    matches: Sequence[Match],
    hire: Hire,
    out: Path | None = None,
    tell: Callable[[int], object] = lambda number: None,
) -> Generator[GameResult, None, None]:
    """Yield the results of `matches`: first those in the file `out`, then new results as games finish.

    Duplicate matches are played and yielded only once. Close the generator to stop early. If bots failed in
    games in the file, `tell` is called with the number of these games. Other arguments and errors are those
    of `run`.
    """
    if out is None or not matches:
        yield from play_games(list(dict.fromkeys(matches)), hire)
        return
    with ResultsFile(out, spec_of(matches[0].config)) as file:
        kept = [file.finished[match] for match in dict.fromkeys(matches) if match in file.finished]
        if failed := sum(result.failure is not None for result in kept):
            tell(failed)
        yield from finished_games_of(matches, hire, file)


def finished_games_of(
    matches: Sequence[Match], hire: Hire, file: ResultsFile
) -> Generator[GameResult, None, None]:
    """Yield the results of `matches`: first those in `file`, then new results, which are appended to it."""
    wanted = dict.fromkeys(matches)
    yield from (file.finished[match] for match in wanted if match in file.finished)
    missing = [match for match in wanted if match not in file.finished]
    with closing(play_games(missing, hire)) as results:
        for result in results:
            file.append(result)
            yield result


def in_order(results: Iterable[GameResult], matches: Sequence[Match]) -> Iterator[GameResult]:
    """Yield the results in the order of `matches`, each as soon as all earlier results have arrived.

    The matches must be distinct.
    """
    early: dict[Match, GameResult] = {}
    waiting = iter(matches)
    wanted = next(waiting, None)
    for result in results:
        early[result.match] = result
        while wanted in early:
            yield early.pop(wanted)
            wanted = next(waiting, None)


def play_games(matches: Sequence[Match], hire: Hire) -> Generator[GameResult, None, None]:
    """Split the games into lists, play the lists on workers, and yield the results of each finished list.

    All games in a list have the same line-up, settings and time limit. The length of a list depends on the
    measured time per game: from one game for slow bots to `MAX_GAMES_PER_LIST` games for fast bots.
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
    """Return the properties that must be equal for all games in one list."""
    return match.bots, match.config, match.seconds_per_decision


def next_size(results: list[GameResult]) -> int:
    """Return the maximum length of the next list, given the results of a finished list."""
    seconds = sum(sum(result.seconds) for result in results)
    most = min(GROWTH * len(results), MAX_GAMES_PER_LIST)
    return max(1, min(most, int(SECONDS_PER_LIST * len(results) / seconds) if seconds else most))
