"""Bot that uses information-set Monte Carlo tree search; see `search/ismcts.py`."""

from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from pocketmars_agents.bots.bot_options import SearchOptions
from pocketmars_agents.bots.estimates import CHANCE, SHARE
from pocketmars_agents.bots.per_thread import PerThread
from pocketmars_agents.bots.tree_searcher import Root, TreeSearcher
from pocketmars_agents.search import arrays
from pocketmars_agents.search.arrays import Edges
from pocketmars_agents.search.evaluations import compile_search, evaluation_of, search_module
from pocketmars_agents.search.ismcts import GREEDY, PLANNER, RANDOM
from pocketmars_agents.search.objectives import SCORE, WIN
from pocketmars_env.core.game_spec import GameSpec

ROLLOUTS = {"planner": PLANNER, "greedy": GREEDY, "random": RANDOM}
OBJECTIVES = {"win": WIN, "score": SCORE}

ACCEPTED_NAMES = (
    "'ismcts', 'ismcts:1000' (simulations) or 'ismcts:0.5s' (seconds for each decision), "
    f"optionally followed by ':rollout={'|'.join(ROLLOUTS)}', ':objective={'|'.join(OBJECTIVES)}' or "
    "':exploration=0.1'"
)

EXPLORATION = {"planner": 0.05, "greedy": 0.05, "random": 0.5}
"""Default exploration weight for each kind of rollout. Random rollouts need a higher weight, because the
results of random games vary more than the estimates of the other rollouts."""
PRIOR_WEIGHT = {"planner": 1.0, "greedy": 1.0, "random": 0.0}
"""Weight of an edge's prior for each kind of rollout, as a number of simulations. The prior is the
estimated value at the end of the turn, computed when the edge is added. With random rollouts, there is no
prior."""


class IsmctsOptions(SearchOptions):
    """The settings in the name of an `IsmctsAgent`."""

    bot, usual = "ismcts", 1_000

    rollout: Literal["planner", "greedy", "random"] = "planner"
    objective: Literal["win", "score"] = "win"
    exploration: Annotated[float, Meta(ge=0, le=100)] | None = None

    def defaults(self) -> dict[str, Any]:
        """See `BotOptions.defaults`; the default exploration depends on the rollouts."""
        return super().defaults() | {"exploration": EXPLORATION[self.rollout]}


class IsmctsAgent(TreeSearcher):
    """Information-set Monte Carlo tree search with rollouts.

    Args:
        simulations: number of simulations per decision, in 1..10,000,000; by default 1,000.
        seconds: time per decision in seconds, instead of `simulations`; above 0, up to 3,600.
        rollout: how to evaluate a new position. ``"planner"`` searches the actions of the seat to play until
            the end of the turn, and uses the highest value estimated at that point. ``"greedy"`` searches
            only the next action and then plays default actions (see `search/look_ahead.py`) until the end of
            the turn. ``"random"`` plays random actions until the end of the game.
        objective: ``"win"`` maximizes the win probability (with points as the tie-break); ``"score"``
            maximizes the lead over the mean score of all seats.
        exploration: weight of the exploration term, in 0..100; by default 0.05, or 0.5 with random rollouts.

    """

    options_type = IsmctsOptions

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        rollout: str = "planner",
        objective: str = "win",
        exploration: float | None = None,
    ) -> None:
        options = IsmctsOptions.of(
            simulations=simulations,
            seconds=seconds,
            rollout=rollout,
            objective=objective,
            exploration=exploration,
        )
        super().__init__(options)
        self.settings = arrays.Settings(
            ROLLOUTS[rollout],
            OBJECTIVES[objective],
            EXPLORATION[rollout] if options.exploration is None else options.exploration,
            PRIOR_WEIGHT[rollout],
        )
        self.kind = CHANCE if objective == "win" else SHARE
        self._scratch = PerThread(arrays.new_scratch)

    def prepare(self, spec: GameSpec) -> None:
        compile_search(spec, "search", 5, "search_tree", "ismcts")

    def _simulate(self, root: Root) -> None:
        settings = self.settings._replace(root_action=root.action)
        weights = evaluation_of(root.spec).weights_of(root.states)
        tree, scratch, end = self._tree(root.spec), self._scratch(root.spec), self._end()
        simulate = search_module("ismcts", root.spec).simulate
        while (number := self._next_number(tree, end)) > 0:
            simulate(root.states, root.seat, root.seed, number, settings, weights, tree, scratch)

    def _values_of(self, edges: Edges) -> NDArray[np.float64]:
        """Return the mean value of each edge; 0 for an edge without simulations and without a prior.

        The prior counts as ``settings.prior_weight`` simulations.
        """
        weights = self.settings.prior_weight + edges["visits"]
        totals = self.settings.prior_weight * edges["prior"] + edges["total"]
        values: NDArray[np.float64] = totals / np.where(weights > 0.0, weights, 1.0)
        return values
