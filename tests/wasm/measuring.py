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

from pocketmars_agents.registry import make_agent
from pocketmars_agents.wasm.bots import build_for, networks_of
from pocketmars_env.core.game import Game, View
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.speed.own_rows import KERNEL_DECISIONS, play_kernel
from pocketmars_env.speed.report import markdown
from tests.wasm.comparing import encoded, run_in_node

ROUNDS, SHORT_ROUNDS = 5, 100
POSITIONS = 40
GAMES_AT_ONCE = 1024
BOTS: dict[str, tuple[str, dict[str, int]]] = {
    "planner:4": ("planner", {"determinizations": 4}),
    "ismcts:400": ("ismcts", {"simulations": 400}),
    "puct:400": ("puct", {"simulations": 400}),
}
"""The measured bots by name in Python, with name and budget in JavaScript."""


def views_of(spec: GameSpec, config: str, number: int) -> list[View]:
    """Return views of the seat to play, from every fifth decision of random games."""
    rng, views, seed = np.random.default_rng(0), list[View](), 0
    while len(views) < number:
        game = Game(spec, **spec.config.measured()[config].as_dict(), seed=seed)
        while not game.over:
            if seed % 5 == 0 and len(game.legal) > 1:
                views.append(game.view())
            game.step(int(rng.choice(game.legal)))
            seed += 1
    return views[:number]


def choices_task(config: str, views: list[View], bot: str, budget: Any, rounds: int = 0) -> dict[str, Any]:
    positions = [encoded(view.states) for view in views]
    named = {"name": "choices", "config": config, "positions": positions}
    return {**named, "bot": bot, "budget": budget, "rounds": rounds}


def table() -> str:
    """Build all games, and return sizes and speeds as Markdown with a column for each game."""
    columns = [figures(spec) for spec in GAMES.values()]
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    return markdown([["figure", *(spec.title for spec in GAMES.values())], *rows])


def figures(spec: GameSpec) -> dict[str, str]:
    networks_of(spec)  # compiles the rules for this machine, if necessary
    with tempfile.TemporaryDirectory() as name:
        folder, before = Path(name), seconds_of_process_and_children()
        build_for(spec, folder)
        found = {"build, processor time": f"{seconds_of_process_and_children() - before:.0f} s"}
        for suffix, title in (("wasm", "module"), ("js", "script"), ("network", "largest network")):
            content = max((path.read_bytes() for path in folder.glob(f"*.{suffix}")), key=len)
            sizes = f"{len(content) / 1000:,.0f} / {len(gzip.compress(content)) / 1000:,.0f} kB"
            found[f"{title}, raw / gzip"] = sizes
        return found | speeds(spec, folder)


def speeds(spec: GameSpec, folder: Path) -> dict[str, str]:
    config, settings = next(iter(spec.config.measured().items()))
    views = views_of(spec, config, POSITIONS)
    play = {
        "name": "play",
        "record": encoded(spec.codec.blank(1, settings)),
        "sizes": [GAMES_AT_ONCE, spec.num_actions, spec.observation_size],
        "steps": KERNEL_DECISIONS // GAMES_AT_ONCE,
        "rounds": SHORT_ROUNDS,
    }
    tasks = [choices_task(config, views, *given, rounds=rounds_of(name)) for name, given in BOTS.items()]
    played, *chosen = run_in_node(folder, spec.name, play, *tasks)
    found = {}
    for title, dtype, own in zip(("masks", "masks and observations"), (None, "float32"), played):
        native = fastest(SHORT_ROUNDS, partial(next, play_kernel(spec, settings, GAMES_AT_ONCE, dtype)))
        speed = KERNEL_DECISIONS / own / 1e6
        found[f"random play with {title}"] = f"{speed:.1f} M decisions/s, {native / own:.2f}"
    for name, result in zip(BOTS, chosen):
        native = fastest(rounds_of(name), partial(choose_all, make_agent(name), views))
        milliseconds = 1000 * result["seconds"] / POSITIONS
        found[f"`{name}`"] = f"{milliseconds:.2f} ms/decision, {native / result['seconds']:.2f}"
    return found


def rounds_of(bot: str) -> int:
    """Return how often to measure a bot; short calls need more rounds until Node has optimized the module."""
    return SHORT_ROUNDS if bot.startswith("planner") else ROUNDS


def choose_all(agent: Any, views: list[View]) -> list[int]:
    """Return the action of an agent in each position, all with the seed 1, as in `tasks.js`."""
    return [int(agent.act_batch(view.as_batch(), np.ones(1, np.uint64))[0]) for view in views]


def seconds_of_process_and_children() -> float:
    return time.process_time() + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def fastest(rounds: int, run: Callable[[], Any]) -> float:
    """Return the shortest processor time of a call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)
