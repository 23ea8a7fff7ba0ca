"""Base class of the bots that search an information-set tree; see `search/search_tree.py`."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.batched import BatchedAgent, seed_for
from pocketmars_agents.bots.bot_options import SearchOptions
from pocketmars_agents.bots.estimates import CHANCE, Estimate, Judgement, judgement_of
from pocketmars_agents.bots.per_thread import PerThread
from pocketmars_agents.search.arrays import ANY, MADE, Edges, Tree, new_edges, new_tree
from pocketmars_agents.search.evaluations import search_module
from pocketmars_agents.search.search_tree import ROOT
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.game import View, Views
from pocketmars_env.core.game_spec import GameSpec

EDGES_PER_SIMULATION = 16
SIMULATIONS_PER_SECOND = 250_000
MAX_EDGES = 1 << 21
"""Maximum number of edges in a tree (about 150 MB). The search adds no edges to a full tree."""
LONGEST_LINE = 32
CHUNK = 10_000
"""Without a time budget: maximum number of simulations per kernel call; Ctrl-C takes effect between calls."""
CHUNK_SECONDS = 0.001
"""With a time budget: target duration of a kernel call in seconds; a call cannot be interrupted."""


class Root(NamedTuple):
    """The position that a search starts from, and the options of this search."""

    spec: GameSpec
    states: States  # (1,) STATE, the state of a view
    seat: int  # the seat that searches; it must be the seat to play
    seed: np.uint64  # of all simulations
    action: int = ANY  # the only action to search at the root, or ANY


@dataclass(frozen=True)
class SearchResult:
    """Result of a search. If there was only one legal action, there are no simulations.

    The values are those for the searching seat; approximately the win probability, except with the objective
    "score". For `IsmctsAgent`, the means include the priors with the weight `PRIOR_WEIGHT`; otherwise,
    unvisited actions have the value 0. The prior of an action is the network's probability or, for
    `IsmctsAgent`, the estimated value at the end of the turn if the action is played in the first
    determinization, or 0 with the rollout "random".
    """

    best: int  # the action that the agent plays
    actions: NDArray[np.int64]  # (n,) legal actions, ascending
    visits: NDArray[np.int64]  # (n,) number of simulations that started with each action
    values: NDArray[np.float64]  # (n,) mean value of each action
    priors: NDArray[np.float64]  # (n,)
    seat_values: NDArray[np.float64]  # (seats,) mean values of the root, of sum 1; NaN without simulations
    simulations: int
    line: tuple[int, ...]
    """Principal variation in the first determinization: `best` and the most visited actions that follow.
    It is empty if it was not requested, or if the only simulation ended at the root."""


class TreeSearcher(BatchedAgent, ABC):
    """Base class of tree-search agents, which have a budget of simulations or seconds for each decision.

    With a budget of simulations, a decision depends only on the view and the random stream. With a time
    budget, a decision also depends on the speed of the machine, so runs are not reproducible.
    """

    kind = CHANCE
    """The meaning of the agent's values; see `Estimate`."""
    options_type: ClassVar[type[SearchOptions]]

    def __init__(self, settings: SearchOptions) -> None:
        self.name = settings.name
        self.options = settings
        self._tree = PerThread(self._new_tree)

    def _new_tree(self, spec: GameSpec) -> Tree:
        expected = self.options.limit or int((self.options.seconds or 0.0) * SIMULATIONS_PER_SECOND)
        most = spec.num_actions + EDGES_PER_SIMULATION * expected
        return new_tree(min(MAX_EDGES, most), spec.max_seats)

    @classmethod
    def from_name(cls, name: str) -> Self:
        """Create an agent from its name, e.g. ``"ismcts:0.5s:objective=score"`` or ``"puct:400"``."""
        settings = cls.options_type.from_name(name)
        return cls(**{key: getattr(settings, key) for key in settings.__struct_fields__})

    # --- implemented by subclasses ----------------------------------------------------------------

    @abstractmethod
    def _simulate(self, root: Root) -> None:
        """Run the simulations of one search, starting from an empty tree."""

    def _values_of(self, edges: Edges) -> NDArray[np.float64]:
        """Return the mean value of each edge for the seat to play at its node; 0 without simulations."""
        values: NDArray[np.float64] = edges["total"] / np.maximum(edges["visits"], 1)
        return values

    def _best(self, root: Root, actions: NDArray[np.int64], edges: Edges) -> int:
        """Return the most visited action; ties go to the highest value, then to the lowest action."""
        return int(actions[np.lexsort((-self._values_of(edges), -edges["visits"]))[0]])

    # --- decisions --------------------------------------------------------------------------------

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the best action for every view; see `BatchAgent`. Each view gets the full budget."""
        actions = np.empty(len(views), dtype=np.int64)
        for k, root in enumerate(roots_of(views, seeds)):
            legal = self._explore(root)
            actions[k] = self._best(root, legal, self._edges_of(root.spec, ROOT, legal))
        return actions

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return visit distributions as targets for imitation learning, ``(n, NUM_ACTIONS)`` float32.

        Each row contains every action's share of the root visits. If there are no visits, the legal actions
        have equal probabilities.
        """
        shares = np.zeros((len(views), views.spec.num_actions), dtype=np.float32)
        for k, root in enumerate(roots_of(views, seeds)):
            actions = self._explore(root)
            visits = self._edges_of(root.spec, ROOT, actions)["visits"]
            # there are no visits if only one action is legal, or if no simulation went beyond the root
            shares[k, actions] = visits / visits.sum() if visits.any() else 1.0 / len(actions)
        return shares

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """Return the best action and its mean value; see `ValuedAgent`.

        The value is None if there is only one legal action.
        """
        result = self.search(view, rng)
        if not result.simulations:
            return Estimate(result.best, None, self.kind)
        return Estimate(result.best, float(result.values[result.actions == result.best][0]), self.kind)

    def judge(self, view: View, action: int, rng: np.random.Generator) -> Judgement:
        """Compare an action with the best action; see `JudgingAgent`.

        A first search finds the best action. Then this action and the given one are each searched separately
        with the full budget, on the same determinizations, because the first search gives poor estimates for
        actions that it rarely visits.
        """
        root = Root(view.spec, view.states, view.seat, seed_for(view, rng)[0])
        result = self.search_from(root, with_line=False)
        values = np.full(len(result.actions), -np.inf)
        for candidate in {result.best, action}:
            self._explore(root._replace(action=candidate))
            edges = self._edges_of(view.spec, ROOT, result.actions)
            is_candidate = result.actions == candidate
            values[is_candidate] = self._values_of(edges)[is_candidate]
        return judgement_of(result.actions, values, action, self.kind)

    def search(self, view: View, rng: np.random.Generator) -> SearchResult:
        """Run the same search as `act` and return the full result, for analysis and hints."""
        return self.search_from(Root(view.spec, view.states, view.seat, seed_for(view, rng)[0]))

    def search_from(self, root: Root, with_line: bool = True) -> SearchResult:
        """Run a search from a root position and return the full result."""
        spec = root.spec
        actions = self._explore(root)
        edges, tree = self._edges_of(spec, ROOT, actions), self._tree(spec)
        made, seats = int(tree.counts[MADE]), spec.config.of_state(root.states[0]).seats
        best, line = self._best(root, actions, edges), tuple[int, ...]()
        if with_line:
            line = self._principal_line(root, best) if made else (best,)
        return SearchResult(
            best=best,
            actions=actions,
            visits=edges["visits"].astype(np.int64),
            values=self._values_of(edges),
            priors=np.array(edges["prior"]),
            seat_values=tree.totals[:seats] / made if made else np.full(seats, np.nan),
            simulations=made,
            line=line,
        )

    def _explore(self, root: Root) -> NDArray[np.int64]:
        """Run a search if there is more than one legal action; return the legal actions, ascending."""
        self.prepare(root.spec)
        search_module("search_tree", root.spec).clear_tree(self._tree(root.spec))
        actions = legal_in(root.spec, root.states)
        if len(actions) > 1:
            self._simulate(root)
        return actions

    def _end(self) -> float:
        """Return the time when a search that starts now must end; unused with a budget of simulations."""
        return time.perf_counter() + (self.options.seconds or 0.0)

    def _next_number(self, tree: Tree, end: float, most: int | None = None) -> int:
        """Return the number of simulations to run next; 0 if the budget is spent.

        With a budget of simulations, the number is at most `most`, or at most `CHUNK` if `most` is None. With
        a time budget, the number is `most`; if `most` is None, it is the number of simulations expected to
        take `CHUNK_SECONDS`, or the remaining time if that is shorter, but at least 1.
        """
        made, now = int(tree.counts[MADE]), time.perf_counter()
        if self.options.limit is not None:
            return min(CHUNK if most is None else most, self.options.limit - made)
        if made > 0 and now >= end:
            return 0
        if most is not None:
            return most
        passed = now - (end - (self.options.seconds or 0.0))
        return max(1, int(made / max(passed, 1e-9) * min(CHUNK_SECONDS, end - now)))

    def _edges_of(self, spec: GameSpec, node: np.uint64, actions: NDArray[np.int64]) -> Edges:
        """Return a node's edges for `actions`, ``(n,)`` `EDGE`; edges not in the tree have the key 0."""
        edges = new_edges(len(actions))
        search_module("search_tree", spec).read_node(node, actions, self._tree(spec), edges)
        return edges

    def _principal_line(self, root: Root, best: int) -> tuple[int, ...]:
        """Return the principal variation from `best` in the determinization of the first simulation."""
        spec, seat = root.spec, root.seat
        search_tree = search_module("search_tree", spec)
        sample, line, node = copy_states(root.states), list[int](), ROOT
        search_tree.write_first_determinization(root.states, sample, seat, root.seed)
        while len(line) < LONGEST_LINE:
            actions = legal_in(spec, sample)
            visits = self._edges_of(spec, node, actions)["visits"]
            if len(actions) != 1 and visits.sum() == 0:  # also true when the game is over
                break
            line.append(int(actions[visits.argmax()]) if line else best)
            label = search_tree.label_at(sample, line[-1], seat)
            spec.batch.step_at(sample, 0, line[-1])
            node = np.uint64(search_tree.child_at(node, label, sample, seat))
        return tuple(line)


def roots_of(views: Views, seeds: NDArray[np.uint64]) -> Iterator[Root]:
    """Yield the `Root` of the search for each view."""
    for k in range(len(views)):
        yield Root(views.spec, views.states[k : k + 1], int(views.seats[k]), seeds[k])


def legal_in(spec: GameSpec, states: States) -> NDArray[np.int64]:
    """Return the legal actions in a single state, ``(n,)`` int64, ascending."""
    actions = np.empty(spec.num_actions, dtype=np.int64)
    return actions[: spec.batch.legal_at(states, 0, actions)]
