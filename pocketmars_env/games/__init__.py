"""The games, one folder each; `BUILT_IN` lists those that come with the package."""

from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS

BUILT_IN = {POCKET_MARS: "pocketmars_env.pocketmars_v1"}
"""Each game with its front door: the module that holds its environments."""
