"""Games of all kinds, for the tests of the text interface."""

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
"""The game's name and the settings, by the name of the kind."""


STEP, MOST = 17, 105


def positions(kind: str, seed: int = 1) -> Iterator[Game]:
    """Every 17th position of a random game, up to the 105th; each is the same object, further on."""
    name, settings = KINDS[kind]
    game: Game = game_named(name).game(**settings, seed=seed)
    rng = np.random.default_rng(seed)
    for number in range(MOST):
        if game.over:
            return
        if number % STEP == 0:
            yield game
        game.step(int(rng.choice(game.legal())))
