"""The look-ahead bots `greedy` and `planner`; see `search/look_ahead.py`."""

from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import NDArray

from pocketmars_agents.bots.batched import BatchedAgent, seed_for
from pocketmars_agents.bots.estimates import CHANCE, Estimate, Judgement, judgement_of
from pocketmars_agents.bots.per_thread import PerThread
from pocketmars_agents.search.arrays import new_line
from pocketmars_agents.search.evaluations import compile_search, evaluation_of, search_module
from pocketmars_env.core.game import View, Views
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.settings import check_integer

MAX_DETERMINIZATIONS = 10_000
PREFERENCE = 0.02
"""Temperature of the softmax in `LookAheadAgent.preferences`, in units of win probability."""


class LookAheadAgent(BatchedAgent):
    """Base class of `GreedyAgent` and `PlannerAgent`, which both use the search in `search/look_ahead.py`."""

    kind: ClassVar[str]
    """The name of the agent with the default number of determinizations."""
    default: ClassVar[int]
    """The default number of determinizations per decision."""
    is_planner: ClassVar[bool]
    """Whether the agent also searches its later decisions in the same turn."""

    def __init__(self, determinizations: int | None = None) -> None:
        number = self.default if determinizations is None else determinizations
        check_integer(f"determinizations of {self.kind}", number, 1, MAX_DETERMINIZATIONS)
        self.name = self.kind if number == self.default else f"{self.kind}:{number}"
        self.determinizations = number
        self._line = PerThread(new_line)

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """Return the best action and its estimated win probability; see `ValuedAgent`."""
        actions, sums = self._best(view.as_batch(), seed_for(view, rng))
        action = int(actions[0])
        return Estimate(action, float(sums[0, view.legal.index(action)]) / self.determinizations)

    def judge(self, view: View, action: int, rng: np.random.Generator) -> Judgement:
        """Compare an action with the best action; see `JudgingAgent`."""
        sums = self._best(view.as_batch(), seed_for(view, rng))[1][0, : len(view.legal)]
        return judgement_of(np.array(view.legal), sums / self.determinizations, action, CHANCE)

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the best action for every view; see `BatchAgent`."""
        return self._best(views, seeds)[0]

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return action probabilities as targets for imitation learning, ``(n, NUM_ACTIONS)`` float32.

        Each row is a softmax of the values of the legal actions, with the temperature `PREFERENCE`. Illegal
        actions have probability 0.
        """
        values = self._best(views, seeds)[1]
        is_legal = views.masks != 0
        # column k of `values` belongs to the k-th legal action; move each value to the column of its action
        of_actions = np.take_along_axis(values, np.maximum(np.cumsum(is_legal, axis=1) - 1, 0), axis=1)
        odds = np.where(is_legal, of_actions / (self.determinizations * PREFERENCE), -np.inf)
        shares: NDArray[np.float32] = scipy.special.softmax(odds, axis=1).astype(np.float32)
        return shares

    def prepare(self, spec: GameSpec) -> None:
        compile_search(spec, "look-ahead", 4, "look_ahead")

    def _best(self, views: Views, seeds: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the best actions, and the sums of the action values over the determinizations.

        The actions have the shape ``(n,)``, the sums ``(n, NUM_ACTIONS)``. Column k of the sums belongs to
        the k-th legal action; the remaining columns are undefined.
        """
        self.prepare(views.spec)
        weights, line = evaluation_of(views.spec).weights_of(views.states), self._line(views.spec)
        actions = np.empty(len(views), dtype=np.int64)
        values = np.empty((len(views), views.spec.num_actions), dtype=np.float64)
        search_module("look_ahead", views.spec).best_actions(
            views.states,
            views.seats,
            seeds,
            self.determinizations,
            self.is_planner,
            weights,
            *line,
            values,
            actions,
        )
        return actions, values


class GreedyAgent(LookAheadAgent):
    """Agent with one-ply search: each legal action is followed by default actions until the turn ends.

    For the default actions, see `search/look_ahead.py`.
    """

    kind = "greedy"
    default = 8
    is_planner = False


class PlannerAgent(LookAheadAgent):
    """Agent that searches up to `MAX_DECISIONS` of its decisions in the turn, including the current one.

    In all other decisions of the turn, default actions are played; see `search/look_ahead.py`.
    """

    kind = "planner"
    default = 4
    is_planner = True
