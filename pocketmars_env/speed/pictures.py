"""Measure how long pictures of the table take: ``python -m pocketmars_env.speed.pictures``.

Milliseconds of processor time, with 4 players, the most that there is to draw. Needs the extra
``render``.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np

from pocketmars_env import Game
from pocketmars_env.core.svg.pixels import panel_pixels
from pocketmars_env.games.pocket_mars.drawing import table_pixels, table_svg

MEASURED_FRAMES = 60
"""Of each game."""


def main(arguments: Sequence[str] | None = None) -> None:
    """The command; `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(prog="python -m pocketmars_env.speed.pictures")
    parser.add_argument("--games", type=int, default=10, help="to draw (default: 10)")
    games = parser.parse_args(arguments).games
    if games < 1:
        parser.error(f"--games must be at least 1, got {games}")
    for name, times in measured(games).items():
        print(f"{name:40} median {statistics.median(times):6.1f} ms, greatest {max(times):6.1f} ms")


def measured(games: int) -> dict[str, list[float]]:
    """What was measured, in milliseconds, by name."""
    rng = np.random.default_rng(0)
    panel_pixels.cache_clear()
    first_of_process: list[float] = []
    first_of_game: list[float] = []
    later: list[float] = []
    svg: list[float] = []
    for seed in range(games):
        game = Game(players=4, seed=seed)
        (first_of_game if first_of_process else first_of_process).append(milliseconds(table_pixels, game))
        for _ in range(MEASURED_FRAMES):
            if game.over:
                break
            game.step(int(rng.choice(game.legal())))
            svg.append(milliseconds(table_svg, game))
            later.append(milliseconds(table_pixels, game))
    found = {
        "rgb_array, the first of the process": first_of_process,
        "rgb_array, the first of another game": first_of_game,
        "rgb_array, later ones": later,
        "SVG": svg,
    }
    return {name: times for name, times in found.items() if times}


def milliseconds(draw: Callable[..., object], game: Game) -> float:
    """How long a picture takes, as seat 0 sees the table."""
    snapshot, bookmark = game.snapshot(), game.bookmark()
    start = time.process_time()
    draw(snapshot, 0, "light", bookmark)
    return 1000 * (time.process_time() - start)


if __name__ == "__main__":
    main()
