"""Protocols for agents; an agent chooses the actions of a seat."""

from typing import Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.game import View, Views
from pocketmars_env.core.game_spec import GameSpec


class Agent(Protocol):
    """An agent that chooses an action for one view at a time.

    For reproducible runs, the result of `act` must depend only on its arguments `view` and `rng`.

    An agent can also have a method ``prepare(spec)``; see `prepare`.
    """

    @property
    def name(self) -> str:
        """The agent's name in stored results."""

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Choose an action from ``view.legal``, which is never empty.

        Args:
            view: the view of the seat to play, with ``seat``, ``observation``, ``mask``, ``legal``,
                ``states``, and ``sample(rng)`` for determinizations.
            rng: the agent's only source of randomness.

        """


class BatchAgent(Agent, Protocol):
    """An agent that can also choose actions for a batch of views at once, for example with a network."""

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Choose a legal action for every view: ``(n,)`` int64.

        Action `k` must depend only on ``views[k]`` and ``seeds[k]``.

        Args:
            views: n views, each of the seat to play in its game.
            seeds: ``(n,)`` uint64; ``seeds[k]`` is the only source of randomness of action `k`.

        """


def is_batch_agent(agent: Agent) -> TypeGuard[BatchAgent]:
    """Return whether an agent has a method `act_batch`."""
    return callable(getattr(agent, "act_batch", None))


def wants_events(agent: Agent) -> bool:
    """Return whether an agent has the attribute ``wants_events = True``, which requests views with events."""
    return getattr(agent, "wants_events", False) is True


def prepare(agent: Agent, spec: GameSpec) -> None:
    """Call the agent's method `prepare`, if it has one, so that its first decision compiles nothing."""
    if callable(method := getattr(agent, "prepare", None)):
        method(spec)


def choose_actions(agent: Agent, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Choose an action for every view, with `act_batch` if the agent has this method.

    The returned actions are not validated; callers must check their shape, dtype and legality.

    Args:
        views: n views, each of the seat to play in its game.
        seeds: ``(n,)`` uint64; without `act_batch`, `act` gets a new generator with the seed ``seeds[k]`` for
            view `k`.

    """
    if is_batch_agent(agent):
        return agent.act_batch(views, seeds)
    actions = [
        agent.act(views[k], np.random.Generator(np.random.PCG64(int(seeds[k])))) for k in range(len(views))
    ]
    try:
        return np.array(actions)
    except ValueError:  # the shapes differ; callers reject arrays of objects
        return np.array(actions, dtype=object)
