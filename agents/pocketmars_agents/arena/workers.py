"""Who plays games: this process, other processes of this machine, or a Ray cluster.

Whoever plays, the same match gives the same result.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.connection import wait
from typing import Protocol

import numpy as np

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.playing import play_matches
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.registry import answers, make_agent
from pocketmars_env.core.game_spec import Config, spec_of

Played = Future[list[GameResult]]
Play = Callable[[Sequence[Match]], list[GameResult]]
"""Plays a list of games; a function of a module, which other processes can import."""


class WorkersError(RuntimeError):
    """The games could not be played: processes died, or a cluster cannot be used."""


class Workers(Protocol):
    """Play lists of games, several lists at a time."""

    @property
    def lists_at_once(self) -> int:
        """How many lists keep all of them busy."""

    def submit(self, matches: Sequence[Match]) -> Played:
        """Begin to play a list; its results may raise a `WorkersError`."""


Hire = Callable[[Sequence[Match]], AbstractContextManager[Workers]]
"""Gets workers ready for some games, and lets them go at the end."""


def warm_up(entries: Iterable[tuple[str, Config]]) -> None:
    """Let every bot answer once, so that no measured time is spent on loading what it needs."""
    for name, config in entries:
        games = spec_of(config).games(1, **config.as_dict(), seed=0)
        views = games.views(np.zeros(1, dtype=np.int64), games.asked)
        try:
            answers(make_agent(name), views, np.zeros(1, dtype=np.uint64))
        except (Exception, SystemExit):  # whatever a bot may raise: its games will tell
            continue


def entries_of(matches: Iterable[Match]) -> list[tuple[str, Config]]:
    """The bots of games, each with one configuration for every number of players."""
    found = {(bot, match.config.players): match.config for match in matches for bot in match.bots}
    return [(bot, config) for (bot, _), config in sorted(found.items(), key=lambda entry: entry[0])]


# --- this process -----------------------------------------------------------------------------------


class ThisProcess:
    """Plays at once, here."""

    lists_at_once = 1

    def __init__(self, play: Play = play_matches) -> None:
        self._play = play

    def submit(self, matches: Sequence[Match]) -> Played:
        """Play a list."""
        future: Played = Future()
        future.set_result(self._play(matches))
        return future


# --- other processes --------------------------------------------------------------------------------


class Processes:
    """Processes of this machine."""

    def __init__(self, jobs: int, executor: ProcessPoolExecutor, play: Play) -> None:
        self.lists_at_once = 2 * jobs  # so that none waits while a result is taken in
        self._executor = executor
        self._play = play

    def submit(self, matches: Sequence[Match]) -> Played:
        """Begin to play a list. The processes that the first call starts leave Ctrl-C to this one."""
        if threading.current_thread() is not threading.main_thread():
            return self._submit(matches)
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return self._submit(matches)
        finally:
            signal.signal(signal.SIGINT, handler)

    def _submit(self, matches: Sequence[Match]) -> Played:
        try:
            return self._executor.submit(self._play, matches)
        except BrokenProcessPool as error:
            raise WorkersError(PROCESS_DIED) from error


PROCESS_DIED = "a process that played games died; the bot may have ended it"


def hire_processes(jobs: int, play: Play = play_matches) -> Hire:
    """Processes of this machine; with one job, this one.

    Args:
        jobs: how many.
        play: what they do with a list of games.

    Raises:
        ValueError: for fewer than one job.

    """
    if type(jobs) is not int or jobs < 1:
        raise ValueError(f"jobs must be an integer of at least 1, got {jobs!r}")

    @contextmanager
    def alone(matches: Sequence[Match]) -> Iterator[Workers]:
        warm_up(entries_of(matches))
        yield ThisProcess(play)

    @contextmanager
    def processes(matches: Sequence[Match]) -> Iterator[Workers]:
        entries = entries_of(matches)
        warm_up(entries)  # before several processes would compile the same kernels
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(jobs, context, begin_process, (entries,))
        try:
            yield Processes(jobs, executor, play)
        except BrokenProcessPool as error:
            raise WorkersError(PROCESS_DIED) from error
        finally:
            executor.shutdown(cancel_futures=True)

    return alone if jobs == 1 else processes


this_process = hire_processes(1)
"""No other process: plays in the one that asks."""


def begin_process(entries: list[tuple[str, Config]]) -> None:
    """What a process does first."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    warm_up(entries)


def end_with_parent() -> None:
    """End this process when the one that started it is gone, even if it was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
