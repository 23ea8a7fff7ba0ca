"""Solvers: counterfactual regret minimization (CFR) on the tree of a small game.

- ``"cfr+"`` (Tammelin, 2014): negative regrets are set to 0, and iteration `t` has the weight `t` in the
  average strategy;
- ``"linear"`` (linear CFR; Brown and Sandholm, 2019): iteration `t` has the weight `t` in the regrets and in
  the average strategy.

The seats' strategies are updated alternately.
"""

from collections.abc import Iterator

import numpy as np

from pocketmars_agents.exact import tree_kernels
from pocketmars_agents.exact.game_tree import Floats, GameTree
from pocketmars_env.core.settings import check_choice

SOLVERS = ("cfr+", "linear")


def solve(game: GameTree, solver: str = "cfr+") -> Iterator[Floats]:
    """Yield, after each iteration, the unnormalized average strategy; the array is reused.

    `GameTree.normalized` turns it into a strategy.
    """
    check_choice("solver", solver, SOLVERS)
    tree, strategy = game.tree, game.uniform()
    regrets, sums = np.zeros(game.num_slots), np.zeros(game.num_slots)
    new = np.zeros((len(game.parts), game.num_slots))
    reach, values = game.new_reach(), np.empty(game.num_nodes)
    least = 0.0 if solver == "cfr+" else -np.inf
    iteration = 0
    while True:
        iteration += 1
        kept = 1.0 if solver == "cfr+" else iteration / (iteration + 1)
        for seat in range(2):

            def traverse(first: int, end: int, part: int, seat: int = seat) -> None:
                tree_kernels.spread(tree, first, end, strategy, reach)
                tree_kernels.gather(tree, first, end, seat, strategy, reach, values, new[part])

            game.in_threads(traverse)
            tree_kernels.add_to_average(tree, seat, float(iteration), strategy, reach, sums)
            tree_kernels.update_regrets(tree, seat, kept, least, new, regrets)
            tree_kernels.match_regrets(tree, seat, regrets, strategy)
        yield sums


def equilibrium(
    game: GameTree, most_nash_conv: float = 1e-3, most_iterations: int = 10_000, solver: str = "cfr+"
) -> tuple[Floats, float, int]:
    """Return a strategy with at most this NashConv, its NashConv, and the number of iterations.

    If the iterations do not suffice, the NashConv is higher.
    """
    check = 16
    for iteration, sums in enumerate(solve(game, solver), start=1):
        if iteration in (check, most_iterations):
            strategy = game.normalized(sums)
            nash_conv = game.nash_conv(strategy)
            if nash_conv <= most_nash_conv or iteration >= most_iterations:
                return strategy, nash_conv, iteration
            check += max(16, check // 4)
    raise AssertionError
