"""Rollouts as tensors on the network's device, with the same number of decisions in every game.

`common/rollout_buffer.py` collects whole games, decision by decision in Python. Here, a rollout consists of
`n_steps` decisions in each game. Each step handles all games with the same settings at once, so the
more games there are, the less time a decision takes.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from pocketmars_agents import Agent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common.device import NetworkInputs
from pocketmars_training.common.network import log_probs_of, masked, sample_actions
from pocketmars_training.common.rollout_buffer import Forward, RolloutBuffer, concatenate
from pocketmars_training.common.self_play_table import LEARNER
from pocketmars_training.common.training_spec import GameKind
from pocketmars_training.device.games import TensorGames, tensor_games


class LineUps:
    """The player in each seat of N games; `SelfPlayTable` draws the same kind of line-ups on the CPU.

    `players`, ``(N, seats)`` int64, are `LEARNER` or the numbers of bots; a new game is a game with a bot
    with the probability `bot_share`. All tensors are on the device of the random number generator.
    """

    def __init__(
        self, count: int, seats: int, num_bots: int, bot_share: float, generator: torch.Generator
    ) -> None:
        self._num_bots, self._bot_share, self._generator = num_bots, bot_share, generator
        self.players = torch.full((count, seats), LEARNER, device=generator.device)
        self.redraw(torch.ones(count, dtype=torch.bool, device=generator.device))

    def redraw(self, which: torch.Tensor) -> None:
        """Draw new line-ups for the games selected by `which`, ``(N,)`` bool."""
        if self._num_bots == 0:
            return
        count, seats = self.players.shape
        device, generator = which.device, self._generator
        has_bot = torch.rand(count, device=device, generator=generator) < self._bot_share
        bots = torch.randint(self._num_bots, (count,), device=device, generator=generator)
        learners = torch.randint(seats, (count,), device=device, generator=generator)
        plays_bot = has_bot[:, None] & (torch.arange(seats, device=device) != learners[:, None])
        drawn = torch.where(plays_bot, bots[:, None], LEARNER)
        self.players = torch.where(which[:, None], drawn, self.players)

    def to_act(self, to_play: torch.Tensor) -> torch.Tensor:
        """Return the player to act in each game, ``(N,)`` int64, given the seats to play ``(N,)``."""
        return self.players.gather(1, to_play[:, None]).squeeze(1)


STAGGER_STEPS = 500
"""Number of random actions in each game before the first rollout: about the length of the longest games,
which are those of Pocket Mars with four players."""


class Rollout(NamedTuple):
    """T decisions of the seats to play, in each of N games.

    The first rows can be `pending` decisions of the previous rollout; the others are consecutive decisions.
    """

    observations: torch.Tensor  # (T, N, OBSERVATION_SIZE) uint8 or float32, see `NetworkInputs`
    masks: torch.Tensor  # (T, N, NUM_ACTIONS) bool
    actions: torch.Tensor  # (T, N) int64
    log_probs: torch.Tensor  # (T, N) float32
    values: torch.Tensor  # (T, N) float32
    to_play: torch.Tensor  # (T, N) int64, the seats that made the decisions
    over: torch.Tensor  # (T, N) bool, whether the decision ended the game
    winners: torch.Tensor  # (T, N, seats) bool, the winners if the game ended
    is_own: torch.Tensor  # (T, N) bool, whether the learner made the decision, not a bot

    def pending(self, rows: torch.Tensor) -> "Rollout":
        """Return the decisions in the given rows, with one row for each seat.

        Args:
            rows: ``(N, seats)`` int64, see `Estimates.pending`.

        """
        count, seats = rows.shape
        is_own = rows.T >= 0
        games, in_turn = (torch.arange(size, device=rows.device) for size in (count, seats))
        rollout = Rollout(*(column[rows.T.clamp(min=0), games] for column in self))
        to_play = in_turn[:, None].expand(seats, count)
        return rollout._replace(to_play=to_play, over=torch.zeros_like(is_own), is_own=is_own)


class Estimates(NamedTuple):
    """The estimated advantage and the win shares for each decision in a rollout."""

    is_known: torch.Tensor  # (T, N) bool, whether the decision has an advantage
    advantages: torch.Tensor  # (T, N) float32, 0 if unknown
    win_shares: torch.Tensor  # (T, N, seats) float32, in turn order from the deciding seat; 0 if unknown
    pending: torch.Tensor  # (N, seats) int64, the row of each seat's decision without an advantage, or -1


def estimates_of(rollout: Rollout, gamma: float, gae_lambda: float) -> Estimates:
    """Compute the advantages and win shares of a rollout.

    The method is generalized advantage estimation for each seat, as in `rollout_buffer.advantages_of`. If a
    game has not ended by the end of the rollout, each seat's last decision has no advantage yet, because the
    value estimate at the seat's next decision is unknown: the decision is pending, and belongs to the next
    rollout too. The advantages of the seat's earlier decisions in this game are bootstrapped from the value
    estimate at its last decision. The decisions of bots have no advantage.
    """
    steps, count, seats = rollout.winners.shape
    kwargs: dict[str, Any] = {"device": rollout.values.device}
    in_turn = torch.arange(seats, **kwargs)
    target, advantage, shares = (torch.zeros(count, seats, **kwargs) for _ in range(3))
    is_known = torch.zeros(count, seats, dtype=torch.bool, **kwargs)
    estimates = Estimates(
        torch.zeros(steps, count, dtype=torch.bool, **kwargs),
        torch.zeros(steps, count, **kwargs),
        torch.zeros(steps, count, seats, **kwargs),
        torch.full((count, seats), -1, **kwargs),
    )
    for t in range(steps - 1, -1, -1):
        ended = rollout.over[t, :, None]
        number = rollout.winners[t].sum(dim=1, keepdim=True).clamp(min=1)
        shares = torch.where(ended, rollout.winners[t] / number, shares)
        target = torch.where(ended, (seats * shares - 1) / (seats - 1), target)  # the rewards of type "win"
        advantage = torch.where(ended, 0.0, advantage)
        is_known = is_known | ended
        to_play, values = rollout.to_play[t, :, None], rollout.values[t, :, None]
        has_target, is_own = is_known.gather(1, to_play), rollout.is_own[t, :, None]
        new = target.gather(1, to_play) - values + gamma * gae_lambda * advantage.gather(1, to_play)
        new = torch.where(has_target, new, 0.0)
        rows = torch.where(is_own & ~has_target, t, estimates.pending.gather(1, to_play))
        estimates.pending.scatter_(1, to_play, rows)
        estimates.is_known[t] = (has_target & is_own).squeeze(1)
        estimates.advantages[t] = torch.where(rollout.is_own[t], new.squeeze(1), 0.0)
        estimates.win_shares[t] = shares.gather(1, (to_play + in_turn) % seats)
        target = target.scatter(1, to_play, gamma * values)
        advantage = advantage.scatter(1, to_play, new)
        is_known = is_known.scatter(1, to_play, True)
    return estimates


def merged(counts: Sequence[int], kinds: Sequence[GameKind]) -> list[tuple[int, GameKind]]:
    """Return the different kinds of games, each with its total number of games."""
    totals: list[tuple[int, GameKind]] = []
    for kind in kinds:
        if all(kind != earlier for _, earlier in totals):
            totals.append(
                (sum(count for count, other in zip(counts, kinds, strict=True) if other == kind), kind)
            )
    return totals


class DeviceRolloutCollector:
    """Plays games of several kinds, `counts[k]` of kind `k`, and collects rollouts as tensors on the device.

    A rollout has `n_steps` decisions per game. For `gamma` and `gae_lambda`, see
    `rollout_buffer.advantages_of`; for the bots, see `LineUps`. If the device is not a CUDA device,
    `num_threads` threads play the games.
    """

    def __init__(
        self,
        spec: GameSpec,
        inputs: NetworkInputs,
        counts: Sequence[int],
        kinds: Sequence[GameKind],
        n_steps: int,
        gamma: float,
        gae_lambda: float,
        seed: Sequence[int],
        num_threads: int,
        bots: Sequence[Agent] = (),
        bot_share: float = 0.0,
    ) -> None:
        self._spec, self._inputs, self._n_steps = spec, inputs, n_steps
        self._gamma, self._gae_lambda = gamma, gae_lambda
        self._rng = rng = np.random.default_rng(seed)
        self._num_bots, self._bot_share = len(bots), bot_share
        self._generator = torch.Generator(inputs.device).manual_seed(int(rng.integers(2**63)))
        self.games: list[tuple[TensorGames, LineUps]] = []
        self._pending: list[Rollout | None] = []
        for count, kind in merged(counts, kinds):
            first = int(rng.integers(0, 2**63))
            games = tensor_games(
                spec, count, kind, first, inputs.dtype.name, inputs.device, num_threads, bots
            )
            games.stagger(STAGGER_STEPS)
            self.games.append((games, self.new_line_ups(count, games)))
            self._pending.append(None)

    def new_line_ups(self, count: int, games: TensorGames) -> LineUps:
        """Draw line-ups for `count` games."""
        return LineUps(count, games.seats_to_play, self._num_bots, self._bot_share, self._generator)

    def collect(self, forward: Forward) -> RolloutBuffer:
        """Play `n_steps` decisions in every game, and return the decisions whose advantages are now known.

        The other decisions are returned by later calls. They keep the log-probabilities and values of the
        network that made them.
        """
        parts = []
        for kind, (games, line_ups) in enumerate(self.games):
            rollout = self.play(games, line_ups, forward, self._pending[kind])
            estimates = estimates_of(rollout, self._gamma, self._gae_lambda)
            self._pending[kind] = rollout.pending(estimates.pending[:, : games.seats_to_play])
            parts.append(self._buffer(rollout, estimates))
        return concatenate(parts)

    @torch.no_grad()
    def play(
        self, games: TensorGames, line_ups: LineUps, forward: Forward, pending: Rollout | None = None
    ) -> Rollout:
        """Play `n_steps` decisions in the games of one kind, and put the `pending` decisions before them."""
        spec, count = self._spec, len(line_ups.players)
        first = 0 if pending is None else len(pending.actions)
        steps = first + self._n_steps

        def empty(dtype: torch.dtype, *size: int) -> torch.Tensor:
            return torch.empty(steps, count, *size, dtype=dtype, device=self._inputs.device)

        stored = torch.from_numpy(np.empty(0, self._inputs.dtype)).dtype
        rollout = Rollout(
            empty(stored, spec.observation_size),
            empty(torch.bool, spec.num_actions),
            empty(torch.int64),
            empty(torch.float32),
            empty(torch.float32),
            empty(torch.int64),
            empty(torch.bool),
            empty(torch.bool, games.seats),
            empty(torch.bool),
        )
        for column, earlier in zip(rollout, pending or ()):
            column[:first] = earlier
        for t in range(first, steps):
            games.observe(rollout.observations[t], rollout.masks[t])
            rollout.to_play[t] = games.to_play()
            players = line_ups.to_act(rollout.to_play[t])
            rollout.is_own[t] = players == LEARNER
            logits, rollout.values[t], *_ = forward(rollout.observations[t])
            policies = masked(logits, rollout.masks[t]).log_softmax(dim=1)
            rollout.actions[t] = sample_actions(policies, self._generator)
            rollout.log_probs[t] = log_probs_of(rollout.actions[t], policies)
            for number in range(self._num_bots):
                indices = (players == number).nonzero().squeeze(1)
                seed = int(self._rng.integers(2**63))
                games.write_bot_actions(number, indices, seed, rollout.actions[t])
            rollout.over[t], rollout.winners[t] = games.step(rollout.actions[t])
            line_ups.redraw(rollout.over[t])
        return rollout

    def _buffer(self, rollout: Rollout, estimates: Estimates) -> RolloutBuffer:
        """Return the decisions that have an advantage, in one dimension instead of two."""
        known, seats = estimates.is_known, rollout.winners.shape[2]
        shares = torch.zeros(*known.shape, self._spec.max_seats, device=known.device)
        shares[..., :seats] = estimates.win_shares
        columns = *rollout[:5], estimates.advantages, shares, torch.full_like(rollout.actions, seats)
        return RolloutBuffer(*(column[known] for column in columns))
