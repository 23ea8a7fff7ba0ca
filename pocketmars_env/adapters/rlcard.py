"""RLCard environments.

    from pocketmars_env.adapters.rlcard import RLCardEnv
    env = RLCardEnv("project_mars", small="skirmish", seed=1)
    env.set_agents([RandomAgent(env.num_actions), RandomAgent(env.num_actions)])
    trajectories, payoffs = env.run()

The settings of a game are keyword arguments. As in RLCard's own environments, a state is a dictionary with
``obs``, ``legal_actions`` and the same in raw form; agents with ``use_raw`` choose among the actions' names.
The `CFRAgent` of RLCard 1.2 needs NumPy before 2.3, because it calls ``ndarray.tostring``.
"""

from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rlcard.envs import Env

from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import default_game, game_named
from pocketmars_env.core.seeds import draw_seed
from pocketmars_env.envs.rewards import check_reward, final_rewards


class RLCardGame:
    """The game inside an `RLCardEnv`, with the methods that RLCard calls."""

    allow_step_back = False

    def __init__(self, name: str | None, **settings: Any) -> None:
        self.spec = default_game() if name is None else game_named(name)
        self.config = self.spec.config(**settings)
        self.rng: np.random.Generator
        self.history: list[Game] = []

    @property
    def game(self) -> Game:
        """The current position."""
        return self.history[-1]

    def init_game(self) -> tuple[dict[str, Any], int]:
        seed = int(draw_seed(self.rng))
        self.history = [Game(self.spec, **self.config.as_dict(), seed=seed)]
        return self.get_state(self.get_player_id()), self.get_player_id()

    def step(self, action: int) -> tuple[dict[str, Any], int]:
        played = self.game.clone()
        played.step(action)
        if self.allow_step_back:
            self.history.append(played)
        else:
            self.history = [played]
        return self.get_state(self.get_player_id()), self.get_player_id()

    def step_back(self) -> bool:
        """Return to the previous decision; return False at the first one."""
        if len(self.history) > 1:
            self.history.pop()
            return True
        return False

    def get_state(self, player_id: int) -> dict[str, Any]:
        mask = self.game.mask(player_id)
        return {"obs": self.game.observe(player_id), "legal": np.flatnonzero(mask).tolist()}

    def get_player_id(self) -> int:
        """Return the seat to play; 0 when the game is over."""
        return self.game.to_play or 0

    def get_num_players(self) -> int:
        return int(self.config.seats_to_play)

    def get_num_actions(self) -> int:
        return self.spec.num_actions

    def is_over(self) -> bool:
        return self.game.over


class RLCardEnv(Env):  # type: ignore[misc]  # RLCard publishes no types
    """A game as an RLCard environment.

    Args:
        game: the game's name; None selects the default game.
        seed: the seed of all episodes; None draws one from the operating system.
        allow_step_back: whether `step_back` is possible.
        reward: the payoffs, ``"win"`` or ``"margin"``; see `final_rewards`.
        settings: the settings of the game.

    """

    def __init__(
        self,
        game: str | None = None,
        seed: int | None = None,
        allow_step_back: bool = False,
        reward: str = "win",
        **settings: Any,
    ) -> None:
        check_reward(reward)
        self.game = RLCardGame(game, **settings)
        self.name, self.reward = self.game.spec.name, reward
        super().__init__({"allow_step_back": allow_step_back, "seed": seed})
        self.state_shape = [[self.game.spec.observation_size] for _ in range(self.num_players)]
        self.action_shape: list[None] = [None] * self.num_players

    def seed(self, seed: int | None = None) -> int | None:
        """Set the seed of later episodes."""
        self.game.rng = np.random.default_rng(seed)
        return seed

    def get_payoffs(self) -> NDArray[np.float64]:
        """Return the players' rewards at the end of a game."""
        position = self.game.game
        return np.array(final_rewards(self.reward, position.scores, position.winners)[: self.num_players])

    def get_perfect_information(self) -> dict[str, Any]:
        """Return the snapshot of the position, with hidden cards."""
        return self.game.game.snapshot()

    def _extract_state(self, state: dict[str, Any]) -> dict[str, Any]:
        name = self.game.spec.action_name
        return {
            "obs": state["obs"],
            "legal_actions": OrderedDict((action, None) for action in state["legal"]),
            "raw_obs": state["obs"],
            "raw_legal_actions": [name(action) for action in state["legal"]],
            "action_record": self.action_recorder,
        }

    def step(self, action: Any, raw_action: bool = False) -> tuple[dict[str, Any], int]:
        """Play an action, or with `raw_action` the action with the given name; return the next state."""
        if raw_action:
            name = self.game.spec.action_name
            action = next(number for number in self.game.game.legal if name(number) == action)
        state, player = super().step(int(action))
        return state, player

    def _decode_action(self, action_id: int) -> int:
        return action_id

    def _get_legal_actions(self) -> OrderedDict[int, None]:
        return OrderedDict((action, None) for action in self.game.game.legal)
