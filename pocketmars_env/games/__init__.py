"""The built-in games, one folder per game."""

from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS

BUILT_IN = {POCKET_MARS: "pocketmars_env.pocketmars_v1", PROJECT_MARS: "pocketmars_env.projectmars_v0"}
"""The built-in games, each with the name of the module that defines its environments."""
