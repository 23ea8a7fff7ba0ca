"""Recording of games between bots as datasets for offline reinforcement learning and analysis."""

from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.recorder import RecordingError, play_and_record, record

__all__ = ["Plan", "RecordingError", "play_and_record", "record"]
