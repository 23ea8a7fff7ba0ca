"""Reads a network that `mlp.py` supports from an ONNX file."""

import importlib
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.network.mlp import Mlp, compact, evaluate_all, new_activations
from pocketmars_env.core.game_spec import GameSpec

TOLERANCE = 1e-2
"""Absolute tolerance of the outputs: `CompactMlp` has 16-bit weights."""
CHECKED_GAMES = 8
CHECKED_STEPS = 8

OPPONENT_WIN_SPLIT = ("opponent_win_split", "rivals")
"""Names of the optional third output: the current one, and the one in older files."""

Evaluate = Callable[[NDArray[np.float32], NDArray[np.int8]], dict[str, NDArray[np.float32]]]


def read_mlp(content: bytes, evaluate_file: Evaluate, spec: GameSpec) -> Mlp | None:
    """Returns the network of a policy file; None if `mlp.py` does not support it or onnx is not installed.

    Args:
        content: content of the file, already loaded by onnxruntime.
        evaluate_file: returns the outputs of the file, see `PolicyAgent.outputs`; the outputs of the network
            must be equal.
        spec: the game of the policy.

    """
    try:
        onnx: Any = importlib.import_module("onnx")
    except ImportError:
        return None
    graph = onnx.load_model_from_string(content).graph
    constants = (attribute.t for node in graph.node for attribute in node.attribute)
    tensors = chain(graph.initializer, constants)
    if any(
        map(onnx.external_data_helper.uses_external_data, tensors)
    ):  # a policy file must not read other files
        return None
    mlp = Graph(graph, onnx.numpy_helper.to_array, spec).mlp()
    return mlp if mlp is not None and agrees(mlp, evaluate_file, spec) else None


class Graph:
    """An ONNX graph, parsed from its outputs to its inputs.

    Args:
        graph: a `GraphProto`.
        to_array: converts a tensor of the graph to an array.
        spec: the game of the policy.

    """

    def __init__(self, graph: Any, to_array: Callable[[Any], NDArray[Any]], spec: GameSpec) -> None:
        self._spec = spec
        self._makers = {output: node for node in graph.node for output in node.output}
        self._weights = {one.name: to_array(one) for one in graph.initializer}
        self._to_array = to_array

    def mlp(self) -> Mlp | None:
        """Returns the network; None unless it has layers of equal width and linear heads on the last one."""
        logits = self._linear(self._chosen("logits"))
        value = self._linear(self._without("value", ("Squeeze", "Reshape", "Flatten")))
        if logits is None or value is None or logits[0] != value[0]:
            return None
        inputs, layers = self._layers(logits[0])
        flags = self._flags(inputs)
        if (
            flags is None
            or not layers
            or not has_shapes(self._spec, len(flags[0]), layers, logits[1:], value[1:])
        ):
            return None
        opponent_win_split = self._opponent_win_split(logits[0], len(layers[0][1]))
        if opponent_win_split is None:
            return None
        width = len(layers[0][1])
        others = [weights.T for weights, _ in layers[1:]]
        return Mlp(
            columns=flags[0],
            cuts=flags[1],
            first=own(layers[0][0].T),
            others=own(np.stack(others)) if others else np.zeros((0, width, width), dtype=np.float32),
            biases=np.stack([bias for _, bias in layers]),
            logits=own(logits[1]),
            logit_biases=own(logits[2]),
            value=own(value[1][0]),
            value_bias=own(value[2]),
            opponent_win_split=own(opponent_win_split[0]),
            opponent_win_split_biases=own(opponent_win_split[1]),
        )

    def _opponent_win_split(self, features: str, width: int) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """Weights and biases of that head: empty if there is none; None if it is not supported."""
        name = next((name for name in OPPONENT_WIN_SPLIT if name in self._makers), None)
        if name is None:
            return np.zeros((0, width), dtype=np.float32), np.zeros(0, dtype=np.float32)
        opponent_win_split = self._linear(name)
        if (
            opponent_win_split is None
            or opponent_win_split[0] != features
            or not has_shape(opponent_win_split[1:], (self._spec.max_seats - 1, width))
        ):
            return None
        return opponent_win_split[1:]

    def _layers(self, name: str) -> tuple[str, list[tuple[NDArray[Any], NDArray[Any]]]]:
        """Name of the input of the hidden layers, and their weights and biases in order."""
        layers = []
        while self._kind(name) == "Relu":
            linear = self._linear(self._without(name, ("Relu",)))
            if linear is None:
                break
            name = linear[0]
            layers.append(linear[1:])
        return name, layers[::-1]

    def _flags(self, name: str) -> tuple[NDArray[np.int64], NDArray[np.float32]] | None:
        """Entries and thresholds of the flags appended to the observation; None if unsupported."""
        if name == "observation":
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        inputs = self._inputs(name, "Concat")
        if len(inputs) != 2 or inputs[0] != "observation":
            return None
        compared = self._inputs(self._without(inputs[1], ("Cast",)), "GreaterOrEqual")
        taken = self._inputs(compared[0], "Gather") if len(compared) == 2 else []
        if len(taken) != 2 or taken[0] != "observation":
            return None
        columns, cuts = self._constant(taken[1]), self._constant(compared[1])
        if columns is None or cuts is None or columns.shape != cuts.shape or columns.ndim != 1:
            return None
        if ((columns < 0) | (columns >= self._spec.observation_size)).any():  # kernels do not check bounds
            return None
        return columns.astype(np.int64), cuts.astype(np.float32)

    def _inputs(self, name: str, kind: str) -> list[str]:
        """The inputs of the node that computes an array; empty if the node is of another kind."""
        return list(self._makers[name].input) if self._kind(name) == kind else []

    def _constant(self, name: str) -> NDArray[Any] | None:
        """A constant array; None if the array is computed."""
        if self._kind(name) == "Constant":
            given = self._makers[name].attribute[0]
            return self._to_array(given.t) if given.name == "value" else None
        return self._weights.get(self._without(name, ("Identity",)))  # exporters merge equal arrays

    def _linear(self, name: str) -> tuple[str, NDArray[Any], NDArray[Any]] | None:
        """Input, weights ``(outputs, inputs)`` and bias of the linear layer that computes an array."""
        if len(self._inputs(name, "Gemm")) != 3:  # also without a bias
            return None
        node = self._makers[name]
        weights, bias = (self._constant(given) for given in node.input[1:])
        if weights is None or bias is None or weights.ndim != 2 or bias.ndim != 1:
            return None
        settings = {one.name: one.f if one.type == 1 else one.i for one in node.attribute}
        if settings.get("alpha", 1) != 1 or settings.get("beta", 1) != 1 or settings.get("transA", 0):
            return None
        return node.input[0], weights if settings.get("transB", 0) else weights.T, bias

    def _chosen(self, name: str) -> str:
        """The logits before the masking of illegal actions."""
        node = self._makers.get(name)
        return str(node.input[1]) if node is not None and node.op_type == "Where" else name

    def _without(self, name: str, kinds: tuple[str, ...]) -> str:
        """The input of a node of one of these kinds; otherwise the array itself."""
        return str(self._makers[name].input[0]) if self._kind(name) in kinds else name

    def _kind(self, name: str) -> str:
        return str(self._makers[name].op_type) if name in self._makers else ""


def own(array: NDArray[Any]) -> NDArray[Any]:
    """Returns a writable copy, as a kernel is compiled again for read-only arrays."""
    return np.array(array, order="C")


def has_shapes(spec: GameSpec, flags: int, layers: Any, logits: Any, value: Any) -> bool:
    """Whether weights and biases, all float32, have the shapes of an `Mlp`."""
    width = len(layers[0][1])
    expected = [
        (width, spec.observation_size + flags),
        *[(width, width)] * (len(layers) - 1),
        (spec.num_actions, width),
        (1, width),
    ]
    return all(map(has_shape, [*layers, logits, value], expected))


def has_shape(linear: Any, shape: tuple[int, int]) -> bool:
    """Whether the weights of a linear layer have this shape, the biases fit, and all are float32."""
    weights, bias = linear
    return bool(
        weights.shape == shape and bias.shape == shape[:1] and weights.dtype == bias.dtype == np.float32
    )


def agrees(mlp: Mlp, evaluate_file: Evaluate, spec: GameSpec) -> bool:
    """Whether a network and the file compute the same outputs for positions of random games."""
    games, network = spec.games(CHECKED_GAMES, seed=0), compact(mlp)
    buffer = new_activations(mlp, spec.max_seats)
    for _ in range(CHECKED_STEPS):
        observations, masks = games.observe()
        expected = evaluate_file(observations, masks)
        if (len(mlp.opponent_win_split) > 0) != (OPPONENT_WIN_SPLIT[0] in expected):
            return False  # the output of that name has another meaning
        found = {name: np.zeros_like(array) for name, array in expected.items()}
        for row in range(CHECKED_GAMES):
            one = slice(row, row + 1)
            outputs = found["logits"][one], found["value"][one]
            evaluate_all(observations[one], masks[one], network, buffer, *outputs)
            if OPPONENT_WIN_SPLIT[0] in found:
                found[OPPONENT_WIN_SPLIT[0]][row] = buffer.opponent_win_split
        for array in (found["logits"], expected["logits"]):
            array[masks == 0] = 0
        if not all(np.allclose(found[name], expected[name], atol=TOLERANCE) for name in expected):
            return False
        games.step(games.random_actions(), ~games.over)
    return True
