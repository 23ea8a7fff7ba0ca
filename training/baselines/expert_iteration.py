"""Expert iteration from random weights: the network learns from a search that it guides."""

import tempfile
from pathlib import Path
from typing import Any

import torch

from pocketmars_training.common.export import export
from pocketmars_training.common.network import Network
from pocketmars_training.expert_iteration import ExpertRun, ExpertSettings

from .recorded_run import recorded, settings_for
from .recorder import Recorder

NET_ARCH = (256, 256)
SETTINGS: dict[str, Any] = {
    "n_envs": 480,
    "train_freq": 20_000,
    "batch_size": 1_024,
    "learning_rate": 1e-3,
    "vf_coef": 0.5,
    "max_grad_norm": 1.0,
    "simulations": 50,
    "temperature": 1.0,
    "sharpness": 50.0,
    "buffer_size": 200_000,
    "replay_ratio": 4.0,
    "bot_share": 0.0,
}


def train(recorder: Recorder) -> None:
    torch.manual_seed(recorder.seed)
    spec = recorder.task.game
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "start.onnx"
        export(Network.untrained(spec, NET_ARCH), start, {"name": "untrained"}, spec)
        settings = settings_for(ExpertSettings, recorder, Path(folder) / "run", {**SETTINGS, "start": start})
        recorded(ExpertRun, settings, recorder, {"net_arch": NET_ARCH, **SETTINGS})
