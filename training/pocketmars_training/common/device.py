"""The device of a network, and the observations that are moved to it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_env.core.game_spec import Config, GameSpec
from pocketmars_env.core.observation_dtype import FLOAT32, observation_dtype_of
from pocketmars_env.core.view import Views

DEVICES = ("auto", "cpu", "cuda", "mps")


def device_named(name: str) -> torch.device:
    """Return the device of a setting: one of `DEVICES`, or a numbered one such as ``cuda:1``.

    ``auto`` is ``cuda`` if PyTorch finds such a device, and ``cpu`` otherwise, as in Stable-Baselines3.

    Raises:
        ValueError: if the name is unknown, or this machine has no such device.

    """
    try:
        device = torch.device(
            "cuda" if name == "auto" and torch.cuda.is_available() else name.replace("auto", "cpu")
        )
    except RuntimeError:
        device = None
    if device is None or device.type not in DEVICES:
        raise ValueError(f"device must be one of {', '.join(DEVICES)}, got {name!r}")
    counts = {"cpu": 1, "cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}
    if (device.index or 0) >= counts[device.type]:
        raise ValueError(
            f"device {name!r} is not available: PyTorch finds {counts[device.type]} {device.type} devices"
        )
    return device


def device_of(network: nn.Module) -> torch.device:
    """Return the device of a network's parameters."""
    return next(network.parameters()).device


def to_device(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Return a tensor on a device; to a GPU it is copied from pinned memory, while Python continues."""
    if device.type == "cuda" and tensor.device.type == "cpu":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


class NetworkInputs:
    """The form in which a run stores and transfers observations: uint8 counts if all its games provide
    them, else float32.

    Counts take a quarter of the memory. The network gets the same numbers from both.

    Args:
        spec: the game.
        configs: the settings of the games.
        device: the network's device.

    Attributes:
        dtype: uint8 or float32.

    """

    def __init__(self, spec: GameSpec, configs: Sequence[Config], device: torch.device) -> None:
        self.device, self.dtype = device, FLOAT32
        try:
            dtypes = [observation_dtype_of(spec, config, "uint8") for config in configs]
            self.dtype = dtypes[0]
        except ValueError:  # some of these games have no counts, or larger ones
            pass
        self._scales = torch.tensor(spec.scales, device=device)

    def observe(self, views: Views) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return observations ``(n, OBSERVATION_SIZE)`` to store, and masks ``(n, NUM_ACTIONS)`` int8."""
        return views.observe(self.dtype)

    def of(self, stored: torch.Tensor) -> torch.Tensor:
        """Return stored observations as ``(n, OBSERVATION_SIZE)`` float32, on the network's device."""
        moved = to_device(stored, self.device)
        return moved.float() * self._scales if moved.dtype == torch.uint8 else moved
