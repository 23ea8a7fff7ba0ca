"""Base class of the bots that search a tree of information sets with compiled kernels (`search_tree.py`)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.estimates import CHANCE, Estimate, Judgement, judgement_of
from pocketmars_agents.bots.look_ahead_agent import check_to_play
from pocketmars_agents.bots.per_game import PerGame
from pocketmars_agents.search.arrays import ANY, MADE, Edges, Tree, new_edges, new_tree
from pocketmars_agents.search.evaluations import search_module
from pocketmars_agents.search.search_settings import Budget, settings_of
from pocketmars_agents.search.search_tree import ROOT
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.view import View, Views

EDGES_PER_SIMULATION = 16
SIMULATIONS_PER_SECOND = 250_000
MAX_EDGES = 1 << 21
"""Maximum number of edges (about 150 MB). A full tree stops growing, but the search continues."""
LONGEST_LINE = 32


@dataclass(frozen=True)
class SearchResult:
    """Result of a search.

    Attributes:
        actions: ``(n,)`` int64: the legal actions, ascending.
        visits: ``(n,)`` int64: number of simulations that began with each action.
        values: ``(n,)`` float64: mean value of each action for the searching seat; with the objective
            "win" approximately the win probability.
        priors: ``(n,)`` float64: prior of each action. For `IsmctsAgent` its value at the end of the turn
            in the first determinization (zeros with the rollout "random"); for `PuctAgent` the
            network's probability.
        seat_values: ``(seats,)`` float64: mean value of the position for every seat over all
            simulations; they sum to 1. NaN without simulations.
        simulations: number of simulations; 0 if there was only one legal action.
        line: principal variation: the most visited actions from the root on, in the first determinization;
            empty if it was not requested.

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
        """The action with the most visits; ties go to the highest value, then to the lowest action."""
        return most_visited(self.actions, self.visits, self.values)


def most_visited(actions: NDArray[np.int64], visits: NDArray[np.int64], values: NDArray[np.float64]) -> int:
    return int(actions[np.lexsort((-values, -visits))[0]])


class TreeSearcher(ABC):
    """Tree search with a fixed budget of simulations or seconds for every decision.

    With a budget of simulations, a decision depends on the view and the random stream only. With a budget
    of seconds, it also depends on the speed of the machine, so runs cannot be repeated.

    Args:
        name: the agent's name.
        budget: budget for each decision.

    Attributes:
        kind: the meaning of its values, see `Estimate`.

    """

    kind = CHANCE
    bot: ClassVar[str]
    """The bot's name without settings."""
    options: ClassVar[Mapping[str, Callable[[str], Any]]]
    """Parsers of the settings that may follow the budget in a name."""
    accepted_names: ClassVar[str]
    """The accepted names, for error messages."""

    def __init__(self, name: str, budget: Budget) -> None:
        self.name = name
        self.budget = budget
        self._tree = PerGame(self._new_tree)

    def _new_tree(self, spec: GameSpec) -> Tree:
        most = spec.num_actions + EDGES_PER_SIMULATION * self.budget.expected(SIMULATIONS_PER_SECOND)
        return new_tree(min(MAX_EDGES, most), spec.max_seats)

    @classmethod
    def settings_of(cls, name: str) -> dict[str, Any]:
        """Returns the settings in a name."""
        return settings_of(name, cls.bot, cls.options, cls.accepted_names)

    @classmethod
    def from_name(cls, name: str) -> Self:
        """Makes the agent for a name, e.g. ``"ismcts:0.5s:objective=score"`` or ``"puct:400"``.

        Raises:
            ValueError: if the name is not accepted; the message lists the accepted names.

        """
        return cls(**cls.settings_of(name))

    # --- implemented by each kind of search -------------------------------------------------------

    @abstractmethod
    def ensure_ready(self, spec: GameSpec) -> None:
        """Compiles the search for a game once."""

    @abstractmethod
    def _simulate(
        self,
        spec: GameSpec,
        states: States,
        seat: int,
        seed: np.uint64,
        perfect_information: bool,
        root_action: int,
    ) -> None:
        """Runs the simulations of one search, starting from an empty tree."""

    @abstractmethod
    def _values_of(self, edges: Edges) -> NDArray[np.float64]:
        """Returns the values of edges for the seat to play at their node."""

    # --- decisions --------------------------------------------------------------------------------

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Returns the best action.

        Raises:
            ValueError: if it is not the seat's turn to decide.

        """
        check_to_play(view)
        views = view.as_batch()
        return int(self.act_batch(views, rng.integers(0, 2**64, size=1, dtype=np.uint64))[0])

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Returns the best action for every view; see `BatchAgent`. A time budget applies to each view."""
        self.ensure_ready(views.spec)
        actions = np.empty(len(views), dtype=np.int64)
        for k in range(len(views)):
            legal = self._explore(views.spec, views.states[k : k + 1], int(views.seats[k]), seeds[k], False)
            edges = self._edges_of(views.spec, ROOT, legal)
            actions[k] = most_visited(legal, edges["visits"], self._values_of(edges))
        return actions

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Returns visit distributions as imitation targets, ``(n, NUM_ACTIONS)`` float32.

        Each row has the actions' shares of the simulations, which sum to 1.
        """
        self.ensure_ready(views.spec)
        shares = np.zeros((len(views), views.spec.num_actions), dtype=np.float32)
        for k in range(len(views)):
            actions = self._explore(views.spec, views.states[k : k + 1], int(views.seats[k]), seeds[k], False)
            visits = self._edges_of(views.spec, ROOT, actions)["visits"]
            # no visits: one legal action, or no simulation got past the root
            shares[k, actions] = visits / visits.sum() if visits.any() else 1.0 / len(actions)
        return shares

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """Returns the best action and its mean value over the simulations; see `ValuedAgent`.

        Raises:
            ValueError: if it is not the seat's turn to decide.

        """
        found = self.search(view, rng)
        if not found.simulations:
            return Estimate(found.best, None, self.kind)
        return Estimate(found.best, float(found.values[found.actions == found.best][0]), self.kind)

    def judge(self, view: View, action: int, rng: np.random.Generator) -> Judgement:
        """Compares an action with the best one; see `JudgingAgent`.

        A search finds the best action. Then each of the two is searched alone with the whole budget, on the
        same determinizations: an action that the first search rejects early has a poor estimate there.

        Raises:
            ValueError: if it is not the seat's turn to decide, or the action is not legal.

        """
        check_to_play(view)
        seed = rng.integers(0, 2**64, dtype=np.uint64)
        found = self.search_states(view.spec, view.states, view.seat, seed, with_line=False)
        values = np.full(len(found.actions), -np.inf)
        for one in {found.best, action}:
            self._explore(view.spec, view.states, view.seat, seed, False, one)
            edges = self._edges_of(view.spec, ROOT, found.actions)
            is_it = found.actions == one
            values[is_it] = self._values_of(edges)[is_it]
        return judgement_of(found.actions, values, action, self.kind)

    def search(self, view: View, rng: np.random.Generator) -> SearchResult:
        """Runs the same search as `act` and returns the full result, for analysis and hints.

        Raises:
            ValueError: if it is not the seat's turn to decide.

        """
        check_to_play(view)
        return self.search_states(view.spec, view.states, view.seat, rng.integers(0, 2**64, dtype=np.uint64))

    def search_states(
        self,
        spec: GameSpec,
        states: States,
        seat: int,
        seed: np.uint64,
        perfect_information: bool = False,
        with_line: bool = True,
    ) -> SearchResult:
        """Searches from the single state in `states`, in which `seat` is to play.

        Args:
            spec: the game.
            states: ``(1,)`` `STATE`, taken from a view unless `perfect_information`.
            seat: the searching seat.
            seed: uint64: seed of all simulations.
            perfect_information: whether the search sees all cards; only for `full_information.py`.
            with_line: whether to compute the principal variation too, which takes time.

        """
        self.ensure_ready(spec)
        actions = self._explore(spec, states, seat, seed, perfect_information)
        edges = self._edges_of(spec, ROOT, actions)
        tree = self._tree.of(spec)
        made = int(tree.counts[MADE])
        seats = spec.config_of(states[0]).seats
        line: tuple[int, ...] = ()
        if with_line:
            line = (
                self._principal_line(spec, states, seat, seed, perfect_information)
                if made
                else (int(actions[0]),)
            )
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
        self,
        spec: GameSpec,
        states: States,
        seat: int,
        seed: np.uint64,
        perfect_information: bool,
        root_action: int = ANY,
    ) -> NDArray[np.int64]:
        """Grows a new tree unless there is only one legal action; returns the legal actions, ascending."""
        search_module("ismcts", spec).clear_tree(self._tree.of(spec))
        actions = legal_in(spec, states)
        if len(actions) > 1:
            self._simulate(spec, states, seat, seed, perfect_information, root_action)
        return actions

    def _edges_of(self, spec: GameSpec, node: np.uint64, actions: NDArray[np.int64]) -> Edges:
        """Returns a node's edges, ``(n,)`` `EDGE`; zeros for missing ones."""
        edges = new_edges(len(actions))
        search_module("ismcts", spec).read_node(node, actions, self._tree.of(spec), edges)
        return edges

    def _principal_line(
        self, spec: GameSpec, states: States, seat: int, seed: np.uint64, perfect_information: bool
    ) -> tuple[int, ...]:
        """Returns the most visited actions in the determinization of the first simulation."""
        sample, line, node, ismcts = copy_states(states), list[int](), ROOT, search_module("ismcts", spec)
        ismcts.write_first_determinization(states, sample, seat, seed, perfect_information)
        while len(line) < LONGEST_LINE:
            actions = legal_in(spec, sample)
            visits = self._edges_of(spec, node, actions)["visits"]
            if len(actions) != 1 and visits.sum() == 0:  # also at the end of the game
                break
            line.append(int(actions[visits.argmax()]))
            label = ismcts.label_at(sample, line[-1], seat, perfect_information)
            spec.batch.step_at(sample, 0, line[-1])
            node = np.uint64(ismcts.child_at(node, label, sample, seat))
        return tuple(line)


def legal_in(spec: GameSpec, states: States) -> NDArray[np.int64]:
    """Returns the legal actions of the single state, ``(n,)`` int64, ascending."""
    actions = np.empty(spec.num_actions, dtype=np.int64)
    return actions[: spec.batch.legal_at(states, 0, actions)]
