"""Baseline with this package's self-play PPO: one network plays and learns in all seats, without bots."""

import tempfile
from pathlib import Path
from typing import Any

from pocketmars_training.ppo import PpoRun, PpoSettings

from .recorded_run import recorded, settings_for
from .recorder import Recorder

SETTINGS: dict[str, Any] = {
    "n_envs": 512,
    "train_freq": 16_384,
    "batch_size": 2_048,
    "n_epochs": 2,
    "learning_rate": 5e-4,
    "gamma": 1.0,
    "gae_lambda": 0.9,
    "clip_range": 0.2,
    "ent_coef": 0.02,
    "barrier_coef": 0.005,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
    "net_arch": (256, 256),
    "bot_share": 0.0,
}


def train(recorder: Recorder) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_for(PpoSettings, recorder, Path(folder) / "run", SETTINGS)
        recorded(PpoRun, settings, recorder, SETTINGS)
