"""Training with d3rlpy's offline RL algorithms on recorded games."""

import logging
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import structlog
import torch
from d3rlpy import seed as seed_everything
from d3rlpy.logging import NoopAdapterFactory
from d3rlpy.models import VectorEncoderFactory
from d3rlpy.preprocessing import MinMaxObservationScaler
from torch import nn

from pocketmars_agents.arena.workers import hire_processes
from pocketmars_agents.recording import Plan, play_and_record, record
from pocketmars_training.common.network_agent import NetworkAgent
from pocketmars_training.common.training_spec import Task

from .d3rlpy_dataset import DroppedMasks, d3rlpy_dataset
from .recorder import Recorder

PACKAGES = ("d3rlpy", "gymnasium", "minari")
BOT, GAMES = "greedy", 4_000
"""The bot that plays all seats in the recorded games, and the number of these games."""
NET_ARCH = [256, 256]
"""The number of units in each hidden layer."""

# At level INFO, d3rlpy logs all settings, including arrays with one number per observation entry.
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))


def train_offline(recorder: Recorder, config: type, settings: dict[str, Any], outputs: Any) -> None:
    """Play games with `BOT` in all seats, train a d3rlpy algorithm on them, and write the run's result file.

    `config` is the algorithm's config class in d3rlpy. `outputs` takes the algorithm and scaled observations,
    and returns logits or action values ``(n, NUM_ACTIONS)``.
    """
    task = recorder.task
    dataset = recorded_games(task, recorder.env_seed)
    seed_everything(recorder.seed)
    scaler = MinMaxObservationScaler(minimum=np.zeros_like(task.game.scales), maximum=1 / task.game.scales)
    algorithm = config(
        **settings, encoder_factory=VectorEncoderFactory(NET_ARCH), observation_scaler=scaler
    ).create(device=False)
    algorithm.build_with_dataset(dataset)
    agent = NetworkAgent(recorder.algorithm, Scaled(algorithm, outputs, task.game.scales))
    recorder.evaluate(0, agent)
    algorithm.fit(
        dataset,
        n_steps=recorder.total_steps,
        n_steps_per_epoch=recorder.eval_freq,
        logger_adapter=NoopAdapterFactory(),
        show_progress=False,
        epoch_callback=lambda _, __, steps: recorder.evaluate(steps, agent),
    )
    for module in vars(algorithm.impl.modules).values():
        if isinstance(module, nn.Module):
            module.requires_grad_(False)  # so that the policy can be exported
    reported = {"bot": BOT, "games": GAMES, "net_arch": NET_ARCH, **settings}
    trained = recorder.total_steps - recorder.total_steps % recorder.eval_freq  # d3rlpy drops the remainder
    recorder.finish(trained, agent, reported, PACKAGES)


def recorded_games(task: Task, seed: int) -> Any:
    """Play games with `BOT` in all seats, and return them as a d3rlpy dataset.

    `seed` is the environment seed of the first game; each later game uses the next seed.
    """
    plan = Plan(
        bots=(BOT,) * task.players,
        config=task.game.config(**task.kind),
        games=GAMES,
        seed=seed,
        observation_dtype="uint8",
    )
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DroppedMasks)  # `NetworkAgent` masks illegal actions
        for _ in record(plan, Path(folder), hire_processes(1, play_and_record), format="minari"):
            pass
        return d3rlpy_dataset(Path(folder) / plan.dataset_id)


class Scaled(nn.Module):
    """Wraps an algorithm trained on uint8 counts as a network that takes float32 observations."""

    def __init__(self, algorithm: Any, outputs: Any, scales: Any) -> None:
        super().__init__()
        self._algorithm, self._outputs = algorithm, outputs
        self.counts = nn.Parameter(torch.tensor(1 / scales), requires_grad=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return logits or action values ``(n, NUM_ACTIONS)``."""
        scaler = self._algorithm.config.observation_scaler
        outputs: torch.Tensor = self._outputs(self._algorithm, scaler.transform(observations * self.counts))
        return outputs
