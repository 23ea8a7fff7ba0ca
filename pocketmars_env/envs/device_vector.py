"""Vector environment on an NVIDIA GPU, with actions, observations and rewards in GPU memory.

>>> import torch
>>> from pocketmars_env.envs.device_vector import DeviceVectorEnv
>>> envs = DeviceVectorEnv("pocketmars/Solo-v1", 4096, level="cyborg")
>>> observations, infos = envs.reset(seed=1)
>>> masks = torch.as_tensor(infos["action_mask"], device="cuda")  # shares the memory
>>> actions = torch.multinomial(masks.float(), 1).squeeze(1)
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.core.cuda.device import available_device
from pocketmars_env.core.cuda.memory import Array, device_array_of
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.games import Games
from pocketmars_env.core.observation_dtype import kernels_of, observation_dtype_of
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.settings import check_choice, check_integer
from pocketmars_env.envs.episodes import RANDOM_SEAT
from pocketmars_env.envs.observation_space import observation_box
from pocketmars_env.envs.registration import ENVIRONMENTS
from pocketmars_env.envs.rewards import illegal_reward
from pocketmars_env.envs.single_player import checked
from pocketmars_env.envs.vector import MAX_ENVS

Step = tuple[Array, Array, Array, Array, dict[str, Any]]
CHOSEN_AT_RANDOM = -1


class DeviceVectorEnv(VectorEnv[Array, Array, Array]):
    """Gymnasium vector environment with N games on a GPU; opponents, if any, play random legal actions.

    The environments behave like those of `SeatVectorEnv` with autoreset mode ``SAME_STEP``, but use different
    random streams, so a seed leads to different episodes than in `SeatVectorEnv`. The step that ends an
    episode also starts the next episode and returns the first observation of the new episode.

    All returned arrays are on the device: observations ``(N, OBSERVATION_SIZE)`` uint8 or float32, rewards
    ``(N,)`` float32, and terminations and truncations ``(N,)`` bool. `infos` contains ``"action_mask"``,
    ``(N, NUM_ACTIONS)`` int8. After a step, it also contains ``"illegal_action"``, ``(N,)`` bool;
    ``"final_obs"``, with the shape and dtype of the observations; the results of ended episodes as in
    `results_of_all`; and ``"_final_obs"``, ``(N,)`` bool, which selects the valid rows of ``"final_obs"`` and
    of the results. If the actions are on the device, `step` returns without waiting for the GPU to compute
    the results.

    Args:
        env_id: the Gymnasium id of an environment, such as ``"pocketmars/Table-v1"``.
        num_envs: the number of environments, N.
        seat: the learner's seat, or ``"random"`` for a random seat in each episode; only for environments
            with opponents.
        reward: ``"win"`` or ``"margin"``; see `final_rewards`.
        illegal: ``"terminate"`` or ``"random"``; see `SeatEnv`.
        illegal_penalty: subtracted from the reward of a step with an illegal action.
        observation_dtype: ``"uint8"`` for unscaled counts, or ``"float32"`` for entries in [0, 1].
        copy: whether every `reset` and `step` returns new arrays. If False, observations, final observations
            and masks are always written into the same arrays, which is faster. Gymnasium's `SyncVectorEnv`
            has the same argument.
        settings: the game's settings.

    Attributes:
        games: a `DeviceGames` object, the N games with all hidden information; for analysis, not for agents.

    Raises:
        ValueError: for an invalid setting; the message names its accepted values.
        TypeError: for a setting that is unknown or that the environment does not accept.
        NoDevice: if numba-cuda is not installed, or there is no CUDA device.

    """

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        *,
        seat: int | str = RANDOM_SEAT,
        reward: str = "win",
        illegal: str = "terminate",
        illegal_penalty: float = 0.0,
        observation_dtype: str = "uint8",
        copy: bool = True,
        **settings: Any,
    ) -> None:
        if env_id not in ENVIRONMENTS:
            raise ValueError(f"env_id must be {' or '.join(map(repr, ENVIRONMENTS))}, got {quoted(env_id)}")
        check_integer("num_envs", num_envs, 1, MAX_ENVS)
        self.game_spec, self.env_mode, _ = ENVIRONMENTS[env_id]
        spec = self.game_spec
        check_choice("illegal", illegal, ("terminate", "random"))  # raising would mean waiting for the GPU
        config, _, seat = checked(self, "random", seat, reward, illegal, settings)
        self._cuda = available_device()
        dtype = observation_dtype_of(spec, config, observation_dtype)
        games = Games(num_envs, spec, seed=0, observation_dtype=observation_dtype, **config.as_dict())
        self.games = games.to_device()
        self._kernels = compiled_for("pocketmars_env.core.cuda.episode_kernels", kernels_of(spec, dtype))
        self._seat = seat if isinstance(seat, int) else CHOSEN_AT_RANDOM
        self._is_margin, self._illegal_reward = reward == "margin", illegal_reward(reward, spec)
        self._is_random, self._illegal_penalty = illegal == "random", float(illegal_penalty)
        self.num_envs, self._spec, self._dtype = num_envs, spec, dtype
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = observation_box(spec, dtype)
        self.single_action_space = spaces.Discrete(spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = self._zeros(np.bool_, 1)
        self._seats, self._drawn, self._replaced = (self._zeros(np.int64) for _ in range(3))
        self._seeds: Array | None = None
        self._episodes = self._zeros(np.int64)
        self._copy, self._outputs = copy, dict[str, Array]()

    def _zeros(self, dtype: Any, value: int = 0) -> Array:
        return self._cuda.to_device(np.full(self.num_envs, value, dtype=dtype))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start new episodes in all environments.

        Args:
            seed: the seed from which the seeds of all environments' random streams are derived. If None, the
                streams continue; in the first `reset`, a seed is then drawn from the operating system.
            options: ignored.

        Raises:
            ValueError: for an invalid seed; the environments are then unchanged.

        """
        if seed is not None or self._seeds is None:
            stream = np.array([check_seed(seed)], dtype=np.uint64)
            seeds = np.empty(self.num_envs, dtype=np.uint64)
            number, games = np.zeros(1, dtype=np.int64), np.zeros(self.num_envs, dtype=np.int64)
            self._spec.batch.next_words(stream, number, games, seeds)
            self._seeds = self._cuda.to_device(seeds)
            self._episodes = self._zeros(np.int64)
        self._begin(self._all)
        observations, masks = self._observe()
        return observations, {"action_mask": masks}

    def step(self, actions: Array) -> Step:
        """Play an action in every game, then restart the environments whose episodes have ended.

        Args:
            actions: ``(N,)`` int64: a NumPy array, or a contiguous device array such as a CUDA tensor.

        Raises:
            ValueError: if `actions` has the wrong type, shape or dtype, or is a device array that is not
                contiguous; the environments are then unchanged.
            ResetNeeded: before the first reset.

        """
        if self._seeds is None:
            raise gymnasium.error.ResetNeeded("no episode is running: call reset() first")
        actions = device_array_of(self._cuda, "actions", actions, (self.num_envs,), np.dtype(np.int64))
        empty, launch = self.games.empty, self.games.launch
        illegal, terminations, truncations, is_done = (empty(np.bool_) for _ in range(4))
        rewards = empty(np.float32)
        launch(
            self._kernels.step_episodes, actions, self._seats, self._drawn, self._replaced, self._is_random,
            illegal, terminations, truncations,
        )  # fmt: skip
        seats = self.games.config.seats
        results = {
            "scores": empty(np.int64, seats), "won": empty(np.bool_), "win_share": empty(np.float32),
            "termination": empty(np.int64), "rounds": empty(np.int64),
        }  # fmt: skip
        launch(
            self._kernels.write_results, self._seats, illegal, self._is_margin, seats, self._illegal_penalty,
            self._illegal_reward, self._is_random, is_done, rewards, *results.values(),
        )  # fmt: skip
        final = self._output("final", self._dtype, self._spec.observation_size)
        launch(self._kernels.write_final_observations, self._seats, is_done, final)
        self._begin(is_done)
        observations, masks = self._observe()
        infos = {
            "action_mask": masks,
            "illegal_action": illegal,
            "final_obs": final,
            "_final_obs": is_done,
            **results,
        }
        return observations, rewards, terminations, truncations, infos

    def _begin(self, flags: Array) -> None:
        self.games.launch(
            self._kernels.begin_episodes, flags, self._seeds, self._episodes, self._seat,
            self.games.config.seats, self._seats, self._drawn, self._replaced,
        )  # fmt: skip

    def _observe(self) -> tuple[Array, Array]:
        """Return the learners' observations and masks; it must be the learner's turn in every game."""
        observations = self._output("observations", self._dtype, self._spec.observation_size)
        masks = self._output("masks", np.int8, self._spec.num_actions)
        return self.games.observations(self._seats, out=observations), self.games.masks(out=masks)

    def _output(self, name: str, dtype: Any, width: int) -> Array:
        """Return an output array ``(N, width)``: a new one, or always the same one if `copy` is False."""
        if self._copy:
            return self.games.empty(dtype, width)
        if name not in self._outputs:
            self._outputs[name] = self.games.empty(dtype, width)
        return self._outputs[name]
