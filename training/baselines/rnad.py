"""Baseline with regularized Nash dynamics (R-NaD) in self-play; see `small/rnad.py`."""

from .full_game import CHANGES, train_on_task
from .recorder import Recorder
from .small import rnad

SETTINGS = rnad.SETTINGS | CHANGES


def train(recorder: Recorder) -> None:
    train_on_task(recorder, rnad, SETTINGS)
