"""Illegal actions are never drawn: their logits are very low."""

import torch

VERY_LOW = -1e8
"""Not minus infinity: then an entropy would not be a number."""


def masked(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """The logits ``(n, NUM_ACTIONS)``, very low where the mask ``(n, NUM_ACTIONS)`` bool is False."""
    return logits.masked_fill(~masks, VERY_LOW)
