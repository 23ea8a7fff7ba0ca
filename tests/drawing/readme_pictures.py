"""Draws the README's pictures: ``python -m tests.drawing.readme_pictures`` writes them to docs/images."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pocketmars_agents.registry import make_agent
from pocketmars_env import Game
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.svg.pixels import Pixels
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.drawing.film import write_gif
from pocketmars_env.games.pocket_mars.drawing import table_pixels, table_svg

FOLDER = Path(__file__).parents[2] / "docs" / "images"
FILM = FOLDER / "game.gif"
BOT = "greedy"
TABLE_SEED, TABLE_MOVES, TABLE_SEAT = 5, 120, 0
FILM_SEED = 5
SECONDS, LAST_SECONDS = 1.2, 6.0


def positions_of(game: Game, bot_seed: int = 0) -> Iterator[Game]:
    """The game, played on by bots, before every decision and at the end."""
    bot = make_agent(BOT)
    rng = np.random.default_rng(bot_seed)
    yield game
    while not game.over:
        game.step(bot.act(game.view(), rng))
        yield game


def table() -> Game:
    """The position of the still pictures: late in a game of four."""
    for moves, game in enumerate(positions_of(Game(players=4, seed=TABLE_SEED))):
        if moves == TABLE_MOVES:
            return game
    raise ValueError(f"the game ends before {TABLE_MOVES} moves")


def svg_files() -> dict[Path, str]:
    """The still pictures, one for each theme."""
    game = table()
    return {
        FOLDER / f"table-{theme}.svg": table_svg(game.snapshot(), TABLE_SEAT, theme, game.resume_state())
        + "\n"
        for theme in THEMES
    }


def film_frames() -> Iterator[Pixels]:
    """A whole game against Devious Automatics, as the player sees it."""
    for game in positions_of(Game(mode="solo", level="cyborg", seed=FILM_SEED)):
        yield table_pixels(game.snapshot(), 0, "light", game.resume_state())


if __name__ == "__main__":
    for path, svg in svg_files().items():
        write_whole(path, svg.encode())
    frames = list(film_frames())
    write_gif(FILM, frames, [*[SECONDS] * (len(frames) - 1), LAST_SECONDS])
    print(f"written: {', '.join(path.name for path in sorted(FOLDER.iterdir()))}")
