"""The evaluation function of each game, and the search modules compiled with it."""

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from pocketmars_agents.game_bots import Evaluation, game_bots_of
from pocketmars_agents.search.score_evaluation import STEPS_TO_BOUND
from pocketmars_env.core.compiled.per_game import GameKernels, compiled_for
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.precompile import compile_all, ensure_compiled

DECLARING = "pocketmars_agents.search.evaluation_kernels"
BY_SCORE = "pocketmars_agents.search.score_evaluation"


def evaluation_of(spec: GameSpec) -> Evaluation:
    """Return the evaluation function of a game."""
    return game_bots_of(spec).evaluation or evaluation_by_score(spec)


@functools.cache
def evaluation_by_score(spec: GameSpec) -> Evaluation:
    """Return the default evaluation function."""
    weights = (np.float64(STEPS_TO_BOUND / spec.margin_bound),)
    return Evaluation(vars(compiled_for(BY_SCORE, spec.kernels)), lambda states: weights)


@functools.cache
def search_kernels(spec: GameSpec) -> GameKernels:
    """Return the kernels of a game's rules and of its evaluation function."""
    evaluation = evaluation_of(spec)
    weights = numba.typeof(evaluation.weights_of(blank_records(1, spec.state)))  # runs no kernel
    return spec.kernels.and_those_of(DECLARING, {**evaluation.kernels, "Weights": weights})


@functools.cache
def search_module(name: str, spec: GameSpec) -> Any:
    """Return a kernel module of this package, such as ``"ismcts"``, compiled for a game."""
    return compiled_for(f"{__package__}.{name}", search_kernels(spec))


@functools.cache
def compile_search(
    spec: GameSpec, what: str, seconds: int, *names: str, further: tuple[Callable[..., None], ...] = ()
) -> None:
    """Compile a game's rules and a search, with messages on stderr, unless the machine code is cached."""
    ensure_compiled(spec)
    values = [value for name in names for value in vars(search_module(name, spec)).values()]
    compile_all(search_kernels(spec), [*values, *further], spec.title, what, seconds)
