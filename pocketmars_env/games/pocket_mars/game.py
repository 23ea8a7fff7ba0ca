"""`Game` and `Games` of Pocket Mars."""

from pocketmars_env.core import game as core
from pocketmars_env.core import games as core_games
from pocketmars_env.games.pocket_mars.spec import SPEC


class Game(core.Game):
    """A game of Pocket Mars.

    `PocketMarsCodec` describes the format of deals, and the settings of `from_snapshot`.

    Args:
        seed: the seed of all random events; it has the same effect on every platform. If None, a seed is
            drawn from the operating system.
        settings: the fields of `GameConfig`, such as `players`, `mode` and `level`.

    Raises:
        ValueError: if a setting or the seed is invalid; the message names the accepted values.
        TypeError: if a setting is unknown.

    Examples:
        >>> game = Game(players=2, seed=1)
        >>> game.decision, len(game.legal())
        ('PREP', 4)

    """

    spec = SPEC


class Games(core_games.Games):
    """N games of Pocket Mars, with the fields of `GameConfig` as settings; see `core.games.Games`."""

    spec = SPEC
