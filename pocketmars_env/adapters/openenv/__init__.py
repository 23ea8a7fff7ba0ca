"""An OpenEnv server for games as text, and its client."""

from pocketmars_env.adapters.openenv.client import TextGameClient
from pocketmars_env.adapters.openenv.models import TextGameAction, TextGameObservation

__all__ = ["TextGameAction", "TextGameClient", "TextGameObservation"]
