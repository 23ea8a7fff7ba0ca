"""The expert of expert iteration: a search guided by a network."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from pocketmars_agents.bots.mmd_agent import MmdAgent
from pocketmars_agents.bots.puct_agent import CompiledNetwork, PuctAgent
from pocketmars_agents.bots.tree_searcher import Root, SearchResult, TreeSearcher
from pocketmars_agents.network.mlp import Mlp
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import GameSpec

SEARCHES = ("puct", "mmd")
EXPLORATION = 1.0
"""PUCT's exploration constant. It is higher than the default of `PuctAgent`, because the training targets
use the value estimates of all actions."""
PRIOR_WEIGHT = 8.0
"""Weight, in simulations, of the prior assumption that an action has the same value as the position."""


class SearchTargets(NamedTuple):
    """Training targets from the searches of n positions."""

    policies: NDArray[np.float32]  # (n, NUM_ACTIONS)
    win_shares: NDArray[np.float32]  # (n, MAX_SEATS) estimates, in turn order from the seat to play
    """NaN if the search ``"mmd"`` has nothing to do, because the policy is sure."""


class Expert:
    """Searches positions on several threads in parallel; the compiled search releases the GIL.

    `temperature` is the divisor of the network's logits in ``"puct"``; the rollouts of ``"mmd"`` are played
    by the network. `sharpness` is the increase of an action's target logit per unit of advantage.
    """

    def __init__(
        self,
        spec: GameSpec,
        mlp: Mlp,
        search: str,
        simulations: int,
        temperature: float,
        sharpness: float,
        threads: int,
    ) -> None:
        self._network = network = CompiledNetwork(mlp)
        self._temperature, self._sharpness = temperature if search == "puct" else 1.0, sharpness
        self._searchers: list[TreeSearcher] = [
            PuctAgent(simulations, exploration=EXPLORATION, temperature=temperature, network=network)
            if search == "puct"
            else MmdAgent(simulations, network=network)
            for _ in range(threads)
        ]
        self._searchers[0].prepare(spec)  # compile once here, not in every thread
        self._pool = ThreadPoolExecutor(threads)

    def set_network(self, mlp: Mlp) -> None:
        """Set the network for later searches."""
        self._network.set_mlp(mlp)

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown()

    def search(self, views: Views, seeds: NDArray[np.uint64]) -> SearchTargets:
        """Search n positions, in each of which the seat to play has several legal actions.

        Args:
            views: the views of the seats to play.
            seeds: ``(n,)`` uint64, one per view; a view's targets do not depend on the other views and seeds.

        """
        count, spec = len(views), views.spec
        targets = SearchTargets(
            np.zeros((count, spec.num_actions), np.float32), np.zeros((count, spec.max_seats), np.float32)
        )
        parts = np.array_split(np.arange(count), len(self._searchers))

        def search(searcher: TreeSearcher, part: NDArray[np.int64]) -> None:
            for k in part:
                state, seat = views.states[k : k + 1], int(views.seats[k])
                result = searcher.search_from(Root(spec, state, seat, seeds[k]), with_line=False)
                policy = improved_policy(result, seat, self._temperature, self._sharpness)
                targets.policies[k, result.actions] = policy
                targets.win_shares[k, : len(result.seat_values)] = np.roll(result.seat_values, -seat)

        list(self._pool.map(search, self._searchers, parts))
        return targets


def improved_policy(
    result: SearchResult, seat: int, temperature: float, sharpness: float
) -> NDArray[np.float64]:
    """Return the target policy ``(n,)`` float64 over the n legal actions in a searched position.

    The target is the network's policy with a change to the logit of each action, as in Danihelka et al.,
    "Policy improvement by planning with Gumbel", ICLR 2022. The change is proportional to the action's
    advantage, which is the action's value in the search minus the position's value. For actions with few
    visits, the change is small; see `PRIOR_WEIGHT`. Unlike a target proportional to the visit counts, this
    target gives no extra probability to actions that the search visits only for exploration.
    """
    evidence = result.visits / (result.visits + PRIOR_WEIGHT)
    gains = evidence * (result.values - result.seat_values[seat]) if result.simulations else 0.0
    logits = temperature * np.log(np.maximum(result.priors, np.finfo(float).tiny)) + sharpness * gains
    policy: NDArray[np.float64] = scipy.special.softmax(logits)
    return policy
