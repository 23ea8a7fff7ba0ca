"""The policy pool: the members that can play against the learner, and the learner's scores against them.

Opponents are drawn as in `common/league.py`, but the number of past selves is limited. Each past self is a
frozen RLlib module.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_training.common.league import Scores

LEARNER = "learner"
"""The name of the module that is trained; in the pool, this name denotes the current policy."""


def past_modules(kept: int) -> list[str]:
    """Return the names of the past selves' modules."""
    return [f"past_{number}" for number in range(kept)]


def members(bots: tuple[str, ...], past_kept: int) -> list[str]:
    """Return the names of the pool's members: the current policy, the bots and the past selves, in order."""
    return [LEARNER, *bots, *past_modules(past_kept)]


class Pool(Scores):
    """The learner's scores against the pool's members, and the probabilities of drawing them as opponents.

    `scores` has entries only for the current policy, the bots and the past selves added so far, at most
    `past_kept`.
    """

    def __init__(self, bots: tuple[str, ...], past_kept: int, present_share: float) -> None:
        super().__init__(1 + len(bots), present_share)
        self.members = members(bots, past_kept)
        self.past_added = 0
        self._bots, self._past_kept = bots, past_kept

    def add_past(self) -> str:
        """Add a past self with a score of 1/2, and return the name of its module.

        When the pool is full, the new past self replaces the oldest one and uses its module.
        """
        index = 1 + len(self._bots) + self.past_added % self._past_kept
        if index == len(self.scores):
            self.add()
        self.scores[index] = 0.5
        self.past_added += 1
        return self.members[index]

    def shares(self) -> NDArray[np.float64]:
        """Return each member's probability of being drawn for a seat, ``(members,)`` float64."""
        weights = self.weights()
        return np.pad(weights, (0, len(self.members) - len(weights)))

    def named_scores(self) -> dict[str, float]:
        """Return the score against each bot and, as ``past``, the mean against the past selves, if any."""
        bots, past = np.split(self.scores[1:], [len(self._bots)])
        scores = dict(zip(self._bots, bots.tolist()))
        return scores | {"past": float(past.mean())} if len(past) else scores

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the pool for a checkpoint."""
        return {"scores": self.scores.tolist(), "past_added": self.past_added}

    def load_state_dict(self, content: dict[str, Any]) -> None:
        """Restore the state of the pool from a checkpoint."""
        self.scores, self.past_added = np.array(content["scores"]), content["past_added"]
