"""The games, one folder each; `BUILT_IN` lists the games of this package."""

from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS

BUILT_IN = {POCKET_MARS: "pocketmars_env.pocketmars_v1"}
"""The module with the environments of each built-in game."""
