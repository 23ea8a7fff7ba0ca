"""Measure how much searches gain over a policy per decision, with far fewer games than matches need.

    python -m pocketmars_training.search_gain collect runs/positions.json --positions 600
    python -m pocketmars_training.search_gain measure runs/positions.json mmd:160 mmd:640 puct:100

`collect` plays games of the shipped policy against itself and keeps some positions in which it is not sure.
In each position, the policy plays many games to their end after each likely action.
`measure` lets bots choose in these positions: a bot's gain is the mean value of its actions, minus that of
the policy's most probable actions.
"""

import json
import time
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import typer

from pocketmars_agents import make_agent
from pocketmars_agents.bots.mmd_agent import LEAST_PROBABILITY, MOST_CANDIDATES, SURE, MmdAgent
from pocketmars_agents.bots.tree_searcher import Root, TreeSearcher
from pocketmars_env.core import gate
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec, default_game, game_named
from pocketmars_env.core.version import __version__
from pocketmars_training.common.training_spec import training_of

TO_THE_END, BEST = 1_000, 0.01
"""A depth that no game exceeds, and a temperature at which the policy plays its most probable actions."""
MOST_BETWEEN = 20
"""The next position is 1 to 20 unsure decisions later."""

MAX_BYTES = 2**26

app = typer.Typer(help=__doc__, rich_markup_mode=None, pretty_exceptions_enable=False)


class Position(gate.Record):
    """A position, and what its likely actions are worth."""

    seed: int  # of the game
    actions: list[int]  # since the start of the game
    best: int  # the policy's most probable action
    likely: list[int]  # the actions with values
    values: list[float]  # the win rate after each likely action, for the seat to play


class Positions(gate.Record):
    """Positions of a game, and how they were collected."""

    game: str
    seed: int
    games: int
    positions: list[Position]


@app.command()
def collect(
    file: Annotated[Path, typer.Argument(help="The file of positions to write (.json).")],
    game: Annotated[str, typer.Option(help="The game.")] = default_game().name,
    positions: Annotated[int, typer.Option(help="Number of positions.")] = 600,
    games: Annotated[int, typer.Option(help="Games after each likely action.")] = 800,
    seed: Annotated[int, typer.Option(help="Seed of the games and the positions.")] = 1,
) -> None:
    """Collect positions and the values of their likely actions."""
    spec, rng = game_named(game), np.random.default_rng(seed)
    name = training_of(spec).policy_name
    policy, network = make_agent(name), MmdAgent(1, depth=0)
    found: list[Position] = []
    while len(found) < positions:
        deal, wait = int(rng.integers(2**63)), int(rng.integers(12))
        play = Game(spec, **spec.player_settings(2), seed=deal)
        while not play.over and len(found) < positions:
            view = play.view()
            root = Root(spec, view.states, view.seat, np.uint64(rng.integers(2**63)))
            priors = network.search_from(root, with_line=False).priors
            likely = int(np.clip((priors >= LEAST_PROBABILITY).sum(), 1, MOST_CANDIDATES))
            if len(priors) > 1 and priors.max() < SURE and likely > 1:
                if wait == 0:
                    to_the_end = MmdAgent(games * likely, depth=TO_THE_END, policy=name, temperature=BEST)
                    result = to_the_end.search_from(root, with_line=False)
                    tried = result.visits > 0
                    likely_actions, values = result.actions[tried].tolist(), result.values[tried].tolist()
                    best = int(result.actions[result.priors.argmax()])
                    found.append(Position(deal, list(play.actions), best, likely_actions, values))
                    wait = int(rng.integers(1, MOST_BETWEEN + 1))
                wait -= 1
            play.step(policy.act(view, rng))
    write_whole(file, msgspec.json.encode(Positions(game, seed, games, found)))


@app.command()
def measure(
    file: Annotated[Path, typer.Argument(help="A file of positions.", exists=True)],
    bots: Annotated[list[str], typer.Argument(help="Searches, such as mmd:160 or puct:100.")],
    out: Annotated[Path | None, typer.Option(help="A JSON file for the results.")] = None,
) -> None:
    """Print each bot's gain over the policy in points of the win rate per unsure decision."""
    data = gate.decode(gate.read_file(file, MAX_BYTES), Positions, str(file))
    spec, results = game_named(data.game), dict[str, Any]()
    roots = [root_of(position, spec, k + 1) for k, position in enumerate(data.positions)]
    for bot in bots:
        agent = make_agent(bot)
        if not isinstance(agent, TreeSearcher):
            raise typer.BadParameter(f"{bot} is not a search")
        agent.prepare(spec)
        started = time.process_time()
        actions = [agent.search_from(root, with_line=False).best for root in roots]
        seconds = time.process_time() - started
        chosen = [
            [position.values[position.likely.index(one)] for one in (action, position.best)]
            for position, action in zip(data.positions, actions)
            if action in position.likely  # the other actions have no value
        ]
        gains = 100 * np.array([value - usual for value, usual in chosen])
        results[agent.name] = {
            "gain": round(float(gains.mean()), 3),
            "plus_minus": round(float(1.96 * gains.std(ddof=1) / np.sqrt(len(gains))), 3),
            "positions": len(gains),
            "milliseconds": round(1e3 * seconds / len(roots), 2),
        }
        typer.echo(f"{agent.name:32} {results[agent.name]}")
        if out is not None:
            about = {"game": data.game, "seed": data.seed, "games": data.games, "version": __version__}
            write_whole(out, f"{json.dumps(about | {'bots': results}, indent=1)}\n".encode())


def root_of(position: Position, spec: GameSpec, seed: int) -> Root:
    """Return the root of a search in a position."""
    game = Game(spec, **spec.player_settings(2), seed=position.seed)
    for action in position.actions:
        game.step(action)
    view = game.view()
    return Root(spec, view.states, view.seat, np.uint64(seed))


if __name__ == "__main__":
    app()
