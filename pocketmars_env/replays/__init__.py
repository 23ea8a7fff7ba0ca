"""Replays, which store games in small files and show them move by move."""

from pocketmars_env.replays.file_format import ReplayError
from pocketmars_env.replays.replay import Replay

__all__ = ["Replay", "ReplayError"]
