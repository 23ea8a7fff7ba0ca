"""Compile all CUDA kernels of a game to PTX, on a machine without a GPU.

``python -m tests.compat.cuda.ptx GAME`` prints each kernel's name and the length of its PTX.
"""

import inspect
import sys
from itertools import product
from types import SimpleNamespace
from typing import Any

import numba
from numba.cuda import compiler, dispatcher

import pocketmars_env  # noqa: F401  registers the games
from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.core.cuda import device_functions
from pocketmars_env.core.game_spec import GAMES, GameSpec

types: Any = numba.types
CAPABILITY = (9, 0)
COMPILE_PTX: Any = compiler.compile_ptx
MODULES = ("kernels", "episode_kernels")


def vector(dtype: Any, dimensions: int = 1) -> Any:
    return types.Array(dtype, dimensions, "C")


FLAGS, NUMBERS, WORDS = vector(types.boolean), vector(types.int64), vector(types.uint64)
ARGUMENTS = {
    "seed": types.uint64,
    "first": types.int64,
    "steps": types.int64,
    "fixed_seat": types.int64,
    "group": types.int64,
    "num_seats": types.int64,
    "is_margin": types.boolean,
    "illegal_reward": types.float64,
    "seeds": WORDS,
    **dict.fromkeys(["actions", "seats", "to_play", "ended", "episodes", "drawn"], NUMBERS),
    **dict.fromkeys(["which", "illegal", "over", "truncated", "terminations", "truncations", "done"], FLAGS),
    "masks": vector(types.int8, 2),
    "scores": vector(types.int64, 2),
    "winning": vector(types.boolean, 2),
    "rewards": vector(types.float32),
}
"""The types of the kernels' arguments, by name."""


def types_of(spec: GameSpec, function: Any, dtype: Any) -> tuple[Any, ...]:
    """Return the argument types of a kernel for a given observation dtype."""
    of_game = {
        "states": vector(numba.from_dtype(spec.state)),
        "observations": vector(dtype, 2),
    }
    return tuple((of_game | ARGUMENTS)[name] for name in inspect.signature(function).parameters)


def pretend_device() -> None:
    """Make Numba compile for `CAPABILITY` without a CUDA driver."""
    device = SimpleNamespace(compute_capability=CAPABILITY)
    for module in (dispatcher, compiler):
        vars(module)["get_current_device"] = lambda: device


def main(spec: GameSpec) -> None:
    device_functions.install()
    pretend_device()
    forms = (types.float32, spec.kernels), (types.uint8, spec.kernels.for_counts)
    for name, (dtype, kernels) in product(MODULES, forms):
        module = compiled_for(f"pocketmars_env.core.cuda.{name}", kernels)
        for value in vars(module).values():
            if not isinstance(value, dispatcher.CUDADispatcher):
                continue
            function = value.py_func
            names = inspect.signature(function).parameters
            if dtype == types.uint8 and "observations" not in names:
                continue  # the same for both dtypes
            ptx, _ = COMPILE_PTX(function, types_of(spec, function, dtype), cc=CAPABILITY)
            assert f".target sm_{CAPABILITY[0]}{CAPABILITY[1]}" in ptx
            print(function.__name__, len(ptx), flush=True)


if __name__ == "__main__":
    main(GAMES[sys.argv[1]])
