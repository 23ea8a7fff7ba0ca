"""Draws the README's pictures: ``python -m tests.drawing.readme_pictures`` writes them to docs/images."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pocketmars_agents.registry import make_agent
from pocketmars_env import Game
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import Game as AnyGame
from pocketmars_env.core.svg.pixels import Pixels, picture_pixels
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.drawing.film import write_gif
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from tests.drawing.positions import picture_of

FOLDER = Path(__file__).parents[2] / "docs" / "images"
FILM = FOLDER / "game.gif"
BOT = "greedy"
TABLE_SEED, TABLE_MOVES, TABLE_SEAT = 5, 120, 0
FILM_SEED = 5
SOLO_MOVES = 25
BATTLE_SEED, BATTLE_MOVES = 2, 24
SECONDS, LAST_SECONDS = 1.2, 6.0


def positions_of(game: AnyGame, bot_seed: int = 0) -> Iterator[AnyGame]:
    """Yield the game before each decision and at the end; a bot chooses the actions."""
    bot = make_agent(BOT)
    rng = np.random.default_rng(bot_seed)
    yield game
    while not game.over:
        game.step(bot.act(game.view(), rng))
        yield game


def after(moves: int, game: AnyGame) -> AnyGame:
    """Return the position after `moves` actions of the bot."""
    for number, position in enumerate(positions_of(game)):
        if number == moves:
            return position
    raise ValueError(f"the game ends before {moves} moves")


def table() -> AnyGame:
    """Return a position late in a four-player game."""
    return after(TABLE_MOVES, Game(players=4, seed=TABLE_SEED))


def solo() -> AnyGame:
    """Return a position in the middle of a game against Devious Automatics."""
    return after(SOLO_MOVES, Game(mode="solo", level="cyborg", seed=FILM_SEED))


def battlefield() -> AnyGame:
    """Return a position in the middle of a round of Project Mars."""
    return after(BATTLE_MOVES, Game(PROJECT_MARS, seed=BATTLE_SEED))


def svg_files() -> dict[Path, str]:
    """Return the still pictures as seat 0 sees them, each in all themes."""
    shown = {"table": table(), "solo": solo(), "battlefield": battlefield()}
    return {
        FOLDER / f"{name}-{theme}.svg": picture_of(game, TABLE_SEAT, theme).svg() + "\n"
        for name, game in shown.items()
        for theme in THEMES
    }


def film_frames() -> Iterator[Pixels]:
    """Yield the frames of a game against Devious Automatics, as the player sees it."""
    for game in positions_of(Game(mode="solo", level="cyborg", seed=FILM_SEED)):
        yield picture_pixels(picture_of(game, 0))


if __name__ == "__main__":
    for path, svg in svg_files().items():
        write_whole(path, svg.encode())
    frames = list(film_frames())
    write_gif(FILM, frames, [*[SECONDS] * (len(frames) - 1), LAST_SECONDS])
    print(f"written: {', '.join(path.name for path in sorted(FOLDER.iterdir()))}")
