"""RLlib environment for the new API stack.

    from ray.rllib.algorithms.ppo import PPOConfig
    from pocketmars_env.adapters.rllib import MultiAgentGame
    config = PPOConfig().environment(MultiAgentGame, env_config={"players": 3})

`examples/rllib_ppo.py` is a complete example.
"""

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

from pocketmars_env.core.game_spec import default_game, game_named
from pocketmars_env.envs.aec import Observation
from pocketmars_env.envs.classes import environments_of
from pocketmars_env.envs.observation_space import IN_OBSERVATION


class PluralKey(BaseWrapper):  # type: ignore[misc]  # PettingZoo publishes no types
    """Wrapper that renames the key ``observation`` of each observation dictionary to ``observations``.

    RLlib's `ActionMaskingTorchRLModule` expects the entries ``observations`` and ``action_mask``.
    """

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        agents = env.possible_agents
        self._spaces = {agent: spaces.Dict(renamed(env.observation_space(agent))) for agent in agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the agent's observation space; every call returns the same object."""
        return self._spaces[agent]

    def observe(self, agent: str) -> Observation:
        """Return the agent's current observation."""
        return renamed(self.env.observe(agent))


def renamed(entries: Any) -> dict[str, Any]:
    """Return the entries of an observation or observation space under the names that RLlib expects."""
    return {"observations": entries["observation"], "action_mask": entries["action_mask"]}


class MultiAgentGame(PettingZooEnv):  # type: ignore[misc]  # Ray publishes no types
    """RLlib `MultiAgentEnv` in which one agent acts at a time.

    Observations have the entries ``observations`` and ``action_mask``; agents, actions and rewards are those
    of the game's PettingZoo environment. At the end of an episode, every agent gets its last observation and
    its reward.

    Args:
        config: RLlib's ``env_config``. The entry ``game`` is the name of the game, by default
            ``"pocket_mars"``. The other entries are arguments of the game's PettingZoo environment (see
            `pocketmars_v1.env`); the argument ``action_mask`` is not accepted.

    Raises:
        ValueError: for an invalid setting; the message names its accepted values.

    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        settings = {"game": default_game().name, **(config or {})}
        env = environments_of(game_named(settings.pop("game")))["env"]
        game = PluralKey(env(**settings, action_mask=IN_OBSERVATION))
        super().__init__(game)
        self.possible_agents = list(game.possible_agents)  # in seat order; RLlib's wrapper loses the order
