"""Training specs of the games that come with the package."""

from pocketmars_training.games.pocket_mars import POCKET_MARS
from pocketmars_training.games.project_mars import PROJECT_MARS

BUILT_IN = (POCKET_MARS, PROJECT_MARS)
