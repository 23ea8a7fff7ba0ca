"""From RLlib's module to the ONNX file that every command plays."""

from pathlib import Path
from typing import Any

import torch
from ray.rllib.core.columns import Columns

from pocketmars_training.common.export import CHECKED_GAMES, TOLERANCE, export
from pocketmars_training.common.network import masked
from pocketmars_training.rllib.module import FrozenModule, PolicyNetwork


def export_learner(module: FrozenModule, network: PolicyNetwork, path: Path, card: dict[str, Any]) -> None:
    """Write a policy as ONNX when it is sure that the file answers as RLlib's module does.

    Args:
        module: the one that has played.
        network: with the module's weights.
        path: of the file.
        card: how the policy came about; see `pocketmars_training.common.export.export`.

    Raises:
        RuntimeError: if module, network and file disagree; nothing is written.
        OSError: if it cannot be written.

    """
    check_same(module, network)
    export(network, path, card, network.spec)


def check_same(module: FrozenModule, network: PolicyNetwork) -> None:
    """Raise a RuntimeError unless network and module give the same logits in real positions."""
    games = network.spec.games(CHECKED_GAMES, seed=1)
    for _ in range(20):
        observations, masks = (torch.from_numpy(array) for array in games.observe())
        batch = {Columns.OBS: {"observations": observations, "action_mask": masks}}
        found = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
        with torch.no_grad():
            expected = masked(network(observations)[0], masks != 0)
        if not torch.allclose(found, expected, atol=TOLERANCE):
            raise RuntimeError(f"network and module differ by {(found - expected).abs().max():g}")
        games.step(games.random_actions(), ~games.over)
