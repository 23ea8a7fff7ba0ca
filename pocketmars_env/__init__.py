"""Pocket Mars as a reinforcement-learning environment."""

from pocketmars_env.core.game import Game, IllegalAction
from pocketmars_env.core.games import Games
from pocketmars_env.core.sampling import sample_actions
from pocketmars_env.core.view import View
from pocketmars_env.core.views import Views
from pocketmars_env.envs.registration import register_environments
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS, action_name
from pocketmars_env.games.pocket_mars.rules.observation import (
    OBSERVATION_LAYOUT,
    OBSERVATION_SIZE,
    observation_pieces,
)

__version__ = "0.2.0"

__all__ = [
    "NUM_ACTIONS",
    "OBSERVATION_LAYOUT",
    "OBSERVATION_SIZE",
    "Game",
    "GameConfig",
    "Games",
    "IllegalAction",
    "View",
    "Views",
    "action_name",
    "observation_pieces",
    "sample_actions",
]

register_environments()
