"""Training specs of the games that come with the package."""

from pocketmars_training.games.pocket_mars import POCKET_MARS

BUILT_IN = (POCKET_MARS,)
