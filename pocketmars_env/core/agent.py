"""What an agent is: it answers the questions that a seat is asked."""

from typing import Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.view import View, Views


class Agent(Protocol):
    """Answers for one game at a time.

    An answer depends on nothing but the view and the random stream: then runs can be repeated.
    """

    @property
    def name(self) -> str:
        """The name under which results are kept."""

    def act(self, view: View, rng: np.random.Generator) -> int:
        """One of ``view.legal``, which is never empty here.

        Args:
            view: what the seat knows: ``seat``, ``observation``, ``mask``, ``legal``, ``states``, and
                ``sample(rng)`` for full games that the seat cannot tell from the true one.
            rng: the agent's only source of chance.

        """


class BatchAgent(Agent, Protocol):
    """An agent that can also answer for many games in one call: for speed, and for networks."""

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """``(n,)`` int64: for every view one of its legal actions.

        Answer `k` depends on ``views[k]`` and ``seeds[k]`` alone, not on the views beside it.

        Args:
            views: n views of seats that are asked.
            seeds: ``(n,)`` uint64, each the only source of chance of one answer.

        """


def is_batch_agent(agent: Agent) -> TypeGuard[BatchAgent]:
    """Whether an agent has a batched form."""
    return callable(getattr(agent, "act_batch", None))


def answers(agent: Agent, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """``(n,)`` integers: an agent's answers, in its batched form if it has one; nothing checks them.

    Args:
        agent: whom to ask.
        views: n views of seats that are asked.
        seeds: ``(n,)`` uint64; an agent without a batched form gets a new stream from each.

    """
    if is_batch_agent(agent):
        return agent.act_batch(views, seeds)
    actions = [
        agent.act(views[k], np.random.Generator(np.random.PCG64(int(seeds[k])))) for k in range(len(views))
    ]
    return np.array(actions)
