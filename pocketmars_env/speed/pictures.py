"""Measure the rendering time of tables: ``python -m pocketmars_env.speed.pictures``.

Milliseconds of processor time of `render`, with the largest number of players. Needs the extra
``render``.
"""

import argparse
import statistics
import time
from collections.abc import Sequence

import numpy as np

from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GAMES, GameSpec, default_game, game_named
from pocketmars_env.core.svg.pixels import panel_pixels
from pocketmars_env.envs.rendering import Renderer

MEASURED_FRAMES = 60
"""Measured frames of each game."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(prog="python -m pocketmars_env.speed.pictures")
    parser.add_argument("--games", type=int, default=10, help="to draw (default: 10)")
    parser.add_argument("--game", choices=list(GAMES), default=default_game().name)
    options = parser.parse_args(arguments)
    if options.games < 1:
        parser.error(f"--games must be at least 1, got {options.games}")
    for name, times in measured(game_named(options.game), options.games).items():
        print(f"{name:40} median {statistics.median(times):6.1f} ms, greatest {max(times):6.1f} ms")


def measured(spec: GameSpec, games: int) -> dict[str, list[float]]:
    """The measurements in milliseconds, by name."""
    rng = np.random.default_rng(0)
    pixels, text = (Renderer(spec, mode, 0, "light", spec.max_seats, "own") for mode in ("rgb_array", "svg"))
    panel_pixels.cache_clear()
    first_of_process: list[float] = []
    first_of_game: list[float] = []
    later: list[float] = []
    svg: list[float] = []
    for seed in range(games):
        game = spec.game(players=spec.max_seats, seed=seed)
        (first_of_game if first_of_process else first_of_process).append(milliseconds(pixels, game))
        for _ in range(MEASURED_FRAMES):
            if game.over:
                break
            game.step(int(rng.choice(game.legal())))
            svg.append(milliseconds(text, game))
            later.append(milliseconds(pixels, game))
    found = {
        "rgb_array, the first of the process": first_of_process,
        "rgb_array, the first of another game": first_of_game,
        "rgb_array, later ones": later,
        "SVG": svg,
    }
    return {name: times for name, times in found.items() if times}


def milliseconds(renderer: Renderer, game: Game) -> float:
    """The time to render the table from the view of seat 0."""
    start = time.process_time()
    renderer.render(game._states, 0)
    return 1000 * (time.process_time() - start)


if __name__ == "__main__":
    main()
