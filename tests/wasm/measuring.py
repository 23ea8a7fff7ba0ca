"""The table of sizes and speeds of the WebAssembly modules; see `PARTS` in `tests/test_readme.py`."""

import gzip
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.puct_agent import PuctAgent
from pocketmars_agents.game_bots import Network
from pocketmars_agents.network.mlp import CompactMlp, evaluate_all, new_activations
from pocketmars_agents.registry import make_agent
from pocketmars_agents.wasm.bots import build_for, networks_of, tables_of
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game import Game, View
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.speed.own_rows import play_kernel
from pocketmars_env.speed.report import markdown
from tests.wasm.comparing import encoded, run_in_node

ROUNDS = 5
POSITIONS = 40
SIMULATIONS = 400


class FileNetwork(Network):
    """The networks in the network files of a game."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec, self.networks = spec, networks_of(spec)
        self.chosen = tables_of(spec, self.networks)["networks"]

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp]:
        config = self.spec.config.of_state(states[0])
        (name,) = (name for name, other in self.spec.config.measured().items() if other == config)
        players, automaton = (self.networks[network] for network in self.chosen[name])
        return players, automaton

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        network = self.mlps(states)[0]
        logits, values = np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)
        buffer = new_activations(network.mlp, self.spec.max_seats)
        evaluate_all(observations, masks, network, buffer, logits, values)
        return logits, values


def positions(spec: GameSpec, config: str, number: int) -> list[View]:
    """Return views of the seat to play, from random games; every fifth position."""
    rng, views = np.random.default_rng(0), list[View]()
    for seed in range(number):
        game, moves = Game(spec, **spec.config.measured()[config].as_dict(), seed=seed), 0
        while not game.over and len(views) < number:
            if moves % 5 == seed % 5 and len(game.legal) > 1 and game.to_play is not None:
                views.append(game.view(game.to_play))
            game.step(int(rng.choice(game.legal)))
            moves += 1
    return views


def table() -> str:
    """Build all games, and return sizes and speeds as Markdown with a column for each game."""
    columns = [figures(spec) for spec in GAMES.values()]
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    return markdown([["figure", *(spec.title for spec in GAMES.values())], *rows])


def figures(spec: GameSpec) -> dict[str, str]:
    config = next(iter(spec.config.measured()))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        networks_of(spec)  # compiles the rules for this machine
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + time.process_time()
        build_for(spec, folder)
        built = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + time.process_time() - before
        sizes = {
            path: (path.stat().st_size, len(gzip.compress(path.read_bytes()))) for path in folder.iterdir()
        }
        found = {"build, processor time": f"{built:.0f} s"}
        for suffix, title in (("wasm", "module"), ("js", "script"), ("network", "largest network")):
            raw, zipped = max(size for path, size in sizes.items() if path.suffix == f".{suffix}")
            found[f"{title}, raw / gzip"] = f"{raw / 1000:,.0f} / {zipped / 1000:,.0f} kB"
        return found | speeds(spec, config, folder)


def speeds(spec: GameSpec, config: str, folder: Path) -> dict[str, str]:
    views, settings = positions(spec, config, POSITIONS), spec.config.measured()[config]
    task = {
        "name": "play",
        "record": encoded(spec.codec.blank(1, settings)),
        "actions": spec.num_actions,
        "observation": spec.observation_size,
        "rounds": 20 * ROUNDS,
    }
    network = FileNetwork(spec)
    bots: dict[str, Callable[[View], Any]] = {
        "planner": acting(make_agent("planner")),
        "ismcts": acting(make_agent(f"ismcts:{SIMULATIONS}")),
        "puct": acting(PuctAgent(SIMULATIONS, network=network)),
        "policy": lambda view: network.evaluate(view.states, view.observation[None], view.mask[None]),
    }
    given = [[encoded(view.states), 0] for view in views]
    common = {"name": "think", "config": config, "positions": given, "rounds": ROUNDS}
    thinking = [{**common, "bot": bot, "budget": {"simulations": SIMULATIONS}} for bot in bots]
    played, *thought = run_in_node(folder, spec.name, task, *thinking)
    found = {}
    for title, dtype, own in zip(("masks", "masks and observations"), (None, "float32"), played):
        calls = play_kernel(spec, settings, 1024, dtype)
        native = fastest(20 * ROUNDS, partial(next, calls))
        found[f"random play with {title}"] = f"{8.192e-3 / own:.1f} M decisions/s, {native / own:.2f}"
    for (bot, act), own in zip(bots.items(), thought):
        native = fastest(ROUNDS, partial(all_of, act, views))
        found[f"`{bot}`"] = f"{1000 * own / len(views):.2f} ms, {native / own:.2f}"
    return found


def acting(agent: Any) -> Callable[[View], Any]:
    return lambda view: agent.act_batch(view.as_batch(), np.ones(1, np.uint64))


def all_of(act: Callable[[View], Any], views: list[View]) -> None:
    for view in views:
        act(view)


def fastest(rounds: int, run: Callable[[], Any]) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)
