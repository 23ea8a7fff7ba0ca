"""The evaluation of each game, and the search modules compiled with it."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pocketmars_agents.search.score_evaluation import STEPS_TO_BOUND
from pocketmars_env.core.compiled.compiling import for_game
from pocketmars_env.core.compiled.per_game import GameKernels, compiled_for
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.precompile import compile_all

DECLARING = "pocketmars_agents.search.evaluation_kernels"
BY_SCORE = "pocketmars_agents.search.score_evaluation"


@dataclass(frozen=True)
class Evaluation:
    """Evaluation of the positions of a game.

    Attributes:
        kernels: the constant and the kernels declared in `evaluation_kernels.py`, by name.
        weights_of: returns the argument `weights` of the kernels for states of one configuration.

    """

    kernels: Mapping[str, Any]
    weights_of: Callable[[States], Any]


EVALUATIONS: dict[str, Evaluation] = {}
"""Evaluations by the name of the game; games without an entry use `score_evaluation.py`."""


@functools.cache
def evaluation_of(spec: GameSpec) -> Evaluation:
    """Returns the evaluation of a game."""
    if spec.name in EVALUATIONS:
        return EVALUATIONS[spec.name]
    weights = (np.float64(STEPS_TO_BOUND / spec.margin_bound),)
    return Evaluation(vars(compiled_for(BY_SCORE, spec.kernels)), lambda states: weights)


@functools.cache
def search_kernels(spec: GameSpec) -> GameKernels:
    """Returns the kernels of the game and of its evaluation."""
    return spec.kernels.and_those_of(DECLARING, evaluation_of(spec).kernels)


@functools.cache
def search_module(name: str, spec: GameSpec) -> Any:
    """Returns a module of kernels in this package, such as ``"ismcts"``, compiled for a game."""
    return compiled_for(f"{__package__}.{name}", search_kernels(spec))


def compile_for(spec: GameSpec, call_all: Callable[[], None], what: str, seconds: int) -> None:
    """Compiles a search for a game and shows a message on stderr, unless the search is cached.

    Args:
        call_all: calls every entry point with arguments of the usual types.
        what: the name of the search.
        seconds: the compile time on two idle cores.

    """
    with for_game(spec.kernels.folder):
        compile_all(call_all, what, spec.title, seconds)
