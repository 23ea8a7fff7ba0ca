"""The solo game with PPO or DQN from Stable-Baselines3, which know no action masks.

python examples/sb3_unmasked.py ppo --illegal-penalty 5
python examples/sb3_unmasked.py dqn --illegal-penalty 5 --steps 200000 --seed 2
"""

import json
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.vec_env import VecNormalize

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv

ENVIRONMENT = "pocketmars/Solo-v1"
SETTINGS: dict[str, Any] = {"reward": "margin", "illegal": "random"}
EVALUATION_SEED = 1_000_000


class Algorithm(StrEnum):
    """An algorithm of Stable-Baselines3."""

    PPO = "ppo"
    DQN = "dqn"


def new_model(algorithm: Algorithm, seed: int, illegal_penalty: float) -> Any:
    games = PocketMarsVecEnv(ENVIRONMENT, 16, seed=seed, illegal_penalty=illegal_penalty, **SETTINGS)
    # Without normalized rewards, the errors of the value estimates drown the gradients of the policy.
    env = VecNormalize(games, norm_obs=False)
    common: dict[str, Any] = {
        "learning_rate": 1e-3,
        "batch_size": 256,
        "policy_kwargs": {"net_arch": [256, 256]},
        "seed": seed,
        "device": "cpu",
        "verbose": 1,
    }
    if algorithm is Algorithm.PPO:
        return PPO("MlpPolicy", env, n_steps=128, **common)
    # A small discount factor, because the maximum over 267 mostly illegal actions overestimates.
    return DQN(
        "MlpPolicy",
        env,
        gamma=0.9,
        buffer_size=100_000,
        gradient_steps=4,
        target_update_interval=1000,
        exploration_fraction=0.5,
        exploration_final_eps=0.1,
        **common,
    )


def play(policy: Any, games: int, seed: int) -> tuple[np.ndarray, float]:
    """Play games; return the margins, ``(games,)``, and the share of illegal actions.

    Args:
        policy: a function from observations ``(N, OBSERVATION_SIZE)`` to actions ``(N,)``.

    """
    env = PocketMarsVecEnv(ENVIRONMENT, games, seed=seed, **SETTINGS)
    observations: Any = env.reset()
    margins, illegal, steps = np.full(games, np.nan), 0, 0
    while np.isnan(margins).any():
        running = np.isnan(margins)
        observations, rewards, dones, infos = env.step(policy(observations))
        steps += int(running.sum())
        illegal += sum(info["illegal_action"] for info, is_running in zip(infos, running) if is_running)
        margins[running & dones] = rewards[running & dones]
    return margins, illegal / steps


def interval(margins: np.ndarray) -> list[float]:
    """Return the mean with its 95 % interval: mean, lower end, upper end."""
    error = 1.96 * margins.std(ddof=1) / np.sqrt(len(margins))
    return [round(float(margins.mean() + side * error), 2) for side in (0, -1, 1)]


def train(
    algorithm: Algorithm,
    steps: int = 200_000,
    seed: int = 1,
    illegal_penalty: float = 0.0,
    games: int = 1000,
    out: Path | None = None,
) -> None:
    """Train, evaluate the policy on games that were not used for training, and append the result to `out`."""
    torch.set_num_threads(1)
    model = new_model(algorithm, seed, illegal_penalty).learn(steps)
    margins, illegal = play(lambda seen: model.predict(seen, deterministic=True)[0], games, EVALUATION_SEED)
    # Action -1 is never legal, so that every action is replaced by a random legal action.
    random_margins, _ = play(lambda seen: np.full(games, -1), games, EVALUATION_SEED)
    result = {
        "algorithm": algorithm,
        "seed": seed,
        "steps": steps,
        "illegal_penalty": illegal_penalty,
        "games": games,
        "margin": interval(margins),
        "margin_of_random": interval(random_margins),
        "illegal_actions": round(illegal, 4),
    }
    line = json.dumps(result)
    print(line)
    if out is not None:
        with out.open("a") as file:
            file.write(line + "\n")


if __name__ == "__main__":
    typer.run(train)
