"""The benchmark: bots against Devious Automatics on a fixed list of deals.

Deal `i` of the suite ``"da-0"`` is the solo game with the engine seed ``1_000_000 + i``, without
draft: the same cards for every bot and level. A bot's chance comes from a stream of its own, which
depends on the suite, the bot's name, the level and the deal alone: results depend neither on the
number of processes nor on the order in which the games are played. Every game gets a new agent.
"""

import hashlib
import itertools
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np

from agents.base import make_agent
from agents.results import GameKey, GameResult, Header, ResultsFile
from pocketmars_env import Game, IllegalAction, __version__
from pocketmars_env.engine.compiling import fingerprint
from pocketmars_env.engine.config import LEVELS
from pocketmars_env.engine.constants import PLAYER_SEAT

SUITE = "da-0"
FIRST_SEED = 1_000_000
FORMAT = "pocketmars-bench-1"
DEFAULT_AGENTS = ("random", "greedy")
DEFAULT_GAMES = 5_000
GAMES_PER_CHUNK = 10
"""What a process plays before it reports: an interruption loses no more."""

OnResult = Callable[[GameResult], None]


class BenchError(RuntimeError):
    """The benchmark could not go on."""


@dataclass(frozen=True)
class Plan:
    """What is to be played: every agent on the deals 0 .. games - 1 of every level.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    agents: tuple[str, ...] = DEFAULT_AGENTS
    levels: tuple[str, ...] = LEVELS
    games: int = DEFAULT_GAMES

    def __post_init__(self) -> None:
        if not self.agents or not self.levels:
            raise ValueError("at least one agent and one level are needed")
        for level in self.levels:
            if level not in LEVELS:
                raise ValueError(f"unknown level {level!r}; accepted: {', '.join(LEVELS)}")
        if type(self.games) is not int or self.games < 1:
            raise ValueError(f"games must be an integer of at least 1, got {self.games!r}")
        for name in self.agents:
            make_agent(name)
        for setting in ("agents", "levels"):
            once_each = tuple(dict.fromkeys(getattr(self, setting)))
            object.__setattr__(self, setting, once_each)

    def games_to_play(self) -> list[GameKey]:
        """All games: (agent, level, deal)."""
        deals = range(self.games)
        return list(itertools.product(self.agents, self.levels, deals))


def header() -> Header:
    """What all games of a results file have in common."""
    return {
        "format": FORMAT,
        "suite": SUITE,
        "first_seed": FIRST_SEED,
        "pocketmars_env": __version__,
        "numpy": np.__version__,
        "numba": numba.__version__,
        "sources": source_fingerprint(),
    }


def source_fingerprint() -> str:
    """A short hash of the engine and of this package: what the results depend on."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources))
    return f"{fingerprint()}-{digest.hexdigest()[:16]}"


# --- one game -------------------------------------------------------------------------------------


def new_deal(level: str, deal: int) -> Game:
    """The game of a deal of the suite."""
    return Game(mode="solo", level=level, seed=FIRST_SEED + deal)


def bot_stream(agent: str, level: str, deal: int) -> np.random.Generator:
    """The bot's random stream for one game."""
    digest = hashlib.sha256(f"{SUITE} {agent} {level} {deal}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest))


def play(key: GameKey) -> GameResult:
    """Play one game. A bot that raises, or answers illegally, has lost it."""
    name, level, deal = key
    agent, rng, game = make_agent(name), bot_stream(*key), new_deal(level, deal)
    decisions, error = 0, None
    start = time.perf_counter()
    while not game.over and error is None:
        try:
            game.step(agent.act(game.view(PLAYER_SEAT), rng))
            decisions += 1
        except IllegalAction as illegal:
            error = str(illegal)
        except Exception as failure:  # whatever a bot may raise
            error = f"{type(failure).__name__}: {failure}"
    seconds = time.perf_counter() - start
    player, da = game.scores()
    won = game.winners() == [PLAYER_SEAT]
    return GameResult(*key, won, (player, da), game.truncated, decisions, seconds, error)


def play_chunk(keys: list[GameKey]) -> list[GameResult]:
    return [play(key) for key in keys]


def chunks(keys: Iterable[GameKey]) -> Iterator[list[GameKey]]:
    """The games in lists of `GAMES_PER_CHUNK`."""
    remaining = iter(keys)
    while chunk := list(itertools.islice(remaining, GAMES_PER_CHUNK)):
        yield chunk


# --- many games -----------------------------------------------------------------------------------


def run(
    plan: Plan, jobs: int, out: Path | None = None, on_result: OnResult = lambda _: None
) -> list[GameResult]:
    """Play what the plan asks for, but for the games that the results file holds already.

    Args:
        plan: what is to be played.
        jobs: the number of processes.
        out: the results file, if one shall be kept.
        on_result: called for every game of the plan, those of the file first.

    Returns:
        The games of the plan, in its order.

    Raises:
        ValueError: for fewer than one job.
        ResultsError: if the results file cannot be continued; nothing has been played.
        BenchError: if a process died.
        KeyboardInterrupt: the results file holds every game that was reported.

    """
    if type(jobs) is not int or jobs < 1:
        raise ValueError(f"jobs must be an integer of at least 1, got {jobs!r}")
    if out is None:
        return run_rest(plan, jobs, {}, on_result)
    with ResultsFile(out, header()) as file:

        def keep(result: GameResult) -> None:
            if result.key not in file.finished:
                file.append(result)
            on_result(result)

        return run_rest(plan, jobs, file.finished, keep)


def run_rest(
    plan: Plan, jobs: int, finished: dict[GameKey, GameResult], on_result: OnResult
) -> list[GameResult]:
    """`run`, with the games that are finished already."""
    results = {key: finished[key] for key in plan.games_to_play() if key in finished}
    for result in results.values():
        on_result(result)
    for result in play_all([key for key in plan.games_to_play() if key not in results], jobs):
        on_result(result)
        results[result.key] = result
    return [results[key] for key in plan.games_to_play()]


def play_all(keys: list[GameKey], jobs: int) -> Iterator[GameResult]:
    """Play games, in any order, on `jobs` processes; with one job, on this one."""
    names = sorted({agent for agent, _, _ in keys})
    warm_up(names)  # before several processes would compile the same kernels
    if jobs == 1 or len(keys) <= GAMES_PER_CHUNK:
        yield from map(play, keys)
        return
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), warm_up, (names,))
    try:
        for future in as_completed(submit_all(executor, keys)):
            yield from future.result()
    except BrokenProcessPool as error:
        raise BenchError("a process that played games died; the bot may have ended it") from error
    finally:
        executor.shutdown(cancel_futures=True)


def warm_up(names: list[str]) -> None:
    """Let every bot play once, so that no measured time is spent on loading what it needs."""
    for name in names:
        play((name, LEVELS[0], 0))


def submit_all(executor: ProcessPoolExecutor, keys: list[GameKey]) -> list[Future[list[GameResult]]]:
    """Hand all games out. The processes that this starts leave Ctrl-C to this one."""
    handler: Any = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return [executor.submit(play_chunk, chunk) for chunk in chunks(keys)]
    finally:
        signal.signal(signal.SIGINT, handler)
