"""Export of policies to ONNX files."""

import copy
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
from pocketmars_env.core.games import Games
from pocketmars_training.common.network import MASKED_LOGIT

OPSET = 17
INPUTS = ["observation", "action_mask"]
OUTPUTS = ["logits", "value", "opponent_win_split"]
"""Names of the outputs; the last one is optional."""
CHECKED_GAMES = 64
TOLERANCE = 1e-4


class MaskedNetwork(nn.Module):
    """Wraps a network to mask the logits of illegal actions; the other outputs are unchanged.

    Args:
        network: maps observations ``(n, OBSERVATION_SIZE)`` to logits ``(n, NUM_ACTIONS)``, values ``(n,)``
            and, optionally, the logits ``(n, MAX_SEATS - 1)`` of the win split among the opponents.

    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor) -> tuple[Any, ...]:
        """Return the network's outputs with masked logits; `action_mask` is ``(n, NUM_ACTIONS)`` int8."""
        logits, *others = self.network(observation)
        return torch.where(action_mask != 0, logits, torch.full_like(logits, MASKED_LOGIT)), *others


def export(network: nn.Module, path: Path, card: dict[str, Any], spec: GameSpec | None = None) -> None:
    """Write a network atomically to an ONNX file, after checking that the ONNX model gives the same outputs.

    The inputs are ``observation`` ``(n, OBSERVATION_SIZE)`` float32 and ``action_mask`` ``(n, NUM_ACTIONS)``
    int8. The outputs are ``logits`` ``(n, NUM_ACTIONS)`` float32 (-1e8 for illegal actions), ``value``
    ``(n,)`` float32 (the expected final reward) and, if the network has it, ``opponent_win_split`` (see
    `pocketmars_agents.bots.policy_agent.PolicyAgent`).
    """
    spec = spec or default_game()
    if spec is not default_game():
        card = {**card, "game": spec.name}
    module = MaskedNetwork(copy.deepcopy(network).cpu()).eval()
    example = (torch.zeros(1, spec.observation_size), torch.ones(1, spec.num_actions, dtype=torch.int8))
    with torch.no_grad():
        outputs = OUTPUTS[: len(module(*example))]
    graph = io.BytesIO()
    with warnings.catch_warnings():
        # The newer exporter requires an additional package and produces the same graph.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            module,
            example,
            graph,  # type: ignore[arg-type]  # the type hints describe the newer exporter
            input_names=INPUTS,
            output_names=outputs,
            dynamic_axes={name: {0: "n"} for name in (*INPUTS, *outputs)},
            opset_version=OPSET,
            dynamo=False,
        )
    model = onnx.load_model_from_string(graph.getvalue())
    onnx.helper.set_model_props(model, {"pocketmars": json.dumps(card)})
    content = model.SerializeToString()
    check_equal(module, content, spec)
    write_whole(path, content)


def check_equal(module: MaskedNetwork, content: bytes, spec: GameSpec) -> None:
    """Compare the outputs of an ONNX model and a network in random games."""
    games = Games(CHECKED_GAMES, spec, seed=0)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    for _ in range(20):
        observations, masks = games.observe()
        with torch.no_grad():
            expected = module(torch.from_numpy(observations), torch.from_numpy(masks))
        outputs = session.run(None, {"observation": observations, "action_mask": masks})
        for name, exported, original in zip(OUTPUTS, outputs, expected, strict=False):
            if not np.allclose(exported, original.numpy(), atol=TOLERANCE):
                raise RuntimeError(
                    f"the exported {name} differ by {np.abs(exported - original.numpy()).max():g}"
                )
        games.step(games.random_actions(), ~games.over)
