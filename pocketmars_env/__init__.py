"""Pocket Mars as a reinforcement-learning environment."""

from pocketmars_env.engine.actions import NUM_ACTIONS, action_name
from pocketmars_env.engine.config import GameConfig
from pocketmars_env.engine.observation import OBSERVATION_LAYOUT, OBSERVATION_SIZE, observation_pieces
from pocketmars_env.game import Game, IllegalAction
from pocketmars_env.games import Games
from pocketmars_env.registration import register_environments
from pocketmars_env.sampling import sample_actions
from pocketmars_env.view import View
from pocketmars_env.views import Views

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
