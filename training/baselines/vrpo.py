"""Baseline with variance-reduced policy optimization (VRPO) in self-play; see `small/vrpo.py`."""

from .full_game import CHANGES, train_on_task
from .recorder import Recorder
from .small import vrpo

SETTINGS = vrpo.SETTINGS | CHANGES


def train(recorder: Recorder) -> None:
    train_on_task(recorder, vrpo, SETTINGS, sees_all=True)
