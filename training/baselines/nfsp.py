"""Baseline with neural fictitious self-play (NFSP): OpenSpiel's PyTorch agents, one per seat.

The algorithm is from Heinrich and Silver, "Deep reinforcement learning from self-play in
imperfect-information games", 2016. In evaluations, actions are sampled from the average policies.
"""

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python import rl_environment
from open_spiel.python.pytorch.nfsp import NFSP

import pocketmars_env.adapters.open_spiel  # noqa: F401  # registers the games
from pocketmars_agents import Agent
from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_env.core.game import Views
from pocketmars_training.common.network_agent import NetworkAgent

from .recorder import Recorder

PACKAGES = ("open_spiel",)
SETTINGS: dict[str, Any] = {
    "hidden_layers_sizes": [256, 256],
    "reservoir_buffer_capacity": 200_000,
    "anticipatory_param": 0.1,
    "batch_size": 256,
    "rl_learning_rate": 1e-3,
    "sl_learning_rate": 1e-3,
    "min_buffer_size_to_learn": 1_000,
    "learn_every": 64,
    "optimizer_str": "adam",
    "replay_buffer_capacity": 100_000,
    "update_target_network_every": 1_000,
    "weight_update_coeff": 0.0,  # each update copies the Q-network to the target network
    "epsilon_start": 0.1,
    "epsilon_end": 0.01,
    "epsilon_decay_duration": 500_000,
}


class SeatAgents(BatchedAgent):
    """An agent that plays each seat with a separate policy."""

    name = "nfsp"

    def __init__(self, by_seat: list[Any]) -> None:
        self._by_seat = by_seat

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        chosen = np.stack([agent.act_batch(views, seeds) for agent in self._by_seat])
        actions: NDArray[np.int64] = chosen[views.seats, np.arange(len(views))]
        return actions


def train(recorder: Recorder) -> None:
    spec = recorder.task.game
    game = pyspiel.load_game(f"python_{spec.name}", recorder.task.kind)
    env = rl_environment.Environment(game)
    env.seed(recorder.env_seed)
    np.random.seed(recorder.seed)  # noqa: NPY002  # OpenSpiel uses NumPy's global generator
    seats = [
        NFSP(seat, spec.observation_size, spec.num_actions, seed=recorder.seed, **SETTINGS)
        for seat in range(recorder.task.players)
    ]
    agent: Agent = SeatAgents([NetworkAgent("nfsp", seat._avg_network, is_sampling=True) for seat in seats])
    recorder.evaluate(0, agent)
    steps = 0
    while steps < recorder.total_steps:
        time_step = env.reset()
        while not time_step.last():
            output = seats[time_step.observations["current_player"]].step(time_step)
            time_step = env.step([output.action])
            steps += 1
        for seat in seats:
            seat.step(time_step)
        if recorder.is_due(steps):
            recorder.evaluate(steps, agent)
    recorder.finish(steps, agent, SETTINGS, PACKAGES)
