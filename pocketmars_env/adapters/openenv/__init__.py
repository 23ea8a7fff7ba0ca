"""An OpenEnv server and client for text games."""

from pocketmars_env.adapters.openenv.client import TextGameClient
from pocketmars_env.adapters.openenv.models import TextGameAction, TextGameObservation

__all__ = ["TextGameAction", "TextGameClient", "TextGameObservation"]
