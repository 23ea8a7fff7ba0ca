"""The log of a run, written for TensorBoard and as JSON lines."""

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
"""RLlib's names for the learner metrics, keyed by name in the log."""
TIMERS = {"time/learning": "learner_update_timer", "time/playing": "env_runner_sampling_timer"}
"""RLlib's names for the timers (in seconds), keyed by name in the log."""


class Log:
    """A logger for TensorBoard and `log.jsonl`, with the main methods of Stable-Baselines3's logger."""

    def __init__(self, folder: Path) -> None:
        self._writer = SummaryWriter(str(folder))
        self._lines = (folder / "log.jsonl").open("a", encoding="utf-8")
        self._numbers: dict[str, float] = {}

    def record(self, name: str, number: float) -> None:
        """Record a number for the next `dump`; infinite numbers and NaN are ignored."""
        if math.isfinite(number):
            self._numbers[name] = float(number)

    def dump(self, num_timesteps: int) -> None:
        """Write all numbers recorded since the last `dump`.

        In `log.jsonl`, the numbers are rounded to 6 significant digits.
        """
        for name, number in self._numbers.items():
            self._writer.add_scalar(name, number, num_timesteps)
        rounded = {name: float(f"{number:.6g}") for name, number in self._numbers.items()}
        if rounded:
            self._lines.write(json.dumps({"decisions": num_timesteps, **rounded}) + "\n")
            self._lines.flush()
        self._numbers.clear()

    def close(self) -> None:
        """Close the TensorBoard log and `log.jsonl`."""
        self._writer.close()
        self._lines.close()


def numbers_of(results: dict[str, Any], learner: str) -> dict[str, float]:
    """Return the metrics and timers to log from a result of ``Algorithm.train``, keyed by name in the log."""
    learned, timers = results["learners"][learner], results["timers"]
    numbers = {name: float(learned[key]) for name, key in LEARNER_NUMBERS.items()}
    return numbers | {name: float(timers[key]) for name, key in TIMERS.items()}
