"""An OpenEnv server and client for playing games as text."""

from pocketmars_env.adapters.openenv.client import TextGameClient
from pocketmars_env.adapters.openenv.models import TextGameAction, TextGameObservation

__all__ = ["TextGameAction", "TextGameClient", "TextGameObservation"]
