"""Games of all modes, for the tests of the text interface."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import game_named
from tests.games.project_mars.modes import MODES as DUELS
from tests.modes import MODES

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"pocket_mars-{name}": ("pocket_mars", settings) for name, settings in MODES.items()},
    **{f"project_mars-{name}": ("project_mars", settings) for name, settings in DUELS.items()},
}
"""The name of a game and its settings, by the name of the mode."""


STEP, MOST = 17, 105


def positions(kind: str, seed: int = 1) -> Iterator[Game]:
    """Yield a random game at every 17th of its first 105 positions; it is the same object each time."""
    name, settings = KINDS[kind]
    game: Game = Game(game_named(name), **settings, seed=seed)
    rng = np.random.default_rng(seed)
    for number in range(MOST):
        if game.over:
            return
        if number % STEP == 0:
            yield game
        game.step(int(rng.choice(game.legal())))
