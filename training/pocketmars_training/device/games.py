"""Games whose observations, masks and results are PyTorch tensors on the network's device.

`CudaGames` keeps games and tensors on the GPU. `HostGames` plays on the CPU and copies the results to the
device.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import torch

from pocketmars_env.core.game_spec import GameSpec


class TensorGames(Protocol):
    """N games of one configuration; finished games are replaced by new ones.

    Attributes:
        seats: the number of seats, including seats that the engine plays (automata).

    """

    seats: int

    def stagger(self, steps: int) -> None:
        """Play random actions in every game, so that the games are at different stages afterwards."""

    def observe(self, observations: torch.Tensor, masks: torch.Tensor) -> None:
        """Write the observations and masks of the seats to play.

        Args:
            observations: ``(N, OBSERVATION_SIZE)``, with the dtype chosen for the games' observations.
            masks: ``(N, NUM_ACTIONS)`` bool.

        """

    def to_play(self) -> torch.Tensor:
        """Return the seat to play in each game, ``(N,)`` int64."""

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Play the legal actions ``(N,)`` int64, and restart the games that end.

        Returns:
            Whether each game has ended, ``(N,)`` bool, and, if it has, its winners, ``(N, seats)`` bool.

        """


class HostGames:
    """Games on the CPU; see `TensorGames`."""

    def __init__(self, games: Any, device: torch.device) -> None:
        self._games, self._device = games, device
        self._outputs = games.observe()
        self.seats: int = games.config.seats

    def stagger(self, steps: int) -> None:
        for _ in range(steps):
            self._games.step(self._games.random_actions())
            self._games.reset(self._games.over)

    def observe(self, observations: torch.Tensor, masks: torch.Tensor) -> None:
        found = self._games.observe(out=self._outputs)
        observations.copy_(torch.from_numpy(found[0]))
        masks.copy_(torch.from_numpy(found[1].view(np.bool_)))

    def to_play(self) -> torch.Tensor:
        return torch.tensor(self._games.to_play, device=self._device)

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        self._games.step(actions.cpu().numpy())
        over, winners = self._games.over, self._games.winners()
        self._games.reset(over)
        return torch.tensor(over, device=self._device), torch.tensor(winners, device=self._device)


class CudaGames:
    """Games on a GPU; see `TensorGames`. No array leaves the GPU."""

    def __init__(self, games: Any, device: torch.device) -> None:
        self._games, self._device = games.to_device(), device
        self.seats: int = games.config.seats

    def stagger(self, steps: int) -> None:
        self._games.play(steps)
        self._games.reset(self._games.over)

    def observe(self, observations: torch.Tensor, masks: torch.Tensor) -> None:
        self._games.observations(out=observations)
        self._games.masks(out=masks.view(torch.int8))

    def to_play(self) -> torch.Tensor:
        return self._shared(self._games.to_play)

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        self._games.step(actions)
        over, winners = self._games.over, self._games.winners()
        self._games.reset(over)
        return self._shared(over), self._shared(winners)

    def _shared(self, array: Any) -> torch.Tensor:
        """Return a tensor that shares the memory of a Numba array on the GPU."""
        return torch.as_tensor(array, device=self._device)


def tensor_games(
    spec: GameSpec,
    count: int,
    kind: Mapping[str, Any],
    seed: int,
    dtype: str,
    device: torch.device,
    num_threads: int,
) -> TensorGames:
    """Create games for a device.

    Args:
        kind: the settings of the games, as arguments of `Games`.
        dtype: the dtype of the observations, ``"uint8"`` or ``"float32"``.
        num_threads: the number of threads that play the games if the device is not a CUDA device.

    Raises:
        NoDevice: if the device is a CUDA device, but the games cannot run on a GPU, for example because
            numba-cuda is not installed.

    """
    games = spec.games(count, **kind, seed=seed, observation_dtype=dtype, num_threads=num_threads)
    return (CudaGames if device.type == "cuda" else HostGames)(games, device)
