"""Bots with a flaw, for checks of the responders of `pocketmars exploit`.

Such a bot plays the shipped policy of its game, except that it avoids some actions. A game lists its flawed
bots in `TrainingSpec.flawed`.
"""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import make_agent
from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.layout import first_action_of
from pocketmars_training.common.training_spec import training_of

PENALTY = np.float32(1e9)


class Flawed(BatchedAgent):
    """A bot that avoids some actions; it plays one of them only if all legal actions are avoided."""

    def __init__(self) -> None:
        self.name = name_of(type(self))
        self._policy: PolicyAgent | None = None

    def prepare(self, spec: GameSpec) -> None:
        """Load the policy; see `BatchedAgent.prepare`."""
        policy = make_agent(training_of(spec).policy_name)
        assert isinstance(policy, PolicyAgent)
        self._policy = policy

    @abstractmethod
    def avoided(self, views: Views) -> NDArray[np.bool_]:
        """Return which actions are avoided, ``(n, NUM_ACTIONS)`` bool."""

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        if self._policy is None:
            self.prepare(views.spec)
        assert self._policy is not None
        logits, _ = self._policy.evaluate(views.observations, views.masks)
        logits = np.where(views.masks != 0, logits - PENALTY * self.avoided(views), -np.inf)
        chosen: NDArray[np.int64] = logits.argmax(axis=1)
        return chosen


class AlwaysPasses(Flawed):
    """A bot that passes whenever it may."""

    def avoided(self, views: Views) -> NDArray[np.bool_]:
        action = first_action_of(views.spec.blocks, "PASS")
        others = np.arange(views.spec.num_actions) != action
        avoided: NDArray[np.bool_] = (views.masks[:, action, None] != 0) & others
        return avoided


def name_of(kind: type[Flawed]) -> str:
    """Return the name of a flawed bot."""
    return f"{kind.__module__}:{kind.__name__}"
