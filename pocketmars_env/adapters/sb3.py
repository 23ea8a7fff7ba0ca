"""Vector environment for Stable-Baselines3 and sb3-contrib's MaskablePPO, and an exporter of their policies.

>>> from sb3_contrib import MaskablePPO
>>> from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
>>> MaskablePPO("MlpPolicy", PocketMarsVecEnv("pocketmars/Table-v1", 256, opponents="greedy")).learn(100_000)

"""

import io
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.envs.registration import vector_env_class
from pocketmars_env.envs.rewards import RESULTS


class PocketMarsVecEnv(VecEnv):
    """Stable-Baselines3 `VecEnv` that runs N games in compiled code.

    `reset` and `step_wait` also play the opponents' actions, so the learner sees only its own decisions. The
    learner receives its reward at the end of an episode, even if an opponent made the last move.
    ``env_method("action_masks")`` returns the action masks, as sb3-contrib expects.

    ``infos[i]["illegal_action"]`` is true after an illegal action. When an episode ends, the next one starts
    in the same step. ``infos[i]`` then also contains:

    - ``terminal_observation``: the final observation of the ended episode;
    - ``TimeLimit.truncated``: whether the round limit ended the episode;
    - the results of the game, see `results_of`; SB3's `VecMonitor` stores those in its `info_keywords`;
    - ``episode``: the return ``r``, the length ``l`` and the time ``t`` in seconds since the environment was
      created, as SB3's `Monitor` reports them; the mean return appears in SB3's logs as ``ep_rew_mean``.

    Args:
        name: the environment's id, such as ``"pocketmars/Solo-v1"`` or ``"pocketmars/Table-v1"``. To learn
            without masks, add ``illegal="random"``; the ids with ``Unmasked`` are for other programs.
        num_envs: the number of games that run in parallel, N.
        seed: the seed of the first game's random stream; game `i` uses ``seed + i``. If None, the seeds are
            random.
        settings: further arguments of the Gymnasium vector environment, except ``autoreset_mode``; see
            `SeatVectorEnv`.

    Attributes:
        envs: the underlying Gymnasium vector environment.

    Raises:
        ValueError: for an invalid setting; the message names its accepted values.

    """

    def __init__(self, name: str, num_envs: int, seed: int | None = None, **settings: Any) -> None:
        self.envs = vector_env_class(name)(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **settings)
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)
        if seed is not None:
            self.seed(check_seed(seed))
        self._actions = np.zeros(num_envs, dtype=np.int64)
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, dtype=np.int64)
        self._created = time.time()

    def reset(self) -> Any:
        """Start new episodes, and return the observations, ``(N, OBSERVATION_SIZE)`` float32 or uint8."""
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        self._reset_options()
        self._returns[:], self._lengths[:] = 0, 0
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions from `step_async`, then the opponents' actions until the learner's next decisions.

        Returns:
            Observations ``(N, OBSERVATION_SIZE)`` float32 or uint8, rewards ``(N,)`` float32, dones ``(N,)``
            bool, and a list of N infos.

        """
        observations, rewards, terminations, truncations, arrays = self.envs.step(self._actions)
        dones = terminations | truncations
        infos: list[dict[str, Any]] = [
            {"TimeLimit.truncated": False, "illegal_action": is_illegal}
            for is_illegal in arrays["illegal_action"].tolist()
        ]
        self._returns += rewards
        self._lengths += 1
        final = {name: arrays["final_info"][name] for name in RESULTS} if dones.any() else {}
        for i in np.flatnonzero(dones).tolist():
            infos[i] = {
                "TimeLimit.truncated": bool(truncations[i]),
                "illegal_action": bool(arrays["final_info"]["illegal_action"][i]),
                "terminal_observation": arrays["final_obs"][i],
                "episode": {
                    "r": round(self._returns[i].item(), 6),
                    "l": self._lengths[i].item(),
                    "t": round(time.time() - self._created, 6),
                },
                **{name: rows[i] for name, rows in final.items()},
            }
        self._returns[dones], self._lengths[dones] = 0, 0
        return observations, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        self.envs.close()

    # --- SB3's interface to single environments -----------------------------------------------------

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of `envs`, repeated for each selected game."""
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Raise an AttributeError, because all games share settings that are fixed on creation."""
        raise AttributeError(f"{quoted(attr_name)} cannot be set: make another PocketMarsVecEnv")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method for the selected games.

        Args:
            method_name: ``"action_masks"``, which returns masks ``(NUM_ACTIONS,)`` bool, or ``"render"``.

        Raises:
            AttributeError: for another method.

        """
        if method_name not in ("action_masks", "render"):
            raise AttributeError(f"no method {quoted(method_name)}; there are 'action_masks' and 'render'")
        results = getattr(self.envs, method_name)()
        return [results[i] for i in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return the images of the N games if ``render_mode="rgb_array"``; otherwise None for each game."""
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        images: Sequence[NDArray[np.uint8]] = self.envs.render()
        return images


def export_onnx(model: OnPolicyAlgorithm, path: str | Path) -> None:
    """Write the policy of a PPO or MaskablePPO model as an ONNX file, which is the name of a bot.

    The file contains the network without wrappers: observations must be vectors as the environment returns
    them, without normalization or stacking.

    Raises:
        ValueError: if the observations are not vectors of float32.

    """
    if not (isinstance(model.observation_space, spaces.Box) and model.observation_space.dtype == np.float32):
        raise ValueError(f"the observations must be vectors of float32, got {model.observation_space}")
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the newer exporter needs an additional package
        torch.onnx.export(
            Heads(model.policy),
            (torch.zeros(1, *model.observation_space.shape, device=model.device),),
            content,  # type: ignore[arg-type]
            input_names=["observation"],
            output_names=["logits", "value"],
            dynamic_axes={name: {0: "n"} for name in ("observation", "logits", "value")},
            dynamo=False,
        )
    write_whole(Path(path), content.getvalue())


class Heads(torch.nn.Module):
    """The logits and the value of a policy of Stable-Baselines3."""

    def __init__(self, policy: Any) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        policy, features = self.policy, self.policy.extract_features(observation)
        actor, critic = features if isinstance(features, tuple) else (features, features)
        latent = policy.mlp_extractor.forward_actor(actor), policy.mlp_extractor.forward_critic(critic)
        return policy.action_net(latent[0]), policy.value_net(latent[1])
