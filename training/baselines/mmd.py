"""Baseline with magnetic mirror descent (MMD) in self-play; see `small/mmd.py`."""

from .full_game import CHANGES, train_on_task
from .recorder import Recorder
from .small import mmd

SETTINGS = mmd.SETTINGS | CHANGES


def train(recorder: Recorder) -> None:
    train_on_task(recorder, mmd, SETTINGS)
