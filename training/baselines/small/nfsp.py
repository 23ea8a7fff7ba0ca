"""Neural fictitious self-play (NFSP; Heinrich and Silver, 2016, arXiv 1603.01121).

A Q-network (double DQN) learns a best response to the average policy, and a second network imitates the best
responses of the past. In each game, each seat plays one of the two. The strategy is the average policy.
"""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import optim
from torch.nn import functional

from pocketmars_agents.exact.game_tree import Floats

from .learning_game import Games, Integers
from .ppo import descend
from .reservoir import Reservoir
from .small_game import SmallGame

SETTINGS: dict[str, Any] = {
    "games": 128,
    "anticipatory_param": 0.1,
    "replay_buffer_capacity": 100_000,
    "reservoir_buffer_capacity": 500_000,
    "batch_size": 512,
    "decisions_per_gradient_step": 128,
    "rl_learning_rate": 3e-3,
    "sl_learning_rate": 3e-3,
    "target_update_every": 200,  # gradient steps
    "epsilon": 0.06,
    "max_grad_norm": 10.0,
    "hidden": 64,
}


def train(game: SmallGame, seed: int, settings: dict[str, Any]) -> Iterator[tuple[int, Callable[[], Floats]]]:
    """Yield the number of decisions after each iteration, and a function that returns the strategy."""
    torch.manual_seed(seed)
    rng, decisions, gradient_steps = np.random.default_rng(seed), 0, 0
    response, average = (game.network(game.num_actions, settings["hidden"]) for _ in range(2))
    target = copy.deepcopy(response)
    response_optimizer = optim.Adam(response.parameters(), lr=settings["rl_learning_rate"])
    average_optimizer = optim.Adam(average.parameters(), lr=settings["sl_learning_rate"])
    average_policy = game.policy(average)
    transitions = np.empty((0, 4))
    imitated = Reservoir(settings["reservoir_buffer_capacity"], rng)

    def greedy(infosets: Integers, network: torch.nn.Module) -> torch.Tensor:
        return game.outputs(network, infosets).argmax(dim=1)

    while True:
        yield decisions, lambda: game.strategy(average_policy)
        responds = rng.random((settings["games"], 2)) < settings["anticipatory_param"]

        def policy(infosets: Integers, games: Integers, responds: Any = responds) -> Any:
            legal = game.masks[torch.from_numpy(infosets)]
            with torch.no_grad():
                best = functional.one_hot(greedy(infosets, response), game.num_actions)
            explored = legal / legal.sum(dim=1, keepdim=True)
            epsilon = settings["epsilon"]
            mixed = (epsilon * explored + (1 - epsilon) * best).numpy()
            return np.where(
                responds[games, game.seats[infosets]][:, None], mixed, average_policy(infosets, games)
            )

        games = game.play(policy, settings["games"], rng)
        decisions += len(games)
        imitated.add(np.stack([games.infosets, games.actions], 1)[responds[games.games, games.seats]])
        new = transitions_of(games)
        transitions = np.concatenate([transitions, new])[-settings["replay_buffer_capacity"] :]
        while gradient_steps * settings["decisions_per_gradient_step"] < decisions:
            batch = transitions[rng.integers(len(transitions), size=settings["batch_size"])]
            infosets, actions, following = batch[:, :3].T.astype(np.int64)
            goes_on, places = following >= 0, np.arange(len(batch))
            with torch.no_grad():
                best = greedy(following, response)
                later = game.outputs(target, following)[places, best].where(torch.from_numpy(goes_on), 0)
            goals = later + torch.from_numpy(batch[:, 3].astype(np.float32))
            chosen = game.outputs(response, infosets)[places, actions]
            descend(response, response_optimizer, functional.smooth_l1_loss(chosen, goals), settings)
            infosets, actions = imitated.sample(settings["batch_size"]).T
            loss = functional.cross_entropy(game.outputs(average, infosets), torch.from_numpy(actions))
            descend(average, average_optimizer, loss, settings)
            gradient_steps += 1
            if gradient_steps % settings["target_update_every"] == 0:
                target = copy.deepcopy(response)


def transitions_of(games: Games) -> Any:
    """Return ``(n, 4)``: information set, action, the seat's next information set or -1, and reward."""
    following = games.next_decisions()
    last, utilities = following < 0, games.utilities[games.games, games.seats]
    upcoming = np.where(last, -1, games.infosets[following])
    return np.stack([games.infosets, games.actions, upcoming, np.where(last, utilities, 0)], axis=1)
