"""Tabular CFR+ (Tammelin, 2014), the reference: it visits the whole tree in each iteration."""

from collections.abc import Callable, Iterator
from typing import Any

from pocketmars_agents.exact.game_tree import Floats
from pocketmars_agents.exact.solver import solve

from .small_game import SmallGame

SETTINGS: dict[str, Any] = {}


def train(game: SmallGame, seed: int, settings: dict[str, Any]) -> Iterator[tuple[int, Callable[[], Floats]]]:
    """Yield the number of decisions after each iteration, and a function that returns the strategy."""
    decisions = 0
    yield decisions, game.tree.uniform
    for sums in solve(game.tree):
        decisions += 2 * game.tree.num_nodes
        yield decisions, lambda sums=sums: game.tree.normalized(sums)  # type: ignore[misc]
