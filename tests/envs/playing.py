"""Helpers for tests that play random actions in environments and copy environments."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from pocketmars_env.pocketmars_v1 import raw_env


def started(seed: int | None = 1, make: Callable[..., Any] = raw_env, **settings: Any) -> Any:
    """Return an environment in which a game has just begun."""
    env = make(**settings)
    env.reset(seed=seed)
    return env


def legal_actions(env: Any) -> list[int]:
    """Return the legal actions of the agent to play, from its mask."""
    return np.flatnonzero(env.unwrapped.action_mask()).tolist()


def illegal_action(env: Any) -> int:
    """Return the first illegal action of the agent to play."""
    return min(set(range(env.action_space(env.agent_selection).n)) - set(legal_actions(env)))


def is_over(env: Any) -> bool:
    agent = env.agent_selection
    return bool(env.terminations[agent] or env.truncations[agent])


def play(env: Any, most: int | None = None, seed: int = 0) -> None:
    """Step with random legal actions to the end of the game, at most `most` times."""
    rng = np.random.default_rng(seed)
    steps = 0
    while steps != most and not is_over(env):
        env.step(rng.choice(legal_actions(env)))
        steps += 1


def play_learner(env: Any, most: int | None = None, seed: int = 0) -> list[Any]:
    """Step with random legal actions to the end of the episode, at most `most` times; return the results."""
    rng, own = np.random.default_rng(seed), env.unwrapped
    steps: list[Any] = []
    while len(steps) != most and not own.game.over:
        assert own.game.to_play == own.seat
        steps.append(env.step(rng.choice(np.flatnonzero(own.action_masks()))))
    return steps


def pickled(env: Any) -> Any:
    """Return a copy made with `pickle`."""
    return pickle.loads(pickle.dumps(env))


def everything(env: raw_env) -> dict[str, Any]:
    """Return the contents and outputs of an environment as plain data that can be compared."""
    seen = [env.observe(agent) for agent in env.possible_agents]
    return {
        "game": env.game.to_bytes(),
        "moves": env.game.to_text(),
        "agents": list(env.agents),
        "agent_selection": env.agent_selection,
        "rewards": dict(env.rewards),
        "cumulative_rewards": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {
            agent: {name: np.asarray(value).tolist() for name, value in info.items()}
            for agent, info in env.infos.items()
        },
        "observations": [observation["observation"].tobytes() for observation in seen],
        "masks": [observation["action_mask"].tobytes() for observation in seen],
    }
