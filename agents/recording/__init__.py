"""Records games of bots as data sets: for offline reinforcement learning, and for analysis."""

from agents.recording.games import RecordedGame, RecordingError, play_and_record
from agents.recording.plan import Plan
from agents.recording.recorder import record

__all__ = ["Plan", "RecordedGame", "RecordingError", "play_and_record", "record"]
