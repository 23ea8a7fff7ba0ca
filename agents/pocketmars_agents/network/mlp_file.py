"""Reader for ONNX files of networks that `mlp.py` supports."""

import importlib
from collections.abc import Callable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.network.mlp import Mlp, compact, evaluate_all, new_activations
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games

TOLERANCE = 1e-2
"""Maximum accepted difference between an output of a `CompactMlp` and that of its ONNX file.

The outputs differ because a `CompactMlp` has rounded weights.
"""
CHECKED_GAMES = 8
CHECKED_STEPS = 8

OPPONENT_WIN_SPLIT = ("opponent_win_split", "rivals")
"""Names of the optional third output: the current name, and the name in older files."""

Evaluate = Callable[[NDArray[np.float32], NDArray[np.int8]], dict[str, NDArray[np.float32]]]


def read_mlp(content: bytes, evaluate_file: Evaluate, spec: GameSpec) -> Mlp | None:
    """Return the network in a policy file, or None if the network cannot be used.

    The result is None if onnx is not installed, if `mlp.py` does not support the network, if the file refers
    to other files, or if the outputs of the network differ too much from those of `evaluate_file`; see
    `agrees`.
    """
    try:
        onnx: Any = importlib.import_module("onnx")
    except ImportError:
        return None
    graph = onnx.load_model_from_string(content).graph
    constants = (attribute.t for node in graph.node for attribute in node.attribute)
    tensors = chain(graph.initializer, constants)
    if any(map(onnx.external_data_helper.uses_external_data, tensors)):
        return None  # loading a policy must not read other files
    try:
        mlp = Graph(graph, onnx.numpy_helper.to_array, spec).mlp()
    except UnsupportedError:
        return None
    return mlp if agrees(mlp, evaluate_file, spec) else None


class UnsupportedError(Exception):
    """Raised if an ONNX graph does not have the form of an `Mlp`."""


class Linear(NamedTuple):
    """A linear layer."""

    inputs: str  # the name of the input array
    weights: NDArray[Any]  # (outputs, inputs)
    bias: NDArray[Any]  # (outputs,)


class Graph:
    """An ONNX graph, which the method `mlp` parses from the outputs back to the input."""

    def __init__(self, graph: Any, to_array: Callable[[Any], NDArray[Any]], spec: GameSpec) -> None:
        self._spec = spec
        self._makers = {output: node for node in graph.node for output in node.output}
        self._weights = {tensor.name: tensor for tensor in graph.initializer}
        self._to_array = to_array

    def mlp(self) -> Mlp:
        """Return the network; raise an UnsupportedError if the graph does not have the form of an `Mlp`."""
        spec = self._spec
        logits = self._linear(self._without("logits", ("Where",), 1))  # the logits before masking
        value = self._linear(self._without("value", ("Squeeze", "Reshape", "Flatten")))
        split = [self._linear(name) for name in OPPONENT_WIN_SPLIT if name in self._makers][:1]
        inputs, layers = self._layers(logits.inputs)
        columns, cuts = self._flags(inputs)
        require(len(layers) > 0)
        width, heads = len(layers[0].bias), [logits, value, *split]
        require(all(head.inputs == logits.inputs for head in heads))
        shapes = [(width, spec.observation_size + len(columns)), *[(width, width)] * (len(layers) - 1)]
        shapes += [(spec.num_actions, width), (1, width), (spec.max_seats - 1, width)]
        require(all(map(has_shape, [*layers, *heads], shapes)))
        empty = Linear("", np.zeros((0, width), dtype=np.float32), np.zeros(0, dtype=np.float32))
        (opponents,) = split or [empty]
        others = [layer.weights.T for layer in layers[1:]]
        return Mlp(
            columns=columns,
            cuts=cuts,
            first=contiguous(layers[0].weights.T),
            others=contiguous(np.stack(others)) if others else np.zeros((0, width, width), dtype=np.float32),
            biases=np.stack([layer.bias for layer in layers]),
            logits=contiguous(logits.weights),
            logit_biases=contiguous(logits.bias),
            value=contiguous(value.weights[0]),
            value_bias=contiguous(value.bias),
            opponent_win_split=contiguous(opponents.weights),
            opponent_win_split_biases=contiguous(opponents.bias),
        )

    def _layers(self, name: str) -> tuple[str, list[Linear]]:
        """Return the input's name and the hidden layers that compute the array `name` from this input.

        The layers are listed from the first to the last.
        """
        layers: list[Linear] = []
        while self._op_type(name) == "Relu":
            layers.insert(0, self._linear(self._without(name, ("Relu",))))
            name = layers[0].inputs
        return name, layers

    def _flags(self, name: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return `columns` and `cuts` of the `Mlp` whose input is the array `name`.

        Both arrays are empty if the network's input contains no flags; see `Mlp`.
        """
        if name == "observation":
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        observation, flags = self._two_inputs(name, "Concat")
        gathered, thresholds = self._two_inputs(self._without(flags, ("Cast",)), "GreaterOrEqual")
        taken, entries = self._two_inputs(gathered, "Gather")
        columns, cuts = self._constant(entries), self._constant(thresholds)
        require(observation == taken == "observation" and columns.shape == cuts.shape and columns.ndim == 1)
        # the kernels do not check bounds, so an invalid index would read other memory
        require(bool(((columns >= 0) & (columns < self._spec.observation_size)).all()))
        require(bool((np.diff(columns) >= 0).all() and (cuts > 0).all()))  # as the kernels assume
        return columns.astype(np.int64), cuts.astype(np.float32)

    def _two_inputs(self, name: str, op_type: str) -> tuple[str, str]:
        """Return the names of the two inputs of the node of type `op_type` that computes the array `name`."""
        require(self._op_type(name) == op_type and len(self._makers[name].input) == 2)
        first, second = self._makers[name].input
        return str(first), str(second)

    def _constant(self, name: str) -> NDArray[Any]:
        """Return the constant array with this name."""
        if self._op_type(name) == "Constant":
            attribute = self._makers[name].attribute[0]
            require(attribute.name == "value")
            return self._array(attribute.t)
        stored = self._without(name, ("Identity",))  # exporters store equal arrays only once
        require(stored in self._weights)
        return self._array(self._weights[stored])

    def _array(self, tensor: Any) -> NDArray[Any]:
        """Return a tensor of the graph as an array."""
        try:
            return self._to_array(tensor)
        except Exception as error:  # onnx raises many types of exception
            raise UnsupportedError from error

    def _linear(self, name: str) -> Linear:
        """Return the linear layer that computes the array `name`."""
        require(self._op_type(name) == "Gemm" and len(self._makers[name].input) == 3)  # with a bias
        node = self._makers[name]
        weights, bias = (self._constant(operand) for operand in node.input[1:])
        settings = {
            attribute.name: attribute.f if attribute.type == 1 else attribute.i
            for attribute in node.attribute
        }
        require(weights.ndim == 2 and bias.ndim == 1)
        require(settings.get("alpha", 1) == settings.get("beta", 1) == 1 and not settings.get("transA", 0))
        return Linear(str(node.input[0]), weights if settings.get("transB", 0) else weights.T, bias)

    def _without(self, name: str, op_types: tuple[str, ...], number: int = 0) -> str:
        """Return `name` or, if a node with a type in `op_types` computes it, that node's input `number`."""
        return str(self._makers[name].input[number]) if self._op_type(name) in op_types else name

    def _op_type(self, name: str) -> str:
        return str(self._makers[name].op_type) if name in self._makers else ""


def require(is_supported: bool) -> None:
    """Raise an UnsupportedError if `is_supported` is false."""
    if not is_supported:
        raise UnsupportedError


def contiguous(array: NDArray[Any]) -> NDArray[Any]:
    """Return a writable, C-contiguous copy; for any other kind of array, kernels would be compiled again."""
    return np.array(array, order="C")


def has_shape(linear: Linear, shape: tuple[int, int]) -> bool:
    """Return whether a linear layer has weights of this shape and matching biases, all float32."""
    _, weights, bias = linear
    return bool(
        weights.shape == shape and bias.shape == shape[:1] and weights.dtype == bias.dtype == np.float32
    )


def agrees(mlp: Mlp, evaluate_file: Evaluate, spec: GameSpec) -> bool:
    """Return whether a network and its file have nearly the same outputs for positions from random games.

    Differences up to `TOLERANCE` are accepted, and the logits of illegal actions are ignored.
    """
    games, network = Games(CHECKED_GAMES, spec, seed=0), compact(mlp)
    buffer = new_activations(mlp, spec.max_seats)
    for _ in range(CHECKED_STEPS):
        observations, masks = games.observe()
        expected = evaluate_file(observations, masks)
        if (len(mlp.opponent_win_split) > 0) != (OPPONENT_WIN_SPLIT[0] in expected):
            return False  # only the network or only the file has this output
        actual = {name: np.zeros_like(array) for name, array in expected.items()}
        for row in range(CHECKED_GAMES):
            rows = slice(row, row + 1)
            outputs = actual["logits"][rows], actual["value"][rows]
            evaluate_all(observations[rows], masks[rows], network, buffer, *outputs)
            if OPPONENT_WIN_SPLIT[0] in actual:
                actual[OPPONENT_WIN_SPLIT[0]][row] = buffer.opponent_win_split
        for array in (actual["logits"], expected["logits"]):
            array[masks == 0] = 0
        if not all(np.allclose(actual[name], expected[name], atol=TOLERANCE) for name in expected):
            return False
        games.step(games.random_actions(), ~games.over)
    return True
