"""The expert of expert iteration: a search guided by the network it teaches."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.puct_agent import Indifferent, PuctAgent
from pocketmars_agents.bots.tree_searcher import SearchResult
from pocketmars_agents.network.mlp import CompactMlp, Mlp, compact
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.view import Views

EXPLORATION = 1.0
"""More than of a `PuctAgent` by itself: the worth of the other answers counts, too."""
TRUST = 8.0
"""As many simulations count what the position is worth to all answers alike."""


class Advice(NamedTuple):
    """What the expert says of n positions."""

    policies: NDArray[np.float32]  # (n, NUM_ACTIONS) how probable each answer should be
    shares: NDArray[np.float32]  # (n, MAX_SEATS) of the win, expected for the seats from the asked one on


class Present(Indifferent):
    """The network as it is now, for all seats."""

    def __init__(self, mlp: Mlp) -> None:
        self.become(mlp)

    def become(self, mlp: Mlp) -> None:
        """Be another network from now on."""
        self._network = compact(mlp)

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp]:
        """As `Compilable` has it."""
        return self._network, self._network


class Expert:
    """Searches many positions, on several threads: the kernels do not hold Python's lock.

    Args:
        spec: the game.
        mlp: the network.
        simulations: of each search.
        temperature: the network's logits are divided by that in the search, see `PuctAgent`.
        sharpness: how much an answer's logit gains by a chance to win that is higher by 1.
        threads: how many.

    """

    def __init__(
        self, spec: GameSpec, mlp: Mlp, simulations: int, temperature: float, sharpness: float, threads: int
    ) -> None:
        self._present = Present(mlp)
        self._temperature, self._sharpness = temperature, sharpness
        self._searchers = [
            PuctAgent(simulations, None, None, EXPLORATION, temperature, self._present)
            for _ in range(threads)
        ]
        self._searchers[0].ensure_ready(spec)  # threads that compile at once would each do it
        self._pool = ThreadPoolExecutor(threads)

    def become(self, mlp: Mlp) -> None:
        """Search with another network from now on."""
        self._present.become(mlp)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def advise(self, views: Views, seeds: NDArray[np.uint64]) -> Advice:
        """Search positions, in each of which the seat has a choice.

        Args:
            views: n views of seats that are asked.
            seeds: ``(n,)`` uint64; what is said of a view depends on it and its seed alone.

        """
        count, spec = len(views), views.spec
        advice = Advice(
            np.zeros((count, spec.num_actions), np.float32), np.zeros((count, spec.max_seats), np.float32)
        )
        parts = np.array_split(np.arange(count), len(self._searchers))

        def search(searcher: PuctAgent, part: NDArray[np.int64]) -> None:
            for k in part:
                state, seat = views.states[k : k + 1], int(views.seats[k])
                found = searcher.search_states(views.spec, state, seat, seeds[k], with_line=False)
                policy = improved_policy(found, seat, self._temperature, self._sharpness)
                advice.policies[k, found.actions] = policy
                advice.shares[k, : len(found.seat_values)] = np.roll(found.seat_values, -seat)

        list(self._pool.map(search, self._searchers, parts))
        return advice


def improved_policy(
    found: SearchResult, seat: int, temperature: float, sharpness: float
) -> NDArray[np.float64]:
    """``(n,)`` float64: how probable the answers of a search should be: a policy better than the network's.

    The network's own policy, in which every answer's logit has gained by what the search found it to be
    worth (Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022): so the network does not
    learn how much a search tries beside the best answer. Few simulations say little: `TRUST`.

    Args:
        found: by a search with the network.
        seat: the searching seat.
        temperature: of that search.
        sharpness: how much a logit gains by a chance to win that is higher by 1.

    """
    known = found.visits / (found.visits + TRUST)
    gains = known * (found.values - found.seat_values[seat])
    logits = temperature * np.log(np.maximum(found.priors, np.finfo(float).tiny)) + sharpness * gains
    probabilities = np.exp(logits - logits.max())
    policy: NDArray[np.float64] = probabilities / probabilities.sum()
    return policy
