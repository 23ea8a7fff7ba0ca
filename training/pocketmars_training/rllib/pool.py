"""The policy pool: who may sit at the learner's tables, and how the learner does against them.

As in `league.py`: a set share of the other seats goes to the learner's present self; the rest is drawn
from bots and past selves, those first from whom most is to be learnt. The past selves have a
fixed number of places, each of them a frozen module of RLlib's.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_training.common.league import DECAY, priorities

LEARNER = "learner"
"""The module that learns; as a member of the pool: the present self."""


def past_modules(kept: int) -> list[str]:
    """The modules of the past selves."""
    return [f"past_{number}" for number in range(kept)]


def members(bots: tuple[str, ...], past_kept: int) -> list[str]:
    """The present self, the bots and the past selves, in the order of all arrays here."""
    return [LEARNER, *bots, *past_modules(past_kept)]


class Pool:
    """Keeps the scores, and gives the shares of seats that follow from them.

    Args:
        bots: names of agents.
        past_kept: places of past selves.
        present_share: the share of seats that the present self gets.

    Attributes:
        members: their names; see `members`.
        scores: the learner's score against each of them, 0..1; 1/2 is equal play.
        past_taken: how many past selves there have been.

    """

    def __init__(self, bots: tuple[str, ...], past_kept: int, present_share: float) -> None:
        self.members = members(bots, past_kept)
        self.present_share = present_share
        self.scores = np.full(len(self.members), 0.5)
        self.past_taken = 0
        self._bots, self._past_kept = bots, past_kept

    def take_past(self) -> str:
        """The module that the next past self gets: a free one, or the oldest one's."""
        number = self.past_taken % self._past_kept
        self.past_taken += 1
        self.scores[1 + len(self._bots) + number] = 0.5
        return past_modules(self._past_kept)[number]

    def shares(self) -> NDArray[np.float64]:
        """``(members,)`` float64: the probability of each to get a seat beside the learner."""
        to_learn = priorities(self.scores)
        to_learn[0] = 0.0
        to_learn[1 + len(self._bots) + min(self.past_taken, self._past_kept) :] = 0.0
        shares: NDArray[np.float64] = (1 - self.present_share) * to_learn / to_learn.sum()
        shares[0] = self.present_share
        return shares

    def hear(self, member: str, reward: float) -> None:
        """A game against a member has ended with this reward of the learner's, -1..1."""
        number = self.members.index(member)
        self.scores[number] = DECAY * self.scores[number] + (1 - DECAY) * (0.5 + reward / 2)

    def table(self) -> dict[str, float]:
        """The scores against every bot and, as ``past``, the mean against the past selves there are."""
        found = {name: float(self.scores[1 + i]) for i, name in enumerate(self._bots)}
        past = self.scores[1 + len(self._bots) :][: self.past_taken]
        return {**found, "past": float(past.mean())} if len(past) else found

    def to_keep(self) -> dict[str, Any]:
        """What a checkpoint keeps of it, as plain data."""
        return {"scores": self.scores.tolist(), "past_taken": self.past_taken}

    def restore(self, kept: dict[str, Any]) -> None:
        """Take up what `to_keep` gave."""
        self.scores[:] = kept["scores"]
        self.past_taken = kept["past_taken"]
