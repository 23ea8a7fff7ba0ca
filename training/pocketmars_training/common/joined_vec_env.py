"""A vector environment that joins several vector environments, which can differ in player count or level."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.arrays import integer_array

Result = TypeVar("Result")


class JoinedVecEnv(VecEnv):
    """A `VecEnv` that contains the games of several `PocketMarsVecEnv` environments.

    Args:
        parts: the environments, at least one, with the same spaces. The games are in the order of `parts`.
        threads: the number of threads, which does not affect results. Each thread resets or steps one
            environment at a time. With several threads, the environments must not share opponents.

    Raises:
        ValueError: if there are no environments.

    """

    def __init__(self, parts: Sequence[PocketMarsVecEnv], threads: int = 1) -> None:
        if not parts:
            raise ValueError("at least one environment is needed")
        self.parts = list(parts)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._ends = np.cumsum([part.num_envs for part in parts])
        super().__init__(int(self._ends[-1]), parts[0].observation_space, parts[0].action_space)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the games of all parts with `seed`, `seed` + 1, ... for the next reset."""
        seeds = super().seed(seed)
        for part, first in zip(self.parts, [0, *self._ends.tolist()]):
            part.seed(seeds[first])
        return seeds

    def reset(self) -> NDArray[np.float32]:
        return np.concatenate(self._map(PocketMarsVecEnv.reset))

    def step_async(self, actions: NDArray[np.int64]) -> None:
        # Check the length first; otherwise, some parts would step before another part raises an error.
        numbers = integer_array("actions", actions, self.num_envs)
        for part, part_actions in zip(self.parts, np.split(numbers, self._ends[:-1])):
            part.step_async(part_actions)

    def step_wait(self) -> VecEnvStepReturn:
        observations, rewards, dones, infos = zip(*self._map(PocketMarsVecEnv.step_wait))
        together: list[dict[str, Any]] = [info for part_infos in infos for info in part_infos]
        return np.concatenate(observations), np.concatenate(rewards), np.concatenate(dones), together

    def _map(self, method: Callable[[PocketMarsVecEnv], Result]) -> list[Result]:
        """Call a method of every part, on all threads in parallel; results are in the parts' order."""
        return list(self._pool.map(method, self.parts) if self._pool else map(method, self.parts))

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown()
        for part in self.parts:
            part.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        values = [value for part in self.parts for value in part.get_attr(attr_name)]
        return [values[index] for index in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        self.parts[0].set_attr(attr_name, value, indices)  # always raises an AttributeError

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        results = [result for part in self.parts for result in part.env_method(method_name)]
        return [results[index] for index in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        return [False for _ in self._get_indices(indices)]
