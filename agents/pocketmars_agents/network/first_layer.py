"""The first layer of a network, computed for a batch of observations with a lookup table."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.network.mlp import Mlp, cut_negative
from pocketmars_env.core.compiled.compiling import arithmetic_kernel, entry_point, kernel
from pocketmars_env.core.compiled.signatures import Matrix, Vector

AT_ONCE = 4
"""Number of table rows that are added in one pass; a row with a factor of 0 fills up an incomplete group."""


class FirstLayer(NamedTuple):
    """The contributions of the observation's entries to the outputs of a network's first layer.

    An entry with flags (see `Mlp`) has one row for each possible count except 0. Any other entry has a single
    row, for the count 1; it is multiplied by the actual count.
    """

    table: Matrix[np.float32]  # (rows, width)
    starts: Vector[np.int64]  # (OBSERVATION_SIZE,) the index of the first row of each entry
    has_flags: Vector[np.bool_]  # (OBSERVATION_SIZE,)
    biases: Vector[np.float32]  # (width,)


def first_layer_of(mlp: Mlp, scales: NDArray[np.float32]) -> FirstLayer:
    """Return a network's first layer as a lookup table."""
    has_flags = np.isin(np.arange(len(scales)), mlp.columns)
    sizes = np.where(has_flags, np.rint(1 / scales).astype(np.int64), 1)  # counts are at most 1 / scale
    starts = np.cumsum(sizes) - sizes
    entries = np.repeat(np.arange(len(scales)), sizes)
    values = (np.arange(len(entries)) - starts[entries] + 1).astype(np.float32) * scales[entries]
    table = values[:, None] * mlp.first[entries]
    for flag, (column, cut) in enumerate(zip(mlp.columns, mlp.cuts)):
        rows = slice(starts[column], starts[column] + sizes[column])
        table[rows][values[rows] >= cut] += mlp.first[len(scales) + flag]
    return FirstLayer(table, starts, has_flags, mlp.biases[0])


def first_layer_outputs(counts: NDArray[np.uint8], layer: FirstLayer) -> NDArray[np.float32]:
    """Return the outputs of the first layer after its ReLU, ``(n, width)`` float32.

    Only about 100 entries of an observation are nonzero. Adding up their rows of the table is therefore
    faster than a matrix multiplication.

    Args:
        counts: ``(n, OBSERVATION_SIZE)`` uint8, the unscaled observations.
        layer: the first layer.

    """
    outputs = np.empty((len(counts), len(layer.biases)), dtype=np.float32)
    size = counts.shape[1] + AT_ONCE
    write_outputs(counts, layer, np.empty(size, np.int64), np.empty(size, np.float32), outputs)
    return outputs


@entry_point
def write_outputs(
    counts: Matrix[np.uint8],
    layer: FirstLayer,
    rows: Vector[np.int64],
    factors: Vector[np.float32],
    out: Matrix[np.float32],
) -> None:
    """Write the outputs described in `first_layer_outputs` into `out`; `rows` and `factors` are buffers."""
    for k in range(len(counts)):
        number = find_rows(counts[k], layer.starts, layer.has_flags, rows, factors)
        out[k] = layer.biases
        add_rows(layer.table, rows, factors, number, out[k])
        cut_negative(out[k])


@kernel
def find_rows(counts: Any, starts: Any, has_flags: Any, rows: Any, factors: Any) -> int:
    """Write the table rows of an observation and their factors; return their number, a multiple of 4."""
    number = 0
    for entry in range(len(counts)):  # this loop has no branches, which could not be predicted
        rows[number] = entry
        number += counts[entry] != 0
    for k in range(number):
        entry, count = rows[k], counts[rows[k]]
        rows[k] = starts[entry] + (count - 1 if has_flags[entry] else 0)
        factors[k] = 1 if has_flags[entry] else count
    whole = number + -number % AT_ONCE
    for k in range(number, whole):
        rows[k], factors[k] = 0, 0
    return whole


@arithmetic_kernel
def add_rows(table: Any, rows: Any, factors: Any, number: int, out: Any) -> None:
    """Add rows of the table, multiplied by their factors, to `out`."""
    for k in range(0, number, AT_ONCE):
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        by_a, by_b, by_c, by_d = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
        for j in range(len(out)):
            out[j] += by_a * table[a, j] + by_b * table[b, j] + by_c * table[c, j] + by_d * table[d, j]
