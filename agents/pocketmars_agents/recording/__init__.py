"""Records games between bots as datasets for offline reinforcement learning and analysis."""

from pocketmars_agents.recording.games import RecordedGame, RecordingError, play_and_record
from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.recorder import record

__all__ = ["Plan", "RecordedGame", "RecordingError", "play_and_record", "record"]
