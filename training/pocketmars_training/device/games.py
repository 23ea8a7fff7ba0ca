"""Games whose observations, masks and results are PyTorch tensors on the network's device."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from pocketmars_agents import Agent
from pocketmars_agents.bots.device_look_ahead import DeviceLookAhead
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.table import Table


class TensorGames:
    """N games of one configuration; finished games are replaced by new ones.

    This class plays the games on the CPU, and copies the observations, masks and results to the device.
    """

    def __init__(self, games: Any, device: torch.device, bots: Sequence[Any]) -> None:
        self._games, self._device, self._bots = games, device, bots
        self._outputs: Any = (None, None)  # reused by `observe`
        self.seats: int = games.config.seats
        self.seats_to_play: int = games.config.seats_to_play

    def stagger(self, steps: int) -> None:
        """Play random actions in every game, so that the games are at different stages afterwards."""
        for _ in range(steps):
            self._games.step(self._games.random_actions())
            self._games.reset(self._games.over)

    def observe(self, observations: torch.Tensor, masks: torch.Tensor) -> None:
        """Write the observations and masks of the seats to play into the given tensors.

        Args:
            observations: ``(N, OBSERVATION_SIZE)``, with the dtype chosen for the games' observations.
            masks: ``(N, NUM_ACTIONS)`` bool.

        """
        self._outputs = self._games.observe(out=self._outputs)
        observations.copy_(torch.from_numpy(self._outputs[0]))
        masks.copy_(torch.from_numpy(self._outputs[1].view(np.bool_)))

    def to_play(self) -> torch.Tensor:
        """Return the seat to play in each game, ``(N,)`` int64."""
        return self._tensor(self._games.to_play)

    def write_bot_actions(self, number: int, indices: torch.Tensor, seed: int, actions: torch.Tensor) -> None:
        """Write a bot's actions for the seats to play in some games.

        Args:
            number: the index of the bot.
            indices: ``(n,)`` int64, the games.
            seed: the seed of the bot's choices, in 0..2**64 - 1.
            actions: ``(N,)`` int64, in which only the entries of the given games are written.

        """
        cpu_indices = indices.cpu().numpy()
        if len(cpu_indices):
            seeds = np.random.default_rng(seed).integers(0, 2**64, size=len(cpu_indices), dtype=np.uint64)
            views = self._games.views(cpu_indices, self._games.to_play[cpu_indices])
            actions[indices] = self._tensor(Table.choose(self._bots[number], views, seeds))

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Play the legal actions ``(N,)`` int64, and replace the games that end with new ones.

        Returns:
            ``(N,)`` bool, whether each game has ended; ``(N, seats)`` bool, the winners of the ended games.

        """
        return self._step(actions.cpu().numpy())

    def _step(self, actions: Any) -> tuple[torch.Tensor, torch.Tensor]:
        self._games.step(actions)
        over, winners = self._games.over, self._games.winners
        self._games.reset(over)
        return self._tensor(over), self._tensor(winners)

    def _tensor(self, array: Any) -> torch.Tensor:
        """Return a copy of an array on the device."""
        return torch.tensor(array, device=self._device)


class CudaGames(TensorGames):
    """Games on a GPU. No array leaves the GPU, and every bot must be a `LookAheadAgent`."""

    def __init__(self, games: Any, device: torch.device, bots: Sequence[Any]) -> None:
        super().__init__(games.to_device(), device, bots)
        self._bots = [DeviceLookAhead(bot, self._games) for bot in bots]

    def stagger(self, steps: int) -> None:
        self._games.play(steps)
        self._games.reset(self._games.over)

    def observe(self, observations: torch.Tensor, masks: torch.Tensor) -> None:
        self._games.observations(out=observations)
        self._games.masks(out=masks.view(torch.int8))

    def write_bot_actions(self, number: int, indices: torch.Tensor, seed: int, actions: torch.Tensor) -> None:
        self._bots[number].write_actions(indices, seed, actions)

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self._step(actions)

    def _tensor(self, array: Any) -> torch.Tensor:
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
    bots: Sequence[Agent] = (),
) -> TensorGames:
    """Create games for a device."""
    games = Games(count, spec, **kind, seed=seed, observation_dtype=dtype, num_threads=num_threads)
    return (CudaGames if device.type == "cuda" else TensorGames)(games, device, bots)
