"""Reinforcement-learning environments for the card games Pocket Mars and Project Mars."""

from pocketmars_env.core.compiled.masks import sample_actions
from pocketmars_env.core.errors import IllegalAction
from pocketmars_env.core.game import View, Views
from pocketmars_env.core.position import Position
from pocketmars_env.core.table import Table
from pocketmars_env.core.version import __version__ as __version__
from pocketmars_env.envs.registration import register_game
from pocketmars_env.games import BUILT_IN
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.game import Game, Games
from pocketmars_env.games.pocket_mars.observation.layout import OBSERVATION_LAYOUT, OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.pocket_mars.text.action_text import action_name

__all__ = [
    "NUM_ACTIONS",
    "OBSERVATION_LAYOUT",
    "OBSERVATION_SIZE",
    "Game",
    "GameConfig",
    "Games",
    "IllegalAction",
    "Position",
    "Table",
    "View",
    "Views",
    "action_name",
    "observation_pieces",
    "register_game",
    "sample_actions",
]

observation_pieces = SPEC.observation_pieces
for _spec, _module in BUILT_IN.items():
    register_game(_spec, _module)
