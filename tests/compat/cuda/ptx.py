"""Compile all CUDA kernels of a game to PTX, on a machine without a GPU.

``python -m tests.compat.cuda.ptx GAME`` prints each kernel's name and the length of its PTX.
"""

import inspect
import sys
from itertools import product
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba.cuda import compiler, dispatcher

from pocketmars_agents.search.evaluations import evaluation_of, search_kernels
from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.core.cuda import device_functions
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.core.games import Games

types: Any = numba.types
CAPABILITY = (9, 0)
COMPILE_PTX: Any = compiler.compile_ptx
MODULES = ("pocketmars_env.core.cuda.kernels", "pocketmars_env.core.cuda.episode_kernels")
LOOK_AHEAD = "pocketmars_agents.search.look_ahead_cuda"


def vector(dtype: Any, dimensions: int = 1) -> Any:
    return types.Array(dtype, dimensions, "C")


FLAGS, NUMBERS, WORDS = vector(types.boolean), vector(types.int64), vector(types.uint64)
ARGUMENTS = {
    "seed": types.uint64,
    "first": types.int64,
    "steps": types.int64,
    "determinizations": types.int64,
    "is_planner": types.boolean,
    "fixed_seat": types.int64,
    "group": types.int64,
    "num_seats": types.int64,
    "is_margin": types.boolean,
    "is_random": types.boolean,
    "illegal_reward": types.float64,
    "illegal_penalty": types.float64,
    "seeds": WORDS,
    **dict.fromkeys(["actions", "indices", "seats", "to_play", "ended", "episodes", "drawn"], NUMBERS),
    **dict.fromkeys(["replaced", "reasons", "rounds"], NUMBERS),
    **dict.fromkeys(["which", "illegal", "over", "truncated", "terminations", "truncations", "done"], FLAGS),
    "masks": vector(types.int8, 2),
    "scores": vector(types.int64, 2),
    "winning": vector(types.boolean, 2),
    "won": FLAGS,
    **dict.fromkeys(["rewards", "win_share"], vector(types.float32)),
    "tried": vector(types.int64, 2),
    "values": vector(types.float64, 2),
}
"""The types of the kernels' arguments, by name."""


def types_of(spec: GameSpec, function: Any, dtype: Any) -> tuple[Any, ...]:
    """Return the argument types of a kernel for a given observation dtype."""
    state, weights = numba.from_dtype(spec.state), evaluation_of(spec).weights_of(Games(1, spec).states)
    of_game = {
        "states": vector(state),
        "lines": vector(state, 2),
        "observations": vector(dtype, 2),
        "weights": numba.typeof(tuple(np.copy(part) if np.ndim(part) else part for part in weights)),
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
    modules = [(name, *form) for name, form in product(MODULES, forms)]
    for name, dtype, kernels in [*modules, (LOOK_AHEAD, types.float32, search_kernels(spec))]:
        module = compiled_for(name, kernels)
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
