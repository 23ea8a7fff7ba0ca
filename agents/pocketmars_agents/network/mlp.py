"""Compiled multilayer perceptrons, with which search kernels evaluate one position at a time.

For a small number of positions, this module is many times faster than onnxruntime. A layer's weights have
one row per input, and the rows of inputs that are 0 are skipped: most entries of an observation and about
half of the activations of a hidden layer are 0. Within one search, a seat's observations differ in only a few
entries. Therefore, the full sums of the first layer are computed only for the seat's first observation. For
each later observation, only the effect of the entries that differ from the first observation or, in rollouts,
from the previous one is added (Nasu, "Efficiently updatable neural-network-based evaluation functions for
computer shogi", 2018).
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.compiling import arithmetic_kernel, entry_point, kernel
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.game_spec import GameSpec

BLOCK = 16
"""Number of inputs that are compared at once; most blocks do not change and are skipped."""
AT_ONCE = 4
"""Number of weight rows that are added to the sums in one pass; remaining rows are added one by one."""
LARGEST = np.iinfo(np.int16).max
TINY = np.finfo(np.float32).tiny
"""Lower bound of the unit (scale factor) of a weight row; it prevents division by 0 for a row of zeros."""


class Mlp(NamedTuple):
    """Network with linear heads on ReLU layers of equal width.

    The input is the observation followed by flags, each of which compares an entry of the observation with a
    threshold. The heads are the logits of the actions, the value (the expected final reward) and, optionally,
    `opponent_win_split`: logits that predict how the opponents' total win probability is split among them. In
    the shapes below, ``opponents`` is ``MAX_SEATS - 1``, or 0 without the head `opponent_win_split`.
    """

    columns: Vector[np.int64]  # (flags,) indices of the compared entries of the observation, ascending
    cuts: Vector[
        np.float32
    ]  # (flags,) thresholds above 0: a flag is 1 if its entry is at least its threshold
    first: Matrix[np.float32]  # (OBSERVATION_SIZE + flags, width)
    others: Annotated[NDArray[np.float32], 3]  # (layers - 1, width, width), with one row per input
    biases: Matrix[np.float32]  # (layers, width)
    logits: Matrix[np.float32]  # (NUM_ACTIONS, width)
    logit_biases: Vector[np.float32]  # (NUM_ACTIONS,)
    value: Vector[np.float32]  # (width,)
    value_bias: Vector[np.float32]  # (1,)
    opponent_win_split: Matrix[np.float32]  # (opponents, width), in turn order
    opponent_win_split_biases: Vector[np.float32]  # (opponents,)


class CompactMlp(NamedTuple):
    """A network with 16-bit weights in all hidden layers after the first.

    The layers after the first take most of the computing time. Each of their weight rows is stored as
    integers in -32,767..32,767 and one scale factor, the row's unit.
    The error of a weight is at most 1/65,000 of the largest absolute weight in its row.
    """

    mlp: Mlp
    others: Annotated[NDArray[np.int16], 3]  # (layers - 1, width, width)
    units: Matrix[np.float32]  # (layers - 1, width) units of the rows


class Activations(NamedTuple):
    """Buffers for the evaluation of a network."""

    inputs: Vector[np.float32]  # (OBSERVATION_SIZE + flags,)
    first_inputs: Matrix[np.float32]  # (MAX_SEATS, OBSERVATION_SIZE + flags) by seat, initially 0
    first_sums: Matrix[np.float32]  # (MAX_SEATS, width) first-layer sums for `first_inputs`
    has_first: Vector[np.bool_]  # (MAX_SEATS,) whether `first_inputs` of the seat is set
    flags_of: Vector[np.int64]  # (OBSERVATION_SIZE + 1,) index of the first flag of each entry
    nothing: Vector[np.float32]  # (width,) zeros, used as the old inputs of layers after the first
    layers: Matrix[np.float32]  # (layers, width)
    used: Vector[np.int64]  # (largest number of inputs of a layer,) indices of the changed inputs
    logits: Vector[np.float32]  # (NUM_ACTIONS,) only those of legal actions are written
    opponent_win_split: Vector[np.float32]  # (opponents,) logits


def check_sizes(mlp: Mlp, spec: GameSpec) -> None:
    """Raise a ValueError unless a network has the observation size and the number of actions of a game."""
    sizes = len(mlp.first) - len(mlp.columns), len(mlp.logits)
    if sizes != (spec.observation_size, spec.num_actions):
        raise ValueError(
            f"the network is for {sizes[0]:,} inputs and {sizes[1]:,} actions; {spec.title} has "
            f"{spec.observation_size:,} and {spec.num_actions:,}"
        )


def compact(mlp: Mlp) -> CompactMlp:
    """Return the network with 16-bit weights; see `CompactMlp`."""
    largest = np.abs(mlp.others).max(axis=2, initial=0)
    units = np.maximum(largest / LARGEST, TINY).astype(np.float32)
    return CompactMlp(mlp, np.rint(mlp.others / units[:, :, None]).astype(np.int16), units)


def new_activations(mlp: Mlp, max_seats: int) -> Activations:
    """Return new buffers for the evaluation of a network in games with up to `max_seats` seats."""
    layers, width = mlp.biases.shape
    inputs = len(mlp.first)
    return Activations(
        inputs=np.zeros(inputs, dtype=np.float32),
        first_inputs=np.zeros((max_seats, inputs), dtype=np.float32),
        first_sums=np.tile(mlp.biases[0], (max_seats, 1)),
        has_first=np.zeros(max_seats, dtype=np.bool_),
        flags_of=np.searchsorted(mlp.columns, np.arange(inputs - len(mlp.columns) + 1)),
        nothing=np.zeros(width, dtype=np.float32),
        layers=np.zeros((layers, width), dtype=np.float32),
        used=np.zeros(max(inputs, width) + 1, dtype=np.int64),
        logits=np.zeros(len(mlp.logits), dtype=np.float32),
        opponent_win_split=np.zeros(len(mlp.opponent_win_split), dtype=np.float32),
    )


@entry_point
def evaluate_all(
    observations: Matrix[np.float32],
    masks: Matrix[np.int8],
    network: CompactMlp,
    buffer: Activations,
    logits: Matrix[np.float32],
    values: Vector[np.float32],
) -> None:
    """Write the logits and values of `n` positions into `logits` and `values`.

    Args:
        observations: ``(n, OBSERVATION_SIZE)``.
        masks: ``(n, NUM_ACTIONS)``.
        network: the network.
        buffer: buffers for this network; after the call, they contain the `opponent_win_split` of the last
            position.
        logits: ``(n, NUM_ACTIONS)``; logits of illegal actions are not written.
        values: ``(n,)``.

    """
    for row in range(len(observations)):
        values[row] = evaluate(observations[row], masks[row], 0, False, network, buffer)
        for action in range(masks.shape[1]):
            if masks[row, action] != 0:
                logits[row, action] = buffer.logits[action]


@kernel
def evaluate(observation: Any, mask: Any, seat: int, is_next: bool, network: Any, buffer: Any) -> Any:
    """Write the logits of the legal actions and, if present, `opponent_win_split` into `buffer`.

    Return the value (float32), which is the expected final reward of the seat to play.

    Args:
        observation: ``(OBSERVATION_SIZE,)`` float32.
        mask: ``(NUM_ACTIONS,)`` int8.
        seat: the row of `first_inputs` and `first_sums` to use; in a search, the seat to play.
        is_next: whether later evaluations for this seat start from this observation.
        network: `CompactMlp`.
        buffer: `Activations`, which must not be shared between networks.

    """
    mlp, inputs, sums = network.mlp, buffer.inputs, buffer.layers[0]
    old, old_sums = buffer.first_inputs[seat], buffer.first_sums[seat]
    number = write_inputs(observation, mlp, buffer, old)
    add_rows(inputs, old, old_sums, mlp.first, buffer.used, number, sums)
    if is_next or not buffer.has_first[seat]:
        buffer.has_first[seat] = True
        for k in range(number):
            old[buffer.used[k]] = inputs[buffer.used[k]]
        copy_to(old_sums, sums)
    cut_negative(sums)
    for layer in range(1, len(mlp.biases)):
        before, sums = sums, buffer.layers[layer]
        multiply(before, network.units[layer - 1])
        number = find_changes(before, buffer.nothing, buffer.used)
        weights, biases = network.others[layer - 1], mlp.biases[layer]
        add_rows(before, buffer.nothing, biases, weights, buffer.used, number, sums)
        cut_negative(sums)
    last = buffer.layers[len(mlp.biases) - 1]
    for action in range(len(mask)):
        if mask[action] != 0:
            buffer.logits[action] = dot(mlp.logits[action], last) + mlp.logit_biases[action]
    for opponent in range(len(mlp.opponent_win_split)):
        buffer.opponent_win_split[opponent] = (
            dot(mlp.opponent_win_split[opponent], last) + mlp.opponent_win_split_biases[opponent]
        )
    return dot(mlp.value, last) + mlp.value_bias[0]


@kernel
def copy_to(target: Any, source: Any) -> None:
    """Copy `source` into `target`; unlike a slice assignment, this loop cannot raise an exception."""
    for i in range(len(source)):
        target[i] = source[i]


@kernel
def write_inputs(observation: Any, mlp: Any, buffer: Any, old: Any) -> int:
    """Write the inputs that differ from `old`, and their indices to ``buffer.used``; return the number."""
    inputs, used, flags_of = buffer.inputs, buffer.used, buffer.flags_of
    entries = len(observation)
    number = changed = find_changes(observation, old, used)
    for k in range(changed):
        entry = used[k]
        inputs[entry] = observation[entry]
        for flag in range(flags_of[entry], flags_of[entry + 1]):
            place = entries + flag
            inputs[place] = 1 if observation[entry] >= mlp.cuts[flag] else 0
            used[number] = place
            number += 1 if inputs[place] != old[place] else 0
    return number


@kernel
def find_changes(inputs: Any, old: Any, used: Any) -> int:
    """Write the indices of the inputs that differ from `old` into `used`; return their number."""
    number, whole = 0, len(inputs) - len(inputs) % BLOCK
    for first in range(0, whole, BLOCK):
        differs = False
        for i in range(first, first + BLOCK):
            differs |= inputs[i] != old[i]
        if differs:
            for i in range(first, first + BLOCK):
                used[number] = i
                number += 1 if inputs[i] != old[i] else 0
    for i in range(whole, len(inputs)):
        used[number] = i
        number += 1 if inputs[i] != old[i] else 0
    return number


@arithmetic_kernel
def add_rows(inputs: Any, old: Any, old_sums: Any, weights: Any, used: Any, number: int, out: Any) -> None:
    """Write ``old_sums + (inputs - old) @ weights`` into `out`; `weights` is float32 or int16.

    ``used[:number]`` contains the indices of the inputs that differ from `old`.
    """
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
    """Apply ReLU in place."""
    for j in range(len(numbers)):
        numbers[j] = max(numbers[j], np.float32(0.0))


@arithmetic_kernel
def multiply(numbers: Any, factors: Any) -> None:
    """Multiply each number by its factor in place."""
    for j in range(len(numbers)):
        numbers[j] *= factors[j]


@arithmetic_kernel
def dot(one: Any, other: Any) -> Any:
    """Return the dot product (float32) of two float32 vectors of equal length."""
    total = np.float32(0.0)
    for j in range(len(one)):
        total += one[j] * other[j]
    return total
