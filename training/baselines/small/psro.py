"""Policy-space response oracles (PSRO; Lanctot et al., 2017, arXiv 1711.00832).

Each oracle is a network that PPO trains in either seat against a mixture of all earlier ones, starting from
the latest one. The payoffs between the policies are estimated from games, which also count. The strategy is
the mixture of the policies, of which a seat draws one for a whole game.

The mixture is an equilibrium of the payoffs, or their α-rank (Muller et al., 2019, arXiv 1909.12823). The
oracle is a best response in both cases, not the preference-based one of Muller et al.
"""

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy
import torch
from numpy.typing import NDArray
from torch import optim

from pocketmars_agents.arena.meta_game import alpha_rank

from .learning_game import Integers, LearningGame, Policy
from .ppo import SETTINGS as PPO_SETTINGS
from .ppo import update

SETTINGS: dict[str, Any] = PPO_SETTINGS | {
    "learning_rate": 2e-3,
    "decisions_per_oracle": 25_000,
    "payoff_games": 100,
    "meta_solver": "nash",
}


def train(game: LearningGame, seed: int, settings: dict[str, Any]) -> Iterator[tuple[int, Callable[[], Any]]]:
    """Yield the number of decisions after each iteration, and a function that returns the strategy."""
    torch.manual_seed(seed)
    rng, decisions = np.random.default_rng(seed), 0
    networks = [game.network(game.num_actions + 1, settings["hidden"])]
    mixture, payoffs = np.ones(1), np.zeros((1, 1))
    while True:
        policies: list[Policy] = [game.policy(network) for network in networks]
        yield decisions, partial(game.mixed_strategy, policies, mixture)
        network = copy.deepcopy(networks[-1])
        optimizer = optim.Adam(network.parameters(), lr=settings["learning_rate"])
        learner, end = game.policy(network), decisions + settings["decisions_per_oracle"]
        while decisions < end:
            opponents = rng.choice(len(policies), size=settings["games"], p=mixture)
            own = rng.integers(2, size=settings["games"])
            games = game.play(versus(game, learner, own, policies, opponents), settings["games"], rng)
            learned = np.flatnonzero(games.seats == own[games.games])
            update(game, network, optimizer, games, learned, settings, rng)
            decisions += len(games)
        row = np.zeros(len(policies))
        for k in range(len(policies)):
            own = np.arange(settings["payoff_games"]) % 2
            opponents = np.full(settings["payoff_games"], k)
            games = game.play(versus(game, learner, own, policies, opponents), settings["payoff_games"], rng)
            row[k] = games.utilities[np.arange(len(own)), own].mean()
            decisions += len(games)
        networks.append(network)
        payoffs = np.block([[payoffs, -row[:, None]], [row, np.zeros(1)]])
        mixture = META_SOLVERS[settings["meta_solver"]](payoffs)


def versus(
    game: LearningGame, learner: Policy, own: Integers, policies: list[Policy], opponents: Integers
) -> Policy:
    """Return the policy of games in which `learner` has the seats `own`, and the other seat an opponent."""

    def policy(infosets: Integers, games: Integers) -> NDArray[np.float32]:
        players = np.where(game.seats[infosets] == own[games], -1, opponents[games])
        probabilities = np.empty((len(infosets), game.num_actions), dtype=np.float32)
        for player in np.unique(players):
            rows = players == player
            chosen = learner if player < 0 else policies[player]
            probabilities[rows] = chosen(infosets[rows], games[rows])
        return probabilities

    return policy


def equilibrium(payoffs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an equilibrium strategy of the symmetric zero-sum game with the given payoffs of its rows."""
    count = len(payoffs)
    result = scipy.optimize.linprog(
        np.append(np.zeros(count), -1),
        A_ub=np.column_stack([-payoffs.T, np.ones(count)]),
        b_ub=np.zeros(count),
        A_eq=np.append(np.ones(count), 0)[None],
        b_eq=[1],
        bounds=[(0, None)] * count + [(None, None)],
    )
    mixture: NDArray[np.float64] = result.x[:-1].clip(0)
    mixture /= mixture.sum()
    return mixture


META_SOLVERS = {"nash": equilibrium, "alpha_rank": alpha_rank}
"""The meta-solvers by name."""
