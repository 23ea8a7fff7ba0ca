"""Workers that play games in this process or in other processes on this machine.

For Ray clusters, see `ray_workers`. The actions in a match are the same with all kinds of workers if the
bots' actions depend only on the view and the given random numbers, and if no bot exceeds a time limit.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import wait
from typing import NamedTuple

import numpy as np

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.line_protocol.connection import close_all
from pocketmars_agents.registry import choose_actions, is_remote, make_agent
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import Config, spec_of
from pocketmars_env.core.games import Games

Played = Future[list[GameResult]]
Play = Callable[[Sequence[Match]], list[GameResult]]
"""A function that plays a list of games; it must be defined at module level, so that workers can import
it."""


class WorkersError(RuntimeError):
    """Raised if a worker process dies, or if a Ray cluster fails or cannot be used."""


class Workers(NamedTuple):
    """A group of workers that play lists of games."""

    # submits a list of games and returns a future of their results
    submit: Callable[[Sequence[Match]], Played]
    lists_at_once: int  # how many lists to submit at the same time in order to keep all workers busy


Hire = Callable[[Sequence[Match]], AbstractContextManager[Workers]]
"""A factory for workers: returns a context manager that provides workers for the given games.

The context manager raises a `WorkersError` if a worker fails.
"""


def warm_up(bots: Iterable[tuple[str, Config]]) -> list[tuple[str, Config]]:
    """Make one decision with each bot, so that measured decision times exclude loading and compiling.

    Built-in bots that call a server are skipped. Errors are ignored, because they are reported when the bot's
    games are played.
    """
    ready = []
    for name, config in bots:
        games = Games(1, spec_of(config), **config.as_dict(), seed=0)
        views = games.views(np.zeros(1, dtype=np.int64), games.to_play)
        if is_remote(name):
            continue
        with suppress(Exception, SystemExit):
            choose_actions(make_agent(name), views, np.zeros(1, dtype=np.uint64))
            ready.append((name, config))
    return ready


def bots_of(matches: Iterable[Match]) -> list[tuple[str, Config]]:
    """Return pairs of a bot and a configuration: one for each combination of bot and number of players."""
    configs = {(bot, match.config.players): match.config for match in matches for bot in match.bots}
    return [(bot, config) for (bot, _), config in sorted(configs.items(), key=lambda pair: pair[0])]


def hire_processes(jobs: int, play: Play = play_matches) -> Hire:
    """Return a factory for workers on this machine: `jobs` processes, or this process if `jobs` is 1."""
    if type(jobs) is not int or jobs < 1:
        raise ValueError(f"jobs must be an integer of at least 1, got {quoted(jobs)}")

    @contextmanager
    def alone(matches: Sequence[Match]) -> Iterator[Workers]:
        def submit(matches: Sequence[Match]) -> Played:
            future: Played = Future()
            future.set_result(play(matches))
            return future

        warm_up(bots_of(matches))
        yield Workers(submit, lists_at_once=1)

    @contextmanager
    def processes(matches: Sequence[Match]) -> Iterator[Workers]:
        # Compile the kernels once, before the processes start. A bot that fails here, for example because it
        # hangs until a timeout, is not warmed up again in each process.
        bots = warm_up(bots_of(matches))
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(jobs, context, begin_process, (bots,))
        try:
            with sigint_ignored():  # new processes also ignore SIGINT; each submission starts a process
                for _ in range(min(jobs, len(matches))):
                    executor.submit(os.getpid)
            # with two lists per process, a process that finishes a list can start the next one immediately
            yield Workers(lambda matches: executor.submit(play, matches), lists_at_once=2 * jobs)
        except BrokenProcessPool as error:
            raise WorkersError("a process that played games died; the bot may have ended it") from error
        finally:
            executor.shutdown(cancel_futures=True)

    return alone if jobs == 1 else processes


this_process = hire_processes(1)
"""A factory for workers that play all games in this process."""


@contextmanager
def sigint_ignored() -> Iterator[None]:
    """Ignore SIGINT during a ``with`` block, and in processes that are started in the block.

    Outside the main thread, where Python cannot set signal handlers, the context manager has no effect.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def begin_process(bots: list[tuple[str, Config]]) -> None:
    """Initialize a worker process: monitor its parent process and warm up the bots."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # is not inherited on Windows
    threading.Thread(target=end_with_parent, daemon=True).start()
    warm_up(bots)


def end_with_parent() -> None:
    """Wait until the parent process has ended or has been killed, and then exit this process."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        close_all()
        os._exit(1)
