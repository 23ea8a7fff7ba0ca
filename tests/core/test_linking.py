"""Kernels linked into entry points, and kernels compiled separately."""

from pathlib import Path
from typing import Any

import numba
import pytest

from pocketmars_env.core.compiled import linking
from tests.core.processes import run

JIT: Any = numba.njit


@pytest.mark.parametrize("is_possible", [True, False])
def test_kernels_that_call_each_other_give_the_same_in_every_way(
    is_possible: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linking, "IS_POSSIBLE", is_possible)
    square = linking.linked(lambda number: number * number, {"nogil": True})
    cube = linking.linked(lambda number: number * square(number), {"nogil": True})
    entry_point = JIT(lambda number: cube(number) + square(number))
    assert entry_point(3) == 36
    assert cube(3) == 27


PROGRAM = """
import json
import numpy as np
from pocketmars_env.core.compiled.apart import VECTOR, compiled_apart
from pocketmars_env.core.compiled.compiling import entry_point

PLACE = np.dtype([("number", np.int16), ("total", np.float64)], align=True)

@compiled_apart(PLACE, np.int64, VECTOR)
def add(place, times, vector):
    for _ in range(times):
        for entry in vector:
            place.total += entry
    place.number += 1
    return place.number

@entry_point
def add_everywhere(places, vectors):
    last = 0
    for k in range(len(places)):
        last = add(places[k], 2, vectors[k])
    return last

places = np.zeros(3, dtype=PLACE)
places = places if hasattr(add_everywhere, "signatures") else places.view(np.recarray)
vectors = np.arange(6, dtype=np.float32).reshape(3, 2)
last = [int(add_everywhere(places, vectors)) for _ in range(2)]
stats = getattr(add_everywhere, "stats", None)
print(json.dumps([last, places["total"].tolist(), sum(stats.cache_misses.values()) if stats else None]))
"""


@pytest.mark.parametrize("switch", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_kernels_apart_obey_the_debug_switches(switch: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    assert run(program, None, **{"NUMBA_CACHE_DIR": str(tmp_path / "cache"), switch: "1"})[:2] == [
        [1, 2],
        [4.0, 20.0, 36.0],
    ]


def test_bounds_checks_of_kernels_apart_raise_in_their_callers(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("+= entry", "+= vector[len(vector)]"), encoding="utf-8")
    with pytest.raises(AssertionError, match="IndexError"):
        run(program, NUMBA_CACHE_DIR=str(tmp_path / "cache"), NUMBA_BOUNDSCHECK="1")
