"""The agent protocol: an agent chooses the actions of a seat."""

from typing import Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.view import View, Views


class Agent(Protocol):
    """Chooses actions for one game at a time.

    An action depends only on the view and the random stream, so runs are reproducible.
    """

    @property
    def name(self) -> str:
        """The name under which results are stored."""

    def act(self, view: View, rng: np.random.Generator) -> int:
        """One of ``view.legal``, which is never empty here.

        Args:
            view: the view of the seat to play: ``seat``, ``observation``, ``mask``, ``legal``, ``states``,
                and ``sample(rng)`` for determinizations.
            rng: the agent's only source of randomness.

        """


class BatchAgent(Agent, Protocol):
    """An agent with a batched `act`, for speed and for networks."""

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """``(n,)`` int64: a legal action for every view.

        Action `k` depends only on ``views[k]`` and ``seeds[k]``, not on the other views.

        Args:
            views: n views of seats to play.
            seeds: ``(n,)`` uint64, each the only source of randomness of one action.

        """


def is_batch_agent(agent: Agent) -> TypeGuard[BatchAgent]:
    """Whether an agent has `act_batch`."""
    return callable(getattr(agent, "act_batch", None))


def wants_events(agent: Agent) -> bool:
    """Whether an agent sets `wants_events` to true; its views then have events."""
    return getattr(agent, "wants_events", False) is True


def choose_actions(agent: Agent, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """``(n,)`` integers: an agent's actions, not checked; from `act_batch` if the agent has it.

    Args:
        agent: the agent.
        views: n views of seats to play.
        seeds: ``(n,)`` uint64; an agent without `act_batch` gets a new stream from each.

    """
    if is_batch_agent(agent):
        return agent.act_batch(views, seeds)
    actions = [
        agent.act(views[k], np.random.Generator(np.random.PCG64(int(seeds[k])))) for k in range(len(views))
    ]
    return np.array(actions)
