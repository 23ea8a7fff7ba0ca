"""Helpers that run commands and play games."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from pocketmars_agents import Agent
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.bots.tree_searcher import SearchResult, TreeSearcher
from pocketmars_agents.registry import BatchAgent
from pocketmars_env import Game, Games, Views
from pocketmars_env.core.game_spec import Config
from pocketmars_training.command_line import full_app
from tests.modes import MODES

app = full_app()


def pocketmars(*arguments: str) -> Result:
    """Run the command ``pocketmars`` and return its result."""
    return CliRunner().invoke(app, arguments)


def output_of(*arguments: str) -> str:
    """Run the command ``pocketmars``, check that it succeeds without a message, and return what it prints."""
    result = pocketmars(*arguments)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def refusal_of(*arguments: str) -> str:
    """Run the command ``pocketmars`` with bad arguments, check that it prints one line, and return it."""
    result = pocketmars(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    return line


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until `condition()` is true, up to a minute."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def games_of(bots: tuple[str, ...], config: Config, deals: int, first: int = 0) -> list[Match]:
    """Return the matches of some deals, each in every rotation."""
    return [
        Match(bots, config, seed, r) for seed in range(first, first + deals) for r in range(config.players)
    ]


def play_out(game: Game, *bots: Agent, seed: int = 0) -> Game:
    """Play a game to its end, with the bots in seat order, repeated if there are fewer bots than seats."""
    rng = np.random.default_rng(seed)
    while game.to_play is not None:
        game.step(bots[game.to_play % len(bots)].act(game.view(), rng))
    return game


def wins(count: int, *bots: Agent, **settings: Any) -> int:
    """Return how many of `count` games the bot in seat 0 wins alone; `settings` are those of `Game`."""
    games = (play_out(Game(**settings, seed=seed), *bots) for seed in range(count))
    return sum(game.winners == [0] for game in games)


def search(agent: TreeSearcher, game: Game, seed: int = 0) -> SearchResult:
    return agent.search(game.view(), np.random.default_rng(seed))


def worlds(mode: str) -> Iterator[tuple[Game, Game]]:
    """Yield positions of a random game, each with a determinization for the seat to play."""
    game, rng, differing = Game(**MODES[mode], seed=5), np.random.default_rng(5), 0
    for _ in range(40):
        if game.over:
            break
        world = game.view().sample(rng)
        differing += world.to_bytes() != game.to_bytes()
        yield game, world
        game.step(int(rng.choice(game.legal)))
    assert differing > 8


def views_of(count: int, moves: int = 40) -> Views:
    """Return the views of the seats to play in three-player games after `moves` random actions."""
    games = Games(count, players=3, seed=1)
    for _ in range(moves):
        games.step(games.random_actions(), ~games.over)
    running = np.flatnonzero(~games.over)
    return Views(games.spec, games.states, running, games.to_play[running])


def check_alone(agent: BatchAgent, views: Views, every: int = 1) -> None:
    """Check that an action depends only on its view and seed, not on the other views in the batch."""
    seeds = np.random.default_rng(2).integers(0, 2**64, size=len(views), dtype=np.uint64)
    together = agent.act_batch(views, seeds)
    assert views.masks[np.arange(len(views)), together].all()
    for k in reversed(range(0, len(views), every)):
        alone = Views(views.spec, views.states, np.array([k]), views.seats[k : k + 1])
        assert agent.act_batch(alone, seeds[k : k + 1])[0] == together[k]


def without_time(results: Sequence[GameResult]) -> list[GameResult]:
    """Return the results without the measured times."""
    return [replace(result, seconds=()) for result in results]
