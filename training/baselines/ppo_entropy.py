"""Baseline with self-play PPO with a high entropy coefficient and a narrow clip range; see `small/ppo.py`."""

from .full_game import CHANGES, train_on_task
from .recorder import Recorder
from .small import ppo
from .small.runs import ALGORITHMS

SETTINGS = ALGORITHMS["ppo_entropy"].settings() | CHANGES


def train(recorder: Recorder) -> None:
    train_on_task(recorder, ppo, SETTINGS)
