"""`Game` and `Games` of Project Mars."""

from pocketmars_env.core import game as core
from pocketmars_env.core import games as core_games
from pocketmars_env.games.project_mars.spec import SPEC


class Game(core.Game):
    """A game of Project Mars.

    `ProjectMarsCodec` describes the format of deals.

    Args:
        seed: an integer in 0..2**64 - 1 that determines all random events, identically on all platforms; if
            None, a seed is drawn from the operating system.
        settings: the fields of `DuelConfig`: `mode`, `deck_0`, `deck_1` and `copies`.

    Raises:
        ValueError: if the seed or a setting is invalid; the message describes what is accepted.
        TypeError: if a setting is unknown.

    """

    spec = SPEC


class Games(core_games.Games):
    """N games of Project Mars; the settings are the fields of `DuelConfig`. See `core.games.Games`."""

    spec = SPEC
