"""The tree of a small game, with the values of strategies.

A *strategy* is an array with the probability of each action in each information set of both seats. All
values are exact up to rounding, because every deal of the pool is equally likely.
"""

import functools
import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.exact import tree_kernels
from pocketmars_agents.exact.traversal import DEPTH, EDGES, NODES, STARTER
from pocketmars_agents.exact.tree_kernels import FREE, Tree
from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.core.compiled.states import States, blank_records
from pocketmars_env.core.game_spec import Config, GameSpec, spec_of
from pocketmars_env.core.precompile import compile_all, ensure_compact_compiled

TRAVERSAL = "pocketmars_agents.exact.traversal"
MOST_EDGES = 2**31 - 1
"""The maximum number of actions in a tree, which are numbered with 32 bits."""
MOST_DEPTH = 400
MOST_STATES = 2**28
"""The maximum number of bytes of the states that `GameTree.positions` yields at once."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GameTree:
    """The tree of a small game.

    Attributes:
        spec: the game's `GameSpec`.
        blank: ``(1,)`` state records with the settings, before the deal.
        tree: the nodes, actions and information sets.
        deals: ``(deals + 1,)`` int64: the first node of each deal.
        starters: ``(deals,)`` int64: the seat with the first turn of each deal.
        keys: ``(information sets,)`` uint64: hashes of the seats' information states.

    """

    spec: GameSpec
    blank: States
    tree: Tree
    deals: NDArray[np.int64]
    starters: NDArray[np.int64]
    keys: NDArray[np.uint64]

    # --- sizes ----------------------------------------------------------------------------------------

    @property
    def num_deals(self) -> int:
        return len(self.starters)

    @property
    def num_nodes(self) -> int:
        """The number of histories in which a seat must decide."""
        return len(self.tree.infosets)

    @property
    def num_histories(self) -> int:
        """The number of histories after the deal, finished games included."""
        return len(self.tree.children) + self.num_deals

    @property
    def num_infosets(self) -> int:
        return len(self.tree.seats)

    @property
    def num_slots(self) -> int:
        """The number of actions in all information sets, which is the size of a strategy."""
        return int(self.tree.slots[-1])

    @property
    def num_actions(self) -> NDArray[np.int64]:
        """The number of actions in each information set."""
        return np.diff(self.tree.slots).astype(np.int64)

    def slots_of(self, infosets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of the actions of the given information sets in a strategy."""
        firsts = self.tree.slots[infosets].astype(np.int64)
        numbers = self.tree.slots[infosets + 1] - firsts
        ends = np.cumsum(numbers)
        return np.repeat(firsts - ends + numbers, numbers) + np.arange(ends[-1])

    # --- strategies -----------------------------------------------------------------------------------

    def uniform(self) -> Floats:
        """Return the strategy that chooses all actions with equal probability."""
        return np.repeat(1.0 / self.num_actions, self.num_actions)

    def normalized(self, weights: Floats) -> Floats:
        """Return the strategy proportional to `weights`; uniform where all weights are 0."""
        totals = np.repeat(np.add.reduceat(weights, self.tree.slots[:-1]), self.num_actions)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(totals > 0, weights / totals, self.uniform())

    def pure(self, choices: NDArray[np.int32], seat: int, other: Floats) -> Floats:
        """Return `other` with the seat's strategy replaced by ``choices``, one action per information set."""
        strategy, own = other.copy(), np.flatnonzero(self.tree.seats == seat)
        strategy[np.repeat(self.tree.seats == seat, self.num_actions)] = 0
        strategy[self.tree.slots[own] + choices[own]] = 1
        return strategy

    def most_likely(self, strategy: Floats) -> Floats:
        """Return the pure strategy that chooses the most likely action of `strategy`, the first in a tie."""
        numbers, slots = self.num_actions, self.tree.slots[:-1]
        best = np.repeat(np.maximum.reduceat(strategy, slots), numbers)
        places = np.where(strategy == best, np.arange(len(strategy)), len(strategy))
        pure = np.zeros_like(strategy)
        pure[np.minimum.reduceat(places, slots)] = 1
        return pure

    # --- values ---------------------------------------------------------------------------------------

    def new_reach(self) -> Floats:
        """Return reaches that are 1 at the first nodes of all deals; see `tree_kernels.spread`."""
        reach = np.zeros((self.num_nodes, 2))
        reach[self.deals[:-1]] = 1
        return reach

    def reach(self, strategy: Floats) -> Floats:
        """Return the probability with which each seat's choices lead to each node: ``(nodes, 2)``."""
        reach = self.new_reach()
        self.in_threads(lambda first, end, _: tree_kernels.spread(self.tree, first, end, strategy, reach))
        return reach

    def values(self, strategy: Floats) -> Floats:
        """Return seat 0's expected utility in each deal."""
        values, none = np.empty(self.num_nodes), np.empty((0, 2))

        def gather(first: int, end: int, _: int) -> None:
            tree_kernels.gather(self.tree, first, end, -1, strategy, none, values, values)

        self.in_threads(gather)
        return values[self.deals[:-1]]

    def value(self, strategy: Floats) -> float:
        """Return seat 0's expected utility."""
        return float(self.values(strategy).mean())

    def best_response(
        self, strategy: Floats, seat: int, reach: Floats | None = None
    ) -> tuple[float, NDArray[np.int32]]:
        """Return the value of a best response of `seat` for this seat, and its choice of actions.

        The choice is the number of an action in each information set, counted from 0 in the order of legal
        actions; -1 in those of the other seat.
        """
        reach = self.reach(strategy) if reach is None else reach
        gains, values = np.zeros(self.num_slots), np.empty(self.num_nodes)
        choices = np.full(self.num_infosets, FREE, dtype=np.int32)
        tree_kernels.respond(self.tree, seat, strategy, reach, gains, choices, values)
        value = float(values[self.deals[:-1]].mean())
        return (value if seat == 0 else -value), choices

    def best_response_values(self, strategy: Floats) -> tuple[float, float]:
        """Return the value of each seat's best response, for this seat."""
        reach = self.reach(strategy)
        with ThreadPoolExecutor(2) as pool:
            first, second = pool.map(lambda seat: self.best_response(strategy, seat, reach)[0], range(2))
        return first, second

    def nash_conv(self, strategy: Floats) -> float:
        """Return the sum of what each seat gains with a best response; 0 for an equilibrium."""
        return sum(self.best_response_values(strategy))

    def clairvoyant_values(self, strategy: Floats) -> tuple[float, float]:
        """Return the value, for each seat, of the best response if the seat sees all cards and the future."""
        values = np.empty(self.num_nodes)
        result = []
        for seat in range(2):
            tree_kernels.foresee(self.tree, seat, strategy, values)
            result.append(float(values[self.deals[:-1]].mean()) * (1 - 2 * seat))
        return result[0], result[1]

    def starter_value(self, strategy: Floats) -> float:
        """Return the expected utility of the seat with the first turn."""
        return float((self.values(strategy) * (1 - 2 * self.starters)).mean())

    # --- threads --------------------------------------------------------------------------------------

    @functools.cached_property
    def parts(self) -> list[tuple[int, int]]:
        """Consecutive ranges of nodes, one per thread, each with whole deals."""
        threads = min(os.cpu_count() or 1, self.num_deals)
        ends = [int(self.deals[self.num_deals * part // threads]) for part in range(threads + 1)]
        return list(itertools.pairwise(ends))

    def in_threads(self, call: Callable[[int, int, int], Any]) -> None:
        """Call a function with the first node, the end and the number of each part, in parallel."""
        with ThreadPoolExecutor(len(self.parts)) as pool:
            list(pool.map(lambda k: call(*self.parts[k], k), range(len(self.parts))))

    # --- positions ------------------------------------------------------------------------------------

    def positions(
        self, watch: Callable[[range], Iterable[int]] = iter
    ) -> Iterator[tuple[NDArray[np.int64], States]]:
        """Yield all information sets, in order, in batches: their numbers, and a position of each.

        `watch` yields the numbers of the deals, for example with a progress bar.
        """
        firsts = self.tree.firsts
        most = max(1, MOST_STATES // self.spec.state.itemsize)
        kernels, (stack, tried) = traversal_of(self.spec), new_stack(self.spec)
        for deal in watch(range(self.num_deals)):
            first, end = self.deals[deal : deal + 2]
            begin, stop = np.searchsorted(firsts, np.array([first, end], firsts.dtype))  # no copy of `firsts`
            for start in range(begin, stop, most):
                infosets = np.arange(start, min(stop, start + most))
                is_wanted = np.zeros(end - first, dtype=np.bool_)
                is_wanted[firsts[infosets] - first] = True
                states = blank_records(len(infosets), self.spec.state)
                kernels.write_states(self.blank, deal, 0, stack, tried, is_wanted, states)
                yield infosets, states


def traversal_of(spec: GameSpec) -> Any:
    """Return the module `traversal.py`, compiled for a game."""
    return compiled_for(TRAVERSAL, spec.kernels.for_counts)


@functools.cache
def ensure_compiled(spec: GameSpec) -> None:
    """Compile the kernels for exact values, with messages on stderr, unless they are cached."""
    ensure_compact_compiled(spec)
    values = [*vars(traversal_of(spec)).values(), *vars(tree_kernels).values()]
    compile_all(spec.kernels, values, spec.title, "exact values", 20)


def new_stack(spec: GameSpec) -> tuple[States, NDArray[np.int64]]:
    """Return a stack of positions, and the number of actions tried in each."""
    return blank_records(MOST_DEPTH, spec.state), np.zeros(MOST_DEPTH, dtype=np.int64)


def tree_of(config: Config) -> GameTree:
    """Return the tree of a small game.

    Raises:
        ValueError: if the game has no pool of deals.

    """
    if config.deals is None:
        raise ValueError("exact values need a small game: the setting small is None")
    spec = spec_of(config)
    return build_tree(spec, spec.codec.blank(1, config), config.deals)


def build_tree(spec: GameSpec, blank: States, num_deals: int, most_edges: int = MOST_EDGES) -> GameTree:
    """Return the tree of the deals with the seeds ``0..num_deals - 1``; see `GameTree` for `blank`.

    Raises:
        ValueError: if the tree has more than `most_edges` actions, or if hashes collide.

    """
    ensure_compiled(spec)
    counts = sizes(spec, blank, num_deals, most_edges)
    deals, edges_of_deals = (np.concatenate([[0], np.cumsum(counts[:, column])]) for column in (NODES, EDGES))
    nodes = int(deals[-1])
    edges = np.empty(nodes + 1, dtype=np.int32)
    children = np.empty(int(edges_of_deals[-1]), dtype=np.int32)
    owners, keys = np.empty(nodes, dtype=np.int8), np.empty((nodes, 2), dtype=np.uint64)
    edges[-1] = len(children)
    kernels = traversal_of(spec)

    def write(part: range) -> None:
        stack, tried = new_stack(spec)
        path, memories = np.zeros(MOST_DEPTH, np.int64), np.zeros((MOST_DEPTH, 4), np.uint64)
        words = np.zeros(-(-spec.observation_size // 8), dtype=np.uint64)
        observation = words.view(np.uint8)[: spec.observation_size]
        for deal in part:
            place = deals[deal], edges_of_deals[deal], stack, tried, path, memories, observation, words
            kernels.write_deal(blank, deal, *place, edges, children, owners, keys)

    threads = os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(write, [range(k, num_deals, threads) for k in range(threads)]))
    infosets, firsts = infosets_of(keys, edges)
    slots = np.concatenate([[0], np.cumsum(edges[firsts + 1] - edges[firsts])]).astype(np.int32)
    order = np.empty(nodes, dtype=np.int32)
    levels = np.zeros(int(counts[:, DEPTH].max()) + 1, dtype=np.int32)
    tree_kernels.sort_by_depth(edges, children, np.zeros(nodes, dtype=np.int32), order, levels)
    tree = Tree(edges, children, infosets, owners[firsts], slots, firsts, order, levels)
    return GameTree(spec, blank, tree, deals, counts[:, STARTER], keys[firsts, 0])


def sizes(spec: GameSpec, blank: States, num_deals: int, most_edges: int) -> NDArray[np.int64]:
    """Return the sizes of the deals' trees, one row of `traversal.count_deal` each."""
    kernels, (stack, tried) = traversal_of(spec), new_stack(spec)
    turn = spec.decisions.index(spec.decision_named("TURN"))
    counts = np.zeros((num_deals, 4), dtype=np.int64)
    for deal in range(num_deals):
        most = most_edges - int(counts[:deal, EDGES].sum())
        if not kernels.count_deal(blank, deal, turn, most, stack, tried, counts[deal]):
            raise ValueError(f"the tree has more than {most_edges:,} actions, or {MOST_DEPTH} in a line")
    return counts


def infosets_of(
    keys: NDArray[np.uint64], edges: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the information set of each node, and the first node of each information set."""
    nodes = len(keys)
    table = np.full(1 << (2 * nodes - 1).bit_length(), FREE, dtype=np.int32)
    infosets, firsts = np.empty(nodes, dtype=np.int32), np.empty(nodes, dtype=np.int32)
    number = tree_kernels.find_infosets(keys, edges, table, infosets, firsts)
    if number < 0:
        raise ValueError("hashes of information states collide")
    return infosets, firsts[:number].copy()
