"""What bots have in common that search a tree of information sets, compiled (see `search_tree.py`)."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.estimates import CHANCE, Estimate
from pocketmars_agents.bots.look_ahead_agent import check_asked
from pocketmars_agents.bots.per_game import PerGame
from pocketmars_agents.search.arrays import MADE, Edges, Tree, new_edges, new_tree
from pocketmars_agents.search.evaluations import search_module
from pocketmars_agents.search.search_settings import Budget
from pocketmars_agents.search.search_tree import ROOT
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.view import View, Views

EDGES_PER_SIMULATION = 16
SIMULATIONS_PER_SECOND = 250_000
MAX_EDGES = 1 << 21
"""A tree with so many edges (some 150 MB) stops growing; the search goes on."""
LONGEST_LINE = 32


@dataclass(frozen=True)
class SearchResult:
    """What a search has found.

    Attributes:
        actions: ``(n,)`` int64: the legal actions, ascending.
        visits: ``(n,)`` int64: simulations that began with each.
        values: ``(n,)`` float64: what each is worth to the searching seat, on average of those; for
            the objective "win" nearly the chance to win.
        priors: ``(n,)`` float64: what stood at each before any simulation. For `IsmctsAgent` its worth
            at the end of the turn in the first world (zeros with the rollout "random"); for
            `GuidedAgent` the network's probability.
        seat_values: ``(seats,)`` float64: what the position is worth to every seat, on average of all
            simulations; they sum to 1. NaN without simulations.
        simulations: how many were made; 0 if there was but one legal action.
        line: the most visited answers, from the searching seat's on, in the first sampled world; empty
            if it was not asked for.

    """

    actions: NDArray[np.int64]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    priors: NDArray[np.float64]
    seat_values: NDArray[np.float64]
    simulations: int
    line: tuple[int, ...]

    @property
    def best(self) -> int:
        """The answer: the action with most visits; of those the one worth most; of those the lowest."""
        return most_visited(self.actions, self.visits, self.values)


def most_visited(actions: NDArray[np.int64], visits: NDArray[np.int64], values: NDArray[np.float64]) -> int:
    return int(actions[np.lexsort((-values, -visits))[0]])


class TreeSearcher(ABC):
    """Searches the same number of simulations, or the same time, for every answer.

    With a number of simulations an answer depends on the view and the random stream alone. With a
    number of seconds it also depends on how fast the machine is just then: such runs cannot be repeated.

    Args:
        name: the agent's.
        budget: of each answer.

    Attributes:
        kind: what its values are, see `Estimate`.

    """

    kind = CHANCE

    def __init__(self, name: str, budget: Budget) -> None:
        self.name = name
        self.budget = budget
        self._tree = PerGame(self._new_tree)

    def _new_tree(self, spec: GameSpec) -> Tree:
        most = spec.num_actions + EDGES_PER_SIMULATION * self.budget.expected(SIMULATIONS_PER_SECOND)
        return new_tree(min(MAX_EDGES, most), spec.max_seats)

    # --- what kinds of search differ in -----------------------------------------------------------

    @abstractmethod
    def ensure_ready(self, spec: GameSpec) -> None:
        """Compile the search for a game unless that has been done."""

    @abstractmethod
    def _simulate(self, spec: GameSpec, states: States, seat: int, seed: np.uint64, is_open: bool) -> None:
        """Make the simulations of one search in the empty tree."""

    @abstractmethod
    def _values_of(self, edges: Edges) -> NDArray[np.float64]:
        """What edges are worth to the seat that answers."""

    # --- answers ----------------------------------------------------------------------------------

    def act(self, view: View, rng: np.random.Generator) -> int:
        """The best action.

        Raises:
            ValueError: if the seat is not asked.

        """
        check_asked(view)
        views = view.as_batch()
        return int(self.act_batch(views, rng.integers(0, 2**64, size=1, dtype=np.uint64))[0])

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The best action for every view; see `BatchAgent`. A time limit holds for each of them."""
        self.ensure_ready(views.spec)
        answers = np.empty(len(views), dtype=np.int64)
        for k in range(len(views)):
            actions = self._explore(views.spec, views.states[k : k + 1], int(views.seats[k]), seeds[k], False)
            edges = self._edges_of(views.spec, ROOT, actions)
            answers[k] = most_visited(actions, edges["visits"], self._values_of(edges))
        return answers

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """``(n, NUM_ACTIONS)`` float32: how often it tries each answer; for those who learn from it.

        Shares of the simulations, which sum to 1.
        """
        self.ensure_ready(views.spec)
        shares = np.zeros((len(views), views.spec.num_actions), dtype=np.float32)
        for k in range(len(views)):
            actions = self._explore(views.spec, views.states[k : k + 1], int(views.seats[k]), seeds[k], False)
            visits = self._edges_of(views.spec, ROOT, actions)["visits"]
            # the only answer, or the best of simulations that never went on from the first position
            shares[k, actions] = visits / visits.sum() if visits.any() else 1.0 / len(actions)
        return shares

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """The best action, and its worth on average of all simulations; see `ValuedAgent`.

        Raises:
            ValueError: if the seat is not asked.

        """
        found = self.search(view, rng)
        if not found.simulations:
            return Estimate(found.best, None, self.kind)
        return Estimate(found.best, float(found.values[found.actions == found.best][0]), self.kind)

    def search(self, view: View, rng: np.random.Generator) -> SearchResult:
        """Search as `act` does, and tell everything that was found: for analysis and hints.

        Raises:
            ValueError: if the seat is not asked.

        """
        check_asked(view)
        return self.search_states(view.spec, view.states, view.seat, rng.integers(0, 2**64, dtype=np.uint64))

    def search_states(
        self,
        spec: GameSpec,
        states: States,
        seat: int,
        seed: np.uint64,
        is_open: bool = False,
        with_line: bool = True,
    ) -> SearchResult:
        """Search from the one state in `states`, which puts a question to `seat`.

        Args:
            spec: the game.
            states: ``(1,)`` `STATE`; of a view, unless the search is open.
            seat: the searching seat.
            seed: uint64, decides all simulations.
            is_open: whether the searcher sees all cards; for `full_information.py` alone.
            with_line: whether the most visited answers are wanted too, which takes time.

        """
        self.ensure_ready(spec)
        actions = self._explore(spec, states, seat, seed, is_open)
        edges = self._edges_of(spec, ROOT, actions)
        tree = self._tree.of(spec)
        made = int(tree.counts[MADE])
        seats = spec.config_of(states[0]).seats
        line: tuple[int, ...] = ()
        if with_line:
            line = self._principal_line(spec, states, seat, seed, is_open) if made else (int(actions[0]),)
        return SearchResult(
            actions=actions,
            visits=edges["visits"].astype(np.int64),
            values=self._values_of(edges),
            priors=np.array(edges["prior"]),
            seat_values=tree.totals[:seats] / made if made else np.full(seats, np.nan),
            simulations=made,
            line=line,
        )

    def _explore(
        self, spec: GameSpec, states: States, seat: int, seed: np.uint64, is_open: bool
    ) -> NDArray[np.int64]:
        """Grow a new tree, unless there is only one answer; returns the legal actions, ascending."""
        search_module("ismcts", spec).clear_tree(self._tree.of(spec))
        actions = legal_in(spec, states)
        if len(actions) > 1:
            self._simulate(spec, states, seat, seed, is_open)
        return actions

    def _edges_of(self, spec: GameSpec, node: np.uint64, actions: NDArray[np.int64]) -> Edges:
        """``(n,)`` `EDGE`: a node's edges; zeros where there is none."""
        edges = new_edges(len(actions))
        search_module("ismcts", spec).read_node(node, actions, self._tree.of(spec), edges)
        return edges

    def _principal_line(
        self, spec: GameSpec, states: States, seat: int, seed: np.uint64, is_open: bool
    ) -> tuple[int, ...]:
        """The most visited answers in the world of the first simulation."""
        world, line, node, ismcts = copy_states(states), list[int](), ROOT, search_module("ismcts", spec)
        ismcts.world_at(states, world, seat, seed, is_open)
        while len(line) < LONGEST_LINE:
            actions = legal_in(spec, world)
            visits = self._edges_of(spec, node, actions)["visits"]
            if len(actions) != 1 and visits.sum() == 0:  # also at the end of the game
                break
            line.append(int(actions[visits.argmax()]))
            label = ismcts.label_at(world, line[-1], seat, is_open)
            spec.batch.step_at(world, 0, line[-1])
            node = np.uint64(ismcts.child_at(node, label, world, seat))
        return tuple(line)


def legal_in(spec: GameSpec, states: States) -> NDArray[np.int64]:
    """``(n,)`` int64: the legal actions of the one state, ascending."""
    actions = np.empty(spec.num_actions, dtype=np.int64)
    return actions[: spec.batch.legal_at(states, 0, actions)]
