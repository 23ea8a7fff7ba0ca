"""Experience of a learner at all its seats, with advantages."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from pocketmars_agents import Agent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.data.mixed_games import MixedGames
from pocketmars_training.model.masked_policy import draw, of_actions
from pocketmars_training.model.masking import masked
from pocketmars_training.model.shares import shares_from

Table = tuple[int, int]
"""Where a game is played: which games side by side, and which of them."""

Answers = Callable[[torch.Tensor], tuple[torch.Tensor, ...]]
"""What a network says of observations, float32: logits, not masked, values, and maybe more; see `Network`."""


class Decision(NamedTuple):
    """An answer of the learner; rows of what was computed for many tables at once."""

    observation: NDArray[np.float16]  # (OBSERVATION_SIZE,)
    mask: NDArray[np.bool_]  # (NUM_ACTIONS,)
    action: int
    log: float  # of the action's probability
    value: float  # the final reward that the network expected
    seat: int


class Experience(NamedTuple):
    """Decisions of finished games."""

    observations: NDArray[np.float16]  # (n, OBSERVATION_SIZE)
    masks: NDArray[np.bool_]  # (n, NUM_ACTIONS)
    actions: NDArray[np.int64]  # (n,)
    logs: NDArray[np.float32]  # (n,) of the actions' probabilities
    values: NDArray[np.float32]  # (n,) the final rewards that the network expected
    advantages: NDArray[np.float32]  # (n,) by how much the answer was better than that
    shares: NDArray[np.float32]  # (n, MAX_SEATS) of the win, of the seats from the asked one on
    seats: NDArray[np.int64]  # (n,) at the table

    @property
    def decisions(self) -> int:
        return len(self.actions)

    def batch(self, rows: NDArray[np.int64]) -> "Batch":
        """Some of the decisions."""
        chosen = torch.from_numpy(rows)
        advantages = torch.from_numpy(self.advantages)[chosen]
        return Batch(
            observations=torch.from_numpy(self.observations)[chosen].float(),
            masks=torch.from_numpy(self.masks)[chosen],
            actions=torch.from_numpy(self.actions)[chosen],
            logs=torch.from_numpy(self.logs)[chosen],
            returns=torch.from_numpy(self.values)[chosen] + advantages,
            advantages=advantages,
            shares=torch.from_numpy(self.shares)[chosen],
            seats=torch.from_numpy(self.seats)[chosen],
        )


class Batch(NamedTuple):
    """A batch of decisions."""

    observations: torch.Tensor  # (n, OBSERVATION_SIZE) float32
    masks: torch.Tensor  # (n, NUM_ACTIONS) bool
    actions: torch.Tensor  # (n,) int64
    logs: torch.Tensor  # (n,) float32: of the actions' probabilities
    returns: torch.Tensor  # (n,) float32: what the values should have been
    advantages: torch.Tensor  # (n,) float32
    shares: torch.Tensor  # (n, MAX_SEATS) float32 of the win, of the seats from the asked one on
    seats: torch.Tensor  # (n,) int64 at the table


def joined(parts: Sequence[Experience]) -> Experience:
    """One after the other."""
    return Experience(*map(np.concatenate, zip(*parts, strict=True)))


def advantages(values: NDArray[np.float32], reward: float, gae: float) -> NDArray[np.float32]:
    """``(n,)`` float32: of one seat's decisions in a game, in their order.

    Generalized advantage estimation (Schulman et al., ICLR 2016) without discount, where nothing but the end
    is rewarded.

    Args:
        values: ``(n,)`` float32: the final reward that was expected at each decision.
        reward: the final one.
        gae: λ: 1 trusts the game's end alone, 0 the value at the next decision.

    """
    found = np.empty_like(values)
    expected, advantage = reward, 0.0
    for k in range(len(values) - 1, -1, -1):
        advantage = expected - values[k] + gae * advantage
        expected = values[k]
        found[k] = advantage
    return found


class Player:
    """Plays games side by side, and remembers what the learner did there.

    Args:
        spec: the game that is played.
        counts: of the games, for each of `kinds`.
        kinds: of games, as `MixedGames` takes them.
        bots: of whom one may sit at a table, in all seats but the learner's.
        bot_share: the share of games with a bot.
        gae: λ of the advantages.
        seed: decides the deals, the line-ups and all answers.

    """

    def __init__(
        self,
        spec: GameSpec,
        counts: Sequence[int],
        kinds: Sequence[Mapping[str, Any]],
        bots: Sequence[Agent],
        bot_share: float,
        gae: float,
        seed: Sequence[int],
    ) -> None:
        self._rng, self._gae = np.random.default_rng(seed), gae
        self._drawing = torch.Generator().manual_seed(int(self._rng.integers(2**63)))
        self._rooms = [
            MixedGames(spec, count, kind, bots, bot_share, self._rng) for count, kind in zip(counts, kinds)
        ]
        self._running: defaultdict[Table, list[Decision]] = defaultdict(list)
        self._over: list[Experience] = []

    def play(self, network: Answers, decisions: int) -> Experience:
        """Play until games are over with so many decisions, or some more.

        A game that was begun with an earlier network goes on: its first decisions have the probabilities and
        values of that one.
        """
        made = 0
        while made < decisions:
            made += sum(self._step(number, games, network) for number, games in enumerate(self._rooms))
        found, self._over = joined(self._over), []
        return found

    def _step(self, number: int, games: MixedGames, network: Answers) -> int:
        """One answer at every table; returns how many decisions the games had that are over now."""
        tables = games.learners()
        views = games.views(tables)
        masks = views.masks != 0
        with torch.no_grad():
            logits, values, *_ = network(torch.from_numpy(views.observations))
            policies = masked(logits, torch.from_numpy(masks)).log_softmax(dim=1)
            actions = draw(policies, self._drawing)
            logs = of_actions(policies, actions)
        rows = zip(
            views.observations.astype(np.float16),
            masks,
            actions.tolist(),
            logs.tolist(),
            values.tolist(),
            views.seats.tolist(),
        )
        for table, row in zip(tables.tolist(), rows):
            self._running[number, table].append(Decision(*row))
        ended = 0
        for game in games.step(tables, actions.numpy()):
            decisions = self._running.pop((number, game.table), [])
            if decisions:
                max_seats = games.games.spec.max_seats
                self._over.append(experience_of(decisions, game.rewards, self._gae, max_seats))
                ended += len(decisions)
        return ended


def experience_of(
    decisions: Sequence[Decision], rewards: NDArray[np.float64], gae: float, max_seats: int
) -> Experience:
    """What there is to learn from a game.

    Args:
        decisions: of the learner, at least one.
        rewards: ``(seats,)`` float64 in the end, of all seats.
        gae: λ of the advantages.
        max_seats: the most seats that a table of the game can have.

    """
    observations, masks, actions, logs, values, seats = map(np.array, zip(*decisions))
    values = values.astype(np.float32)
    found = np.empty_like(values)
    for seat in set(seats.tolist()):
        own = seats == seat
        found[own] = advantages(values[own], rewards[seat], gae)
    won = np.stack([shares_from(seat, rewards, max_seats) for seat in range(len(rewards))])
    return Experience(
        observations=observations,
        masks=masks,
        actions=actions,
        logs=logs.astype(np.float32),
        values=values,
        advantages=found,
        shares=won[seats],
        seats=np.full(len(values), len(rewards)),
    )
