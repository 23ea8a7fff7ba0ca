"""A policy as an ONNX file: what travels, instead of pickles."""

import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn

from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game_spec import GameSpec, default_game
from pocketmars_training.model.masking import VERY_LOW

OPSET = 17
INPUTS = ["observation", "action_mask"]
OUTPUTS = ["logits", "value", "opponent_win_split"]
"""Networks that have not been taught about rivals lack the last one."""
CHECKED_GAMES = 64
TOLERANCE = 1e-4


class Exported(nn.Module):
    """A network as a function of arrays: masked logits, values, and rivals' logits if it gives them.

    Args:
        network: to be exported: gives logits ``(n, NUM_ACTIONS)``, not masked, values ``(n,)``, and maybe
            rivals' logits ``(n, MAX_SEATS - 1)``, for observations ``(n, OBSERVATION_SIZE)``.

    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor) -> tuple[Any, ...]:
        """For ``(n, OBSERVATION_SIZE)`` and ``(n, NUM_ACTIONS)`` int8 what the network gives."""
        logits, *others = self.network(observation)
        return torch.where(action_mask != 0, logits, torch.full_like(logits, VERY_LOW)), *others


def export(network: nn.Module, path: Path, card: dict[str, Any], spec: GameSpec | None = None) -> None:
    """Write a network as ONNX, whole or not at all, when it is sure that the file answers as it does.

    Inputs are ``observation`` ``(n, OBSERVATION_SIZE)`` float32 and ``action_mask``
    ``(n, NUM_ACTIONS)`` int8; outputs ``logits`` ``(n, NUM_ACTIONS)`` float32, -1e8 where the mask is
    0, ``value`` ``(n,)`` float32, the final reward expected, and ``rivals`` if the network gives them, see
    `pocketmars_agents.bots.policy_agent.PolicyAgent`.

    Args:
        network: of the policy.
        path: of the file.
        card: how the policy came about: plain data, kept in the file's metadata.
        spec: the game of the policy; by default the default game. The card of another game gets its name as
            ``game``.

    Raises:
        RuntimeError: if file and network disagree; nothing is written.
        OSError: if it cannot be written.

    """
    spec = spec or default_game()
    if spec is not default_game():
        card = {**card, "game": spec.name}
    module = Exported(network).eval()
    example = (torch.zeros(1, spec.observation_size), torch.ones(1, spec.num_actions, dtype=torch.int8))
    with torch.no_grad():
        outputs = OUTPUTS[: len(module(*example))]
    axes = {name: {0: "n"} for name in (*INPUTS, *outputs)}
    graph = io.BytesIO()
    with warnings.catch_warnings():
        # the newer exporter needs another package, and gives the same graph
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            module,
            example,
            graph,  # type: ignore[arg-type]  # the declared types are those of the newer exporter
            input_names=INPUTS,
            output_names=outputs,
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    model = onnx.load_model_from_string(graph.getvalue())
    onnx.helper.set_model_props(model, {"pocketmars": json.dumps(card)})
    content = model.SerializeToString()
    check_equal(module, content, spec)
    write_whole(path, content)


def check_equal(module: Exported, content: bytes, spec: GameSpec) -> None:
    """Raise a RuntimeError unless the content of an ONNX file answers as the module in real positions."""
    games = spec.games(CHECKED_GAMES, seed=0)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    for _ in range(20):
        observations, masks = games.observe()
        with torch.no_grad():
            expected = module(torch.from_numpy(observations), torch.from_numpy(masks))
        found = session.run(None, {"observation": observations, "action_mask": masks})
        for name, one, other in zip(OUTPUTS, found, expected, strict=False):
            if not np.allclose(one, other.numpy(), atol=TOLERANCE):
                raise RuntimeError(f"the exported {name} differ by {np.abs(one - other.numpy()).max():g}")
        games.step(games.random_actions(), ~games.over)
