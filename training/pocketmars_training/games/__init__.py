"""What training needs to know about each game."""

from pocketmars_training.games.pocket_mars import POCKET_MARS

BUILT_IN = (POCKET_MARS,)
