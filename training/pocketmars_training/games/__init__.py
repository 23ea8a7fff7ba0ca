"""Training specs of the built-in games."""

from pocketmars_training.games.pocket_mars import POCKET_MARS
from pocketmars_training.games.project_mars import PROJECT_MARS

BUILT_IN = (POCKET_MARS, PROJECT_MARS)
