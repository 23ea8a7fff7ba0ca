"""Random damage to JSON-serializable data."""

import copy
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

Path = tuple[Any, ...]

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, -1, 3, 7, 8, 34, 35, 64, 127, 128, -129, 255,
    2**31, 2**63, -(2**63), 2**64, 10**400,
    0.0, 1.0, 0.5, -1.5, math.inf, math.nan, "", "0", "TURN", "solo", "\x00",
    "é" * 9, [], {}, [[]], [[[[]]]], [0], {"a": 1},
)  # fmt: skip
"""Values that replace other values."""


def mutated(data: Any, rng: np.random.Generator) -> Any:
    """Return a copy of `data` with one random change to a value or key."""
    root = [copy.deepcopy(data)]
    path = list(paths(root))[int(rng.integers(1, sum(1 for _ in paths(root))))]
    parent = at(root, path[:-1])
    key = path[-1]
    kind = int(rng.integers(6))
    if kind == 0 and len(path) > 1:
        del parent[key]
    elif kind == 1 and isinstance(parent, list) and len(path) > 1:
        parent.insert(int(rng.integers(len(parent) + 1)), copy.deepcopy(parent[key]))
    elif kind == 2:
        places = list(paths(root))
        parent[key] = copy.deepcopy(at(root, places[int(rng.integers(1, len(places)))]))
    elif kind == 3 and type(parent[key]) is int:
        parent[key] += int(rng.choice([-100, -8, -2, -1, 1, 2, 8, 100]))
    elif kind == 4 and isinstance(parent, dict):
        parent[str(rng.choice(["", "extra", "pending", "packet"]))] = parent.pop(key)
    else:
        parent[key] = STRANGE[int(rng.integers(len(STRANGE)))]
    return root[0]


def paths(data: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path, a tuple of keys, to every value in `data`, including `data` itself."""
    yield path
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield from paths(value, (*path, key))


def at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


ABSENT = object()


def put(data: Any, path: Path, value: Any) -> None:
    """Replace the value at a path in `data`; the value `ABSENT` removes the entry."""
    parent = at(data, path[:-1])
    if value is ABSENT:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
