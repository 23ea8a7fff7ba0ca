"""Measure how much searches gain over a policy per decision, with far fewer games than matches need.

    python -m pocketmars_training.search_gain collect runs/positions.npz --positions 600
    python -m pocketmars_training.search_gain measure runs/positions.npz mmd:160 mmd:640 puct:100

`collect` plays games of the shipped policy against itself and keeps some positions in which it is not sure.
In each position, the policy's rollout network plays many games to their end after each likely action.
`measure` lets bots choose in these positions: a bot's gain is the mean value of its actions, minus that of
the policy's most probable actions.
"""

import json
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from pocketmars_agents import make_agent
from pocketmars_agents.bots.mmd_agent import LEAST_PROBABILITY, MOST_CANDIDATES, SURE, MmdAgent
from pocketmars_agents.bots.tree_searcher import Root, TreeSearcher
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import default_game, game_named
from pocketmars_env.core.version import __version__
from pocketmars_training.common.training_spec import training_of

TO_THE_END = 1_000
"""A depth that no game exceeds."""
MOST_BETWEEN = 20
"""The next position is 1 to 20 unsure decisions later."""

app = typer.Typer(help=__doc__, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command()
def collect(
    file: Annotated[Path, typer.Argument(help="The file of positions to write (.npz).")],
    game: Annotated[str, typer.Option(help="The game.")] = default_game().name,
    positions: Annotated[int, typer.Option(help="Number of positions.")] = 600,
    games: Annotated[int, typer.Option(help="Games after each likely action.")] = 800,
    seed: Annotated[int, typer.Option(help="Seed of the games and the positions.")] = 1,
) -> None:
    """Collect positions and the values of their likely actions."""
    spec, rng = game_named(game), np.random.default_rng(seed)
    policy, network = make_agent(f"{training_of(spec).policy_name}:sample"), MmdAgent(1, depth=0)
    states, seats, values, bests = [], [], [], list[int]()
    while len(bests) < positions:
        play, wait = (
            Game(spec, **spec.player_settings(2), seed=int(rng.integers(2**63))),
            int(rng.integers(12)),
        )
        while not play.over and len(bests) < positions:
            view = play.view()
            root = Root(spec, view.states, view.seat, np.uint64(rng.integers(2**63)))
            priors = network.search_from(root, with_line=False).priors
            likely = int(np.clip((priors >= LEAST_PROBABILITY).sum(), 1, MOST_CANDIDATES))
            if len(priors) > 1 and priors.max() < SURE and likely > 1:
                if wait == 0:
                    result = MmdAgent(games * likely, depth=TO_THE_END).search_from(root, with_line=False)
                    row = np.full(spec.num_actions, np.nan)
                    row[result.actions[result.visits > 0]] = result.values[result.visits > 0]
                    states.append(view.states.copy())
                    seats.append(view.seat)
                    values.append(row)
                    bests.append(int(result.actions[result.priors.argmax()]))
                    wait = int(rng.integers(1, MOST_BETWEEN + 1))
                wait -= 1
            play.step(policy.act(view, rng))
    columns: dict[str, Any] = {
        "states": np.concatenate(states),
        "seats": seats,
        "values": values,
        "bests": bests,
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as out:
        np.savez_compressed(out, game=game, seed=seed, games=games, **columns)


@app.command()
def measure(
    file: Annotated[Path, typer.Argument(help="A file of positions.")],
    bots: Annotated[list[str], typer.Argument(help="Searches, such as mmd:160 or puct:100.")],
    out: Annotated[Path | None, typer.Option(help="A JSON file for the results.")] = None,
) -> None:
    """Print each bot's gain over the policy in points of the win rate per unsure decision."""
    with np.load(file, allow_pickle=False) as content:
        data = dict(content)
    spec, results = game_named(str(data["game"])), dict[str, Any]()
    numbers = np.arange(len(data["bests"]))
    for bot in bots:
        agent = make_agent(bot)
        if not isinstance(agent, TreeSearcher):
            raise typer.BadParameter(f"{bot} is not a search")
        agent.prepare(spec)
        started, actions = time.process_time(), np.empty_like(numbers)
        for k in numbers:
            root = Root(spec, data["states"][k : k + 1], int(data["seats"][k]), np.uint64(k + 1))
            actions[k] = agent.search_from(root, with_line=False).best
        seconds = time.process_time() - started
        gains = 100 * (data["values"][numbers, actions] - data["values"][numbers, data["bests"]])
        is_likely = ~np.isnan(gains)  # the other actions have no value
        error = 1.96 * gains[is_likely].std(ddof=1) / np.sqrt(is_likely.sum())
        results[agent.name] = {
            "gain": round(float(gains[is_likely].mean()), 3),
            "plus_minus": round(float(error), 3),
            "positions": int(is_likely.sum()),
            "milliseconds": round(1e3 * seconds / len(numbers), 2),
        }
        typer.echo(f"{agent.name:32} {results[agent.name]}")
        if out is not None:
            about = {key: data[key].item() for key in ("game", "seed", "games")} | {"version": __version__}
            write_whole(out, f"{json.dumps(about | {'bots': results}, indent=1)}\n".encode())


if __name__ == "__main__":
    app()
