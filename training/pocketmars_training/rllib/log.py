"""The log of a training: for TensorBoard, and as lines of JSON."""

import json
import math
from pathlib import Path
from typing import Any

from tensorboardX import SummaryWriter

LEARNER_NUMBERS = {
    "train/entropy": "entropy",
    "train/explained_variance": "vf_explained_var",
    "train/gradient_norm": "gradients_default_optimizer_global_norm",
    "train/policy_loss": "policy_loss",
    "train/value_loss": "vf_loss",
}
"""Numbers of RLlib's learner, by their names here."""
TIMERS = {"time/learning": "learner_update_timer", "time/playing": "env_runner_sampling_timer"}
"""Timers of RLlib, in seconds, by their names here."""


class Log:
    """Numbers over the decisions made so far, in two files of the run's folder.

    Args:
        folder: of the run.

    """

    def __init__(self, folder: Path) -> None:
        self._writer = SummaryWriter(str(folder))
        self._lines = (folder / "log.jsonl").open("a", encoding="utf-8")

    def write(self, decisions: int, numbers: dict[str, float]) -> None:
        """Add numbers; those that are not finite are left out."""
        finite = {name: float(value) for name, value in numbers.items() if math.isfinite(value)}
        for name, value in finite.items():
            self._writer.add_scalar(name, value, decisions)
        rounded = {name: float(f"{value:.6g}") for name, value in finite.items()}
        self._lines.write(json.dumps({"decisions": decisions, **rounded}) + "\n")
        self._lines.flush()

    def close(self) -> None:
        """Close both files."""
        self._writer.close()
        self._lines.close()


def numbers_of(results: dict[str, Any], learner: str) -> dict[str, float]:
    """What is logged of RLlib's results of an update.

    Args:
        results: of `Algorithm.train`.
        learner: the module that learns.

    """
    learnt = results["learners"][learner]
    numbers = {name: float(learnt[key]) for name, key in LEARNER_NUMBERS.items()}
    return numbers | {name: float(results["timers"][key]) for name, key in TIMERS.items()}
