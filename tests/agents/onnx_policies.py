"""Small policies as ONNX graphs, like those that other frameworks would export."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE


def weights() -> tuple[Any, Any]:
    """Return the weights of the linear policy in `write_policy`, for the logits and for the value."""
    rng = np.random.default_rng(5)
    shape = (OBSERVATION_SIZE, NUM_ACTIONS)
    return rng.normal(size=shape).astype(np.float32), rng.normal(size=(OBSERVATION_SIZE, 1)).astype(
        np.float32
    )


def write_policy(
    path: Path,
    mask_type: int = TensorProto.INT8,
    actions: int = NUM_ACTIONS,
    observation_type: int = TensorProto.FLOAT,
    observation_shape: tuple[Any, ...] = ("n", OBSERVATION_SIZE),
    mask_shape: tuple[int | str, ...] = ("n", NUM_ACTIONS),
    names: tuple[str, str, str, str] = ("observation", "action_mask", "logits", "value"),
    card: str | None = None,
) -> Path:
    """Write a linear policy that ignores the mask and whose value has the shape ``(n, 1)``."""
    observation, mask, logits, value = names
    of_logits, of_value = (array[: observation_shape[-1]] for array in weights())
    graph = helper.make_graph(
        [
            helper.make_node("Cast", [observation], ["seen"], to=TensorProto.FLOAT),
            helper.make_node("MatMul", ["seen", "of_logits"], [logits]),
            helper.make_node("MatMul", ["seen", "of_value"], [value]),
        ],
        "linear",
        [
            helper.make_tensor_value_info(observation, observation_type, observation_shape),
            helper.make_tensor_value_info(mask, mask_type, mask_shape),
        ],
        [
            helper.make_tensor_value_info(logits, TensorProto.FLOAT, ("n", actions)),
            helper.make_tensor_value_info(value, TensorProto.FLOAT, ("n", 1)),
        ],
        [
            numpy_helper.from_array(of_logits[:, :actions], "of_logits"),
            numpy_helper.from_array(of_value, "of_value"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    if card is not None:
        helper.set_model_props(model, {"pocketmars": card})
    onnx.save(model, str(path))
    return path
