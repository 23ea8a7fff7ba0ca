"""Counts as thermometers, which a network reads more easily than numbers.

An entry such as "energy / 7" comes to the network as it is, and as seven flags: at least 1, at least 2 and so
on. A layer can then tell 3 from 4 at once. From the same positions a network learns more with them: after
four passes over half a million searched ones, the divergence from the search's policies was 0.21 where it was
0.25 without.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_env.core.layout import Piece

MOST_STEPS = 8
"""Numbers with more steps, such as scores, stay numbers alone."""


def thermometers_of(layout: Sequence[Piece]) -> "Thermometers":
    """All flags of an observation."""
    columns, cuts = list[int](), list[float]()
    start = 0
    for piece in layout:
        steps = np.broadcast_to(piece.steps, piece.shape).reshape(-1)
        for entry, most in enumerate(steps.tolist()):
            if most <= MOST_STEPS:
                columns += [start + entry] * most
                cuts += [(step - 0.5) / most for step in range(1, most + 1)]  # between two steps: no rounding
        start += piece.size
    return Thermometers(np.array(columns, dtype=np.int64), np.array(cuts, dtype=np.float32))


class Thermometers(nn.Module):
    """Puts the flags behind an observation.

    Args:
        columns: ``(n,)`` int64: the entry of each flag.
        cuts: ``(n,)`` float32: what it must be at least.

    """

    columns: torch.Tensor
    cuts: torch.Tensor

    def __init__(self, columns: NDArray[np.int64], cuts: NDArray[np.float32]) -> None:
        super().__init__()
        self.register_buffer("columns", torch.tensor(columns), persistent=False)
        self.register_buffer("cuts", torch.tensor(cuts), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """``(m, OBSERVATION_SIZE + n)`` for ``(m, OBSERVATION_SIZE)``."""
        flags = observations.index_select(1, self.columns) >= self.cuts
        return torch.cat([observations, flags.to(observations.dtype)], dim=1)
