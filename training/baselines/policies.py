"""Final policies of the baselines: one ONNX file for each run, which `make_agent` reads."""

from pathlib import Path
from typing import Any

import torch
from torch import nn

from pocketmars_agents import Agent
from pocketmars_training.common.export import export
from pocketmars_training.common.network_agent import NetworkAgent
from pocketmars_training.common.training_spec import Task

from .results import RunResult, result_path


class WithValue(nn.Module):
    """Adds a value of 0 to the outputs of a network that has no value."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: torch.Tensor) -> tuple[Any, ...]:
        outputs = self.network(observations)
        logits, *others = outputs if isinstance(outputs, tuple) else (outputs,)
        return (logits, *others) if others else (logits, torch.zeros_like(logits[:, 0]))


def policy_path(folder: Path, algorithm: str, task: str, total_steps: int, seed: int) -> Path:
    """Return the path of the final policy of a run."""
    return result_path(folder, algorithm, task, total_steps, seed).with_suffix(".onnx")


def save_policy(folder: Path, agent: Agent, task: Task, result: RunResult) -> None:
    """Save the final policy of a run; an agent that is not a single network only prints a message."""
    if not isinstance(agent, NetworkAgent):
        print(f"{result.algorithm} is not saved: its policy is not a single network", flush=True)
        return
    path = policy_path(folder, result.algorithm, task.name, result.total_steps, result.seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    card = {"name": result.algorithm, "command": result.command, "revision": result.revision}
    export(WithValue(agent.network), path, card, task.game)
