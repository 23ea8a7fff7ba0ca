"""Selection of a network's device, and transfers of observations to the device."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import Config, GameSpec
from pocketmars_env.core.observation_dtype import FLOAT32, observation_dtype_of

DEVICES = ("auto", "cpu", "cuda", "mps")


def device_named(name: str) -> torch.device:
    """Return the device with the given name: one of `DEVICES`, or a numbered device such as ``cuda:1``.

    As in Stable-Baselines3, ``auto`` selects ``cuda`` if PyTorch finds a CUDA device, and ``cpu`` otherwise.
    """
    try:
        device = torch.device(
            "cuda" if name == "auto" and torch.cuda.is_available() else name.replace("auto", "cpu")
        )
    except RuntimeError:
        device = None
    if device is None or device.type not in DEVICES:
        raise ValueError(f"device must be one of {', '.join(DEVICES)}, got {quoted(name)}")
    counts = {"cpu": 1, "cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}
    if (device.index or 0) >= counts[device.type]:
        raise ValueError(
            f"device {quoted(name)} is not available: PyTorch finds {counts[device.type]} "
            f"{device.type} devices"
        )
    return device


def device_of(network: nn.Module) -> torch.device:
    """Return the device of a network's parameters."""
    return next(network.parameters()).device


def to_device(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Move a tensor to a device; copies from the CPU to CUDA use pinned memory and are asynchronous."""
    if device.type == "cuda" and tensor.device.type == "cpu":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


class NetworkInputs:
    """The format in which a run stores and transfers observations.

    The format is uint8 (unscaled counts) if all kinds of game in the run support it, and float32 otherwise.
    The uint8 format needs a quarter of the memory. The method `of` converts observations in either format to
    the network's float32 inputs on its device.
    """

    def __init__(self, spec: GameSpec, configs: Sequence[Config], device: torch.device) -> None:
        self.device, self.dtype = device, FLOAT32
        try:
            dtypes = [observation_dtype_of(spec, config, "uint8") for config in configs]
            self.dtype = dtypes[0]
        except ValueError:  # the game does not support uint8 counts, or some settings allow counts above 255
            pass
        self._scales = torch.tensor(spec.scales, device=device)

    def observe(self, views: Views) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return observations ``(n, OBSERVATION_SIZE)`` of `dtype`, and masks ``(n, NUM_ACTIONS)`` int8."""
        return views.observe(self.dtype)

    def of(self, stored: torch.Tensor) -> torch.Tensor:
        """Convert stored observations to ``(n, OBSERVATION_SIZE)`` float32 on the network's device."""
        moved = to_device(stored, self.device)
        return moved.float() * self._scales if moved.dtype == torch.uint8 else moved
