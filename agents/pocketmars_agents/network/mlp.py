"""Multilayer perceptrons, compiled: a search can ask one about a single position, without leaving the kernel.

Most of an observation is zeros, and so is about half of what a layer passes on: rows of weights that
would be multiplied by zero are left out. What a seat sees in the positions of one search differs in few
entries, so the first layer's sums are those of the first of them, and what has changed is added (Nasu,
"Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018). That is many
times quicker than a call of onnxruntime for a few positions.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.compiling import arithmetic_kernel, entry_point, kernel
from pocketmars_env.core.game_spec import GameSpec

AT_ONCE = 4
"""Rows of weights that are added in one pass."""
LARGEST = np.iinfo(np.int16).max
TINY = np.finfo(np.float32).tiny
"""The least unit of a row of weights: that of a row of zeros."""


class Mlp(NamedTuple):
    """Hidden layers of one width, each followed by a ReLU; then logits, value and rivals, all linear.

    The first layer sees the observation, and flags behind it: whether entries of it are large enough.
    Not every network has been taught about rivals: ``rivals`` is 0, or ``MAX_SEATS - 1``.
    """

    columns: NDArray[np.int64]  # (flags,) the entry of each
    cuts: NDArray[np.float32]  # (flags,) what it must be at least
    first: NDArray[np.float32]  # (OBSERVATION_SIZE + flags, width)
    others: NDArray[np.float32]  # (layers - 1, width, width): of every layer a row for each of its inputs
    biases: NDArray[np.float32]  # (layers, width)
    logits: NDArray[np.float32]  # (NUM_ACTIONS, width)
    logit_biases: NDArray[np.float32]  # (NUM_ACTIONS,)
    value: NDArray[np.float32]  # (width,)
    value_bias: NDArray[np.float32]  # (1,)
    opponent_win_split: NDArray[
        np.float32
    ]  # (rivals, width): who gets what the asked seat does not, in turn order
    opponent_win_split_biases: NDArray[np.float32]  # (rivals,)


class CompactMlp(NamedTuple):
    """A network as the kernels compute it: half as large where most of the time goes.

    A row of weights is kept as integers up to 32,767 and their unit, so each weight differs from the
    network's by less than 1/65,000 of the largest in its row.
    """

    mlp: Mlp
    others: NDArray[np.int16]  # (layers - 1, width, width)
    units: NDArray[np.float32]  # (layers - 1, width) of the rows


class Activations(NamedTuple):
    """What a network works with; overwritten."""

    inputs: NDArray[np.float32]  # (OBSERVATION_SIZE + flags,)
    first_inputs: NDArray[np.float32]  # (MAX_SEATS, OBSERVATION_SIZE + flags) of each seat; zeros before
    first_sums: NDArray[np.float32]  # (MAX_SEATS, width) that the first layer makes of them
    has_seen: NDArray[np.bool_]  # (MAX_SEATS,)
    nothing: NDArray[np.float32]  # (width,) zeros, for the other layers
    layers: NDArray[np.float32]  # (layers, width)
    used: NDArray[np.int64]  # (most inputs of a layer,) the inputs that are not 0
    logits: NDArray[np.float32]  # (NUM_ACTIONS,) of the legal actions; the others keep what they were
    opponent_win_split: NDArray[np.float32]  # (rivals,) logits of the shares of the seats that follow


def blank_mlp(
    spec: GameSpec, layers: int = 1, width: int = 1, flags: int = 0, opponent_win_split: int = 0
) -> Mlp:
    """A network of zeros for a game."""
    return Mlp(
        columns=np.zeros(flags, dtype=np.int64),
        cuts=np.zeros(flags, dtype=np.float32),
        first=np.zeros((spec.observation_size + flags, width), dtype=np.float32),
        others=np.zeros((layers - 1, width, width), dtype=np.float32),
        biases=np.zeros((layers, width), dtype=np.float32),
        logits=np.zeros((spec.num_actions, width), dtype=np.float32),
        logit_biases=np.zeros(spec.num_actions, dtype=np.float32),
        value=np.zeros(width, dtype=np.float32),
        value_bias=np.zeros(1, dtype=np.float32),
        opponent_win_split=np.zeros((opponent_win_split, width), dtype=np.float32),
        opponent_win_split_biases=np.zeros(opponent_win_split, dtype=np.float32),
    )


def compact(mlp: Mlp) -> CompactMlp:
    """A network in the form that the kernels compute, see `CompactMlp`."""
    largest = np.abs(mlp.others).max(axis=2, initial=0)
    units = np.maximum(largest / LARGEST, TINY).astype(np.float32)
    return CompactMlp(mlp, np.rint(mlp.others / units[:, :, None]).astype(np.int16), units)


def new_activations(mlp: Mlp, max_seats: int) -> Activations:
    """Room for one search, in a game of so many seats at most."""
    layers, width = mlp.biases.shape
    inputs = len(mlp.first)
    return Activations(
        inputs=np.zeros(inputs, dtype=np.float32),
        first_inputs=np.zeros((max_seats, inputs), dtype=np.float32),
        first_sums=np.tile(mlp.biases[0], (max_seats, 1)),
        has_seen=np.zeros(max_seats, dtype=np.bool_),
        nothing=np.zeros(width, dtype=np.float32),
        layers=np.zeros((layers, width), dtype=np.float32),
        used=np.zeros(max(inputs, width), dtype=np.int64),
        logits=np.zeros(len(mlp.logits), dtype=np.float32),
        opponent_win_split=np.zeros(len(mlp.opponent_win_split), dtype=np.float32),
    )


@entry_point
def evaluate_all(observations: Any, masks: Any, network: Any, room: Any, logits: Any, values: Any) -> None:
    """Write what a network says of `n` positions of one seat.

    Args:
        observations: ``(n, OBSERVATION_SIZE)`` float32.
        masks: ``(n, NUM_ACTIONS)`` int8.
        network: `CompactMlp`.
        room: `Activations`.
        logits: ``(n, NUM_ACTIONS)`` float32; those of illegal actions are left as they are.
        values: ``(n,)`` float32.

    """
    for row in range(len(observations)):
        values[row] = evaluate(observations[row], masks[row], 0, network, room)
        for action in range(masks.shape[1]):
            if masks[row, action] != 0:
                logits[row, action] = room.logits[action]


@kernel
def evaluate(observation: Any, mask: Any, seat: int, network: Any, room: Any) -> Any:
    """Write ``room.rivals``, and the logits of the legal actions into ``room.logits``.

    Returns the value (float32): the final reward that the asked seat can expect.

    Args:
        observation: ``(OBSERVATION_SIZE,)`` float32.
        mask: ``(NUM_ACTIONS,)`` int8.
        seat: that sees it.
        network: `CompactMlp`.
        room: `Activations`; has been used with no other network.

    """
    mlp, inputs = network.mlp, room.inputs
    for entry in range(len(observation)):
        inputs[entry] = observation[entry]
    for flag in range(len(mlp.columns)):
        inputs[len(observation) + flag] = 1 if observation[mlp.columns[flag]] >= mlp.cuts[flag] else 0
    sums = room.layers[0]
    write_sums(inputs, room.first_inputs[seat], room.first_sums[seat], mlp.first, room.used, sums)
    if not room.has_seen[seat]:
        room.has_seen[seat] = True
        room.first_inputs[seat] = inputs
        room.first_sums[seat] = sums
    cut_negative(sums)
    for layer in range(1, len(mlp.biases)):
        before, sums = sums, room.layers[layer]
        multiply(before, network.units[layer - 1])
        write_sums(before, room.nothing, mlp.biases[layer], network.others[layer - 1], room.used, sums)
        cut_negative(sums)
    last = room.layers[len(mlp.biases) - 1]
    for action in range(len(mask)):
        if mask[action] != 0:
            room.logits[action] = dot(mlp.logits[action], last) + mlp.logit_biases[action]
    for rival in range(len(mlp.opponent_win_split)):
        room.opponent_win_split[rival] = (
            dot(mlp.opponent_win_split[rival], last) + mlp.opponent_win_split_biases[rival]
        )
    return dot(mlp.value, last) + mlp.value_bias[0]


@arithmetic_kernel
def write_sums(inputs: Any, old: Any, old_sums: Any, weights: Any, used: Any, out: Any) -> None:
    """Write ``old_sums + (inputs - old) @ weights`` into `out`; the weights are float32 or int16."""
    number = 0
    for i in range(len(inputs)):
        if inputs[i] != old[i]:
            used[number] = i
            number += 1
    for j in range(len(out)):
        out[j] = old_sums[j]
    whole = number - number % AT_ONCE
    for k in range(0, whole, AT_ONCE):
        a, b, c, d = used[k], used[k + 1], used[k + 2], used[k + 3]
        by_a, by_b = inputs[a] - old[a], inputs[b] - old[b]
        by_c, by_d = inputs[c] - old[c], inputs[d] - old[d]
        for j in range(len(out)):
            out[j] += (
                by_a * np.float32(weights[a, j])
                + by_b * np.float32(weights[b, j])
                + by_c * np.float32(weights[c, j])
                + by_d * np.float32(weights[d, j])
            )
    for k in range(whole, number):
        for j in range(len(out)):
            out[j] += (inputs[used[k]] - old[used[k]]) * np.float32(weights[used[k], j])


@arithmetic_kernel
def cut_negative(numbers: Any) -> None:
    """ReLU, in place."""
    for j in range(len(numbers)):
        numbers[j] = max(numbers[j], np.float32(0.0))


@arithmetic_kernel
def multiply(numbers: Any, factors: Any) -> None:
    """Multiply each number by its factor, in place."""
    for j in range(len(numbers)):
        numbers[j] *= factors[j]


@arithmetic_kernel
def dot(one: Any, other: Any) -> Any:
    """The scalar product (float32) of two float32 vectors of one length."""
    total = np.float32(0.0)
    for j in range(len(one)):
        total += one[j] * other[j]
    return total
