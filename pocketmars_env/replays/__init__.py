"""Replays: recorded games, saved in small files and shown move by move."""

from pocketmars_env.replays.file_format import ReplayError
from pocketmars_env.replays.replay import Replay

__all__ = ["Replay", "ReplayError"]
