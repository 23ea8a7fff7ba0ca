"""Baseline with sb3-contrib's unmodified MaskablePPO, which plays one seat against a fixed opponent."""

from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecNormalize
from torch import nn

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_training.common.network_agent import NetworkAgent

from .recorder import Recorder

PACKAGES = ("stable_baselines3", "sb3_contrib")
N_ENVS = 128
NORMALIZE: dict[str, Any] = {"norm_obs": False, "norm_reward": True, "gamma": 1.0}
SETTINGS: dict[str, Any] = {
    "n_steps": 64,
    "batch_size": 2_048,
    "n_epochs": 2,
    "learning_rate": 5e-4,
    "gamma": 1.0,
    "gae_lambda": 0.95,
    "clip_range": 0.2,
    "ent_coef": 0.01,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
    "policy_kwargs": {"net_arch": [256, 256]},
}


def train(recorder: Recorder) -> None:
    matchup = recorder.task.training
    env = VecNormalize(PocketMarsVecEnv(matchup.environment, N_ENVS, **matchup.settings), **NORMALIZE)
    model = MaskablePPO("MlpPolicy", env, seed=recorder.env_seed, device="cpu", **SETTINGS)
    agent = NetworkAgent("maskable_ppo", Actor(model.policy))
    recorder.evaluate(0, agent)
    callback = EvaluationCallback(recorder, agent)
    model.learn(recorder.total_steps, callback=callback)
    recorder.finish(
        model.num_timesteps, agent, {"n_envs": N_ENVS, "normalize": NORMALIZE, **SETTINGS}, PACKAGES
    )


class Actor(nn.Module):
    """The policy of a MaskablePPO model, without the value function."""

    def __init__(self, policy: Any) -> None:
        super().__init__()
        self.features, self.extractor = policy.pi_features_extractor, policy.mlp_extractor
        self.action_net = policy.action_net

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return unmasked logits ``(n, NUM_ACTIONS)``."""
        logits: torch.Tensor = self.action_net(self.extractor.forward_actor(self.features(observations)))
        return logits


class EvaluationCallback(BaseCallback):
    """Evaluates the agent before a rollout if an evaluation is due."""

    def __init__(self, recorder: Recorder, agent: Any) -> None:
        super().__init__()
        self._recorder, self._agent = recorder, agent

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self._recorder.is_due(self.num_timesteps):
            self._recorder.evaluate(self.num_timesteps, self._agent)
