"""Collection of rollouts, with advantages, from all seats that the learner plays."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common.device import NetworkInputs, to_device
from pocketmars_training.common.network import log_probs_of, masked, sample_actions
from pocketmars_training.common.self_play_table import (
    FinishedGame,
    Opponents,
    Result,
    tables_of,
    win_shares_from,
)

Forward = Callable[[torch.Tensor], tuple[torch.Tensor, ...]]
"""A function that maps stored observations to unmasked logits, values and optional further outputs. All
outputs are float32 tensors on the device where the collector keeps its rollouts."""


class Decision(NamedTuple):
    """A decision of the learner in a running game."""

    observation: NDArray[Any]  # (OBSERVATION_SIZE,) uint8 or float32, see `NetworkInputs`
    mask: NDArray[np.bool_]  # (NUM_ACTIONS,)
    action: int
    log_prob: float
    value: float
    seat: int


class RolloutBuffer(NamedTuple):
    """Decisions of the learner, with their advantages and the win shares of the games."""

    observations: torch.Tensor  # (n, OBSERVATION_SIZE) uint8 or float32, see `NetworkInputs`
    masks: torch.Tensor  # (n, NUM_ACTIONS) bool
    actions: torch.Tensor  # (n,) int64
    log_probs: torch.Tensor  # (n,) float32
    values: torch.Tensor  # (n,) float32
    advantages: torch.Tensor  # (n,) float32
    win_shares: torch.Tensor  # (n, MAX_SEATS) float32, in turn order from the deciding seat
    seats: torch.Tensor  # (n,) int64, the number of seats in the game

    @property
    def size(self) -> int:
        return len(self.actions)

    def batch(self, rows: NDArray[np.int64]) -> "RolloutBuffer":
        """Return the decisions in the given rows."""
        chosen = to_device(torch.from_numpy(rows), self.actions.device)
        return RolloutBuffer(*(column[chosen] for column in self))

    def to(self, device: torch.device) -> "RolloutBuffer":
        return RolloutBuffer(*(to_device(column, device) for column in self))


def concatenate(parts: Sequence[RolloutBuffer]) -> RolloutBuffer:
    """Concatenate the decisions of several buffers."""
    return RolloutBuffer(*map(torch.cat, zip(*parts, strict=True)))


def joined(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the concatenated arrays; a single array is returned without copying it."""
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def advantages_of(
    values: NDArray[np.float32], reward: float, gamma: float, gae_lambda: float
) -> NDArray[np.float32]:
    """Compute the advantages ``(n,)`` of one seat's decisions in a game with only a final reward.

    The method is generalized advantage estimation (Schulman et al., ICLR 2016).

    Args:
        values: ``(n,)`` float32, the value estimates at the seat's decisions, in order.
        reward: the final reward.
        gamma: the discount factor per decision.
        gae_lambda: λ. With 1, the return is estimated from the final reward; with 0, from the value at the
            seat's next decision or, for the last decision, from the final reward.

    """
    advantages = np.empty_like(values)
    target, advantage = reward, 0.0
    for k in range(len(values) - 1, -1, -1):
        advantage = target - values[k] + gamma * gae_lambda * advantage
        target = gamma * values[k]
        advantages[k] = advantage
    return advantages


class RolloutCollector:
    """Plays games of several kinds, `counts[k]` of kind `k`, and collects the learner's decisions.

    For `opponents` and `deals`, see `SelfPlayTable`; for `gamma` and `gae_lambda`, see `advantages_of`.
    `results` are those of the games that ended in the latest call of `collect`.
    """

    def __init__(
        self,
        spec: GameSpec,
        inputs: NetworkInputs,
        counts: Sequence[int],
        kinds: Sequence[Mapping[str, Any]],
        opponents: Opponents,
        gamma: float,
        gae_lambda: float,
        seed: Sequence[int],
        deals: int = 0,
    ) -> None:
        self._inputs, self._max_seats = inputs, spec.max_seats
        self._gamma, self._gae_lambda = gamma, gae_lambda
        self.results: list[Result] = []
        rng = np.random.default_rng(seed)
        self._generator = torch.Generator().manual_seed(int(rng.integers(2**63)))
        self.games = tables_of(spec, counts, kinds, opponents, rng, deals)

    def collect(self, forward: Forward, n_timesteps: int) -> RolloutBuffer:
        """Play until the finished games contain at least `n_timesteps` decisions, and return these decisions.

        Unfinished games continue in the next call. Their earlier decisions keep the log-probabilities and
        values of the network that made them.
        """
        parts: list[RolloutBuffer] = []
        self.results, size = [], 0
        while size < n_timesteps:
            for part in self._step(forward):
                parts.append(part)
                size += part.size
        return concatenate(parts)

    def _step(self, forward: Forward) -> list[RolloutBuffer]:
        """Play one action in every game."""
        indices = [games.learner_games() for games in self.games]
        views = [games.learner_views(selected) for games, selected in zip(self.games, indices)]
        observations, flags = map(joined, zip(*map(self._inputs.observe, views)))
        masks = flags != 0
        with torch.no_grad():
            logits, values, *_ = forward(torch.from_numpy(observations))
            policies = masked(logits, torch.from_numpy(masks)).log_softmax(dim=1)
            actions = sample_actions(policies, self._generator)
            log_probs = log_probs_of(actions, policies)
        seats = np.concatenate([batch.seats for batch in views])
        columns = (actions, log_probs, values, seats)
        decisions = map(Decision, observations, masks, *(column.tolist() for column in columns))
        ends = np.cumsum([len(selected) for selected in indices])[:-1]
        parts = []
        for games, selected, chosen in zip(self.games, indices, np.split(actions.numpy(), ends)):
            # takes one decision for each of its games
            for index, decision in zip(selected.tolist(), decisions):
                games.record(index, decision)
            ended = [game for game in games.step(selected, chosen) if game.decisions]
            self.results += [game.result for game in ended]
            if ended:
                parts.append(self._finish(ended))
        return parts

    def _finish(self, games: Sequence[FinishedGame]) -> RolloutBuffer:
        """Combine the decisions in finished games of one kind, and add advantages and win shares."""
        decisions = [decision for game in games for decision in game.decisions]
        observations, masks, actions, log_probs, all_values, seats = map(np.array, zip(*decisions))
        values, rewards = all_values.astype(np.float32), np.stack([game.result.rewards for game in games])
        numbers = np.repeat(np.arange(len(games)), [len(game.decisions) for game in games])
        advantages = np.empty_like(values)
        indices = numbers * rewards.shape[1] + seats
        order = np.argsort(indices, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(indices[order])) + 1):
            reward = rewards.flat[indices[rows[0]]]
            advantages[rows] = advantages_of(values[rows], reward, self._gamma, self._gae_lambda)
        columns = (
            observations,
            masks,
            actions,
            log_probs.astype(np.float32),
            values,
            advantages,
            win_shares_from(seats, rewards[numbers], self._max_seats),
            np.full(len(values), rewards.shape[1]),
        )
        return RolloutBuffer(*map(torch.from_numpy, columns))
