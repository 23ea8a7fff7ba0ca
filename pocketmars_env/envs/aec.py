"""`raw_env`, the base class of all games' PettingZoo AEC environments, and `wrapped`, which adds wrappers."""

import copy
import hashlib
from typing import Any, ClassVar, SupportsIndex, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import turn_based_aec_to_parallel, wrappers

from pocketmars_env.core.arrays import action_number
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.observation_dtype import observation_dtype_of
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.core.settings import check_names, signature_with
from pocketmars_env.envs.episodes import start_of
from pocketmars_env.envs.observation_space import (
    IN_INFO,
    IN_OBSERVATION,
    new_observation_space,
    observation_box,
)
from pocketmars_env.envs.rendering import PICTURES_PER_SECOND, Renderer, installed_modes
from pocketmars_env.envs.rewards import check_reward, final_rewards, illegal_reward, results_of

Observation = dict[str, NDArray[Any]]
Value = TypeVar("Value")
Infos = dict[str, dict[str, Any]]
TO_PLAY = "to_play"


def wrapped(raw: "raw_env") -> AECEnv:
    """Return an environment with PettingZoo's usual wrappers.

    In the wrapped environment, an illegal action ends the episode with the reward `illegal_reward` for the
    agent that chose the action, and 0 for all other agents. An action outside the action space raises an
    AssertionError.
    """
    return wrappers.OrderEnforcingWrapper(IllegalActionWrapper(raw))


def wrapped_parallel(raw: "raw_env") -> ParallelEnv[str, Any, Any]:
    """Return a parallel environment, in which only the action of the agent to play has an effect."""
    return turn_based_aec_to_parallel(wrapped(raw))


class IllegalActionWrapper(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]  # as `raw_env`
    """PettingZoo's `TerminateIllegalWrapper` and `AssertOutOfBoundsWrapper` in one.

    Unlike PettingZoo's wrappers, it accepts the same types of actions as `raw_env`, and an illegal action
    also leaves the results of the episode in the infos.
    """

    def __init__(self, raw: "raw_env") -> None:
        super().__init__(raw, illegal_reward=illegal_reward(raw.reward, raw.game_spec))

    def step(self, action: Any) -> None:
        raw = self.unwrapped
        if action is not None:
            action = action_number(action)
            assert 0 <= action < raw.game_spec.num_actions, "action is not in action space"
        super().step(action)
        if raw.agents == raw.possible_agents and raw.terminations[raw.agents[0]] and not raw.game.over:
            raw.infos = raw._new_infos(raw.game.scores, [])


class ByAgent(dict[str, Value]):
    """A dictionary with one value per agent; the message of a KeyError names the agents."""

    def __missing__(self, agent: str) -> Value:
        raise KeyError(f"agent must be one of {list(self)}, got {quoted(agent)}")


def following_seed(seed: int) -> int:
    """Return the next game's seed, computed from the current `seed` in the same way on every platform."""
    digest = hashlib.blake2b(seed.to_bytes(8, "little"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class raw_env(AECEnv):  # type: ignore[misc]  # PettingZoo publishes no types
    """PettingZoo AEC environment without wrappers. Subclasses set `game_spec`.

    Copies (`clone`, `copy.deepcopy`, `pickle`) are independent of the original. A copy's game has the same
    position and the same future random events as the original's game. Calling `reset` without a seed starts
    the same next game in the copy and in the original.

    Args:
        reward: ``"win"`` or ``"margin"``; see `final_rewards`.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"svg"``, ``"human"`` or None.
        render_view: the viewpoint of `render`: ``"to_play"`` (the seat to play, or seat 0 when the game is
            over), a seat number, or ``"all"`` to show all hidden information.
        render_theme: ``"light"`` or ``"dark"``.
        action_mask: the location of the action masks: ``"observation"`` (observations are dictionaries) or
            ``"info"`` (observations are arrays).
        observation_dtype: ``"float32"``, or ``"uint8"`` for unscaled counts; multiplied by `GameSpec.scales`,
            the counts give the float32 observations.
        settings: the game's settings; see the fields of `game_spec.config`.

    Attributes:
        game: the current game with all hidden information; for analysis, not for agents. Step the
            environment, not this game. `reset` replaces the game.

    Raises:
        ValueError: for an invalid setting; the message names its accepted values.
        TypeError: for an unknown setting.
        ModuleNotFoundError: if `render_mode` needs the extra ``render``, which is not installed.

    """

    game_spec: ClassVar[GameSpec]
    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": installed_modes(),
        "render_fps": PICTURES_PER_SECOND,
        "is_parallelizable": False,
    }

    def __init_subclass__(cls) -> None:
        cls.__signature__ = signature_with(cls.game_spec.config, cls.__init__)

    def __init__(
        self,
        *,
        reward: str = "win",
        render_mode: str | None = None,
        render_view: int | str = TO_PLAY,
        render_theme: str = "light",
        action_mask: str = IN_OBSERVATION,
        observation_dtype: str = "float32",
        **settings: Any,
    ) -> None:
        spec = self.game_spec
        check_names(self.metadata["name"], settings, type(self).__signature__.parameters)
        config = spec.config(**settings)
        check_reward(reward)
        self._has_mask_in_info = action_mask == IN_INFO
        self.render_mode = render_mode
        self._renderer = Renderer(spec, render_mode, render_view, render_theme, config.seats, TO_PLAY)
        self.reward = reward
        self.possible_agents = list(config.seat_names[: config.seats_to_play])
        agents = self.possible_agents
        self._dtype = observation_dtype_of(spec, config, observation_dtype)
        self.observation_spaces = ByAgent(
            {agent: new_observation_space(spec, self._dtype, action_mask) for agent in agents}
        )
        self.action_spaces = ByAgent({agent: spaces.Discrete(spec.num_actions) for agent in agents})
        self.state_space = observation_box(spec, self._dtype, len(agents))
        self._seats = ByAgent({agent: seat for seat, agent in enumerate(agents)})
        self._settings = config.as_dict()
        self._seed = check_seed(None)
        self.agents: list[str] = []
        self._begin(Game(self.game_spec, **self._settings, seed=self._seed))

    def observation_space(self, agent: str) -> Any:
        """Return the agent's observation space, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the agent's action space, always the same object."""
        space: spaces.Discrete = self.action_spaces[agent]
        return space

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: the seed of the game; None selects the next seed (see `following_seed`).
            options: ``{"game": game}`` starts from a copy of a `Game` with the environment's settings, for
                example from one of `Game.from_snapshot`. Other keys are ignored.

        Raises:
            ValueError: if the seed is neither None nor an integer in 0..2**64 - 1, or if the game has other
                settings or is over.

        """
        start = start_of(options, self.game.config)
        self._seed = following_seed(self._seed) if seed is None else check_seed(seed)
        self.agents = self.possible_agents.copy()
        self._begin(start or Game(self.game_spec, **self._settings, seed=self._seed))
        if self.render_mode == "human":
            self.render()

    def _begin(self, game: Game) -> None:
        """Start an episode with a game."""
        self.game: Any = game
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._new_infos()
        self._select_to_play()

    def observe(self, agent: str) -> Any:
        """Return the current observation of an agent.

        The method also works when it is not the agent's turn, and after the end of the episode.

        Returns:
            A dictionary with two new arrays: ``observation``: ``(OBSERVATION_SIZE,)`` float32 or uint8; and
            ``action_mask``: ``(NUM_ACTIONS,)`` int8. The mask is all zeros unless it is the agent's turn.
            With the setting ``action_mask="info"``, only the observation array.

        Raises:
            KeyError: if there is no such agent; the message names the agents.

        """
        observation, mask = self.game._observe(self._seats[agent], self._dtype)
        return observation if self._has_mask_in_info else {"observation": observation, "action_mask": mask}

    def state(self) -> NDArray[Any]:
        """Return the concatenated observations of all `possible_agents` as one array.

        The shape is ``(len(possible_agents) * OBSERVATION_SIZE,)``. The array combines the knowledge of all
        agents, so it is intended only for centralized critics.
        """
        seats = range(len(self.possible_agents))
        return np.concatenate([self.game._observe(seat, self._dtype)[0] for seat in seats])

    def action_mask(self, agent: str | None = None) -> NDArray[np.int8]:
        """Return an agent's action mask ``(NUM_ACTIONS,)`` int8; the default agent is `agent_selection`.

        The mask is all zeros unless it is the agent's turn.

        Raises:
            KeyError: if there is no such agent; the message names the agents.

        """
        seat = self._seats[self.agent_selection if agent is None else agent]
        mask: NDArray[np.int8] = self.game._mask(seat)
        return mask

    def step(self, action: Any) -> None:
        """Play an action for the agent `agent_selection`.

        Args:
            action: an integer, or an integer array or tensor of shape () or (1,); None after the end of the
                episode.

        Raises:
            TypeError: if the action is of another type.
            IllegalAction: if the action is illegal; the message names the decision and the legal actions, and
                the environment is unchanged.
            ValueError: if the action is not None after the end of the episode, or if `agents` is empty, for
                example before the first `reset`.

        """
        agent = self.agent_selection
        if self.terminations.get(agent, True) or self.truncations[agent]:
            if not self.agents:
                raise ValueError("no agent is left to step: call reset() first")
            self._was_dead_step(action)
            return
        # Rewards are 0 until the game ends, so they need not be cleared or accumulated.
        self.game.step(action)
        self._select_to_play()
        if self.render_mode == "human":
            self.render()

    def _select_to_play(self) -> None:
        """Select the agent whose turn it is, or end the episode if the game is over."""
        seat = self.game.states["to_play"].item()
        if seat < 0:
            self._end()
        else:
            self.agent_selection = self.possible_agents[seat]
            if self._has_mask_in_info:
                self.infos = self._new_infos()

    def _new_infos(self, scores: list[int] | None = None, winners: list[int] | None = None) -> Infos:
        """Return the infos of all agents; given scores and winners, they contain the episode's results."""
        results: list[dict[str, Any]] = [{} for _ in self.agents]
        if scores is not None and winners is not None:
            results = results_of(self.game, scores, winners, range(len(self.agents)))
        if self._has_mask_in_info:
            results = [
                {"action_mask": self.action_mask(agent), **result}
                for agent, result in zip(self.agents, results)
            ]
        return dict(zip(self.agents, results))

    def _end(self) -> None:
        """Set the final rewards, and end the episode for all agents."""
        game = self.game
        scores, winners = game.scores, game.winners
        rewards = final_rewards(self.reward, scores, winners)
        self.rewards = dict(zip(self.agents, rewards))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, not game.truncated)
        self.truncations = dict.fromkeys(self.agents, game.truncated)
        self.infos = self._new_infos(scores, winners)
        self.agent_selection = self.agents[0]

    def clone(self) -> "raw_env":
        """Return an independent copy of the environment; spaces and other constant data are shared.

        If `clone` is called on an environment with wrappers, the copy has no wrappers.
        """
        twin = copy.copy(self)
        twin.game = self.game.clone()
        twin._renderer = copy.copy(self._renderer)
        twin.infos = {
            agent: {name: copy.copy(entry) for name, entry in info.items()}
            for agent, info in self.infos.items()
        }
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def render(self) -> Any:
        """Render the table, as seen from `render_view`, in the format of `render_mode`.

        Returns:
            A string for ``"ansi"`` and ``"svg"``; for ``"rgb_array"``, a new ``(H, 1000, 3)`` uint8 array
            with the same height throughout a game; None for ``"human"``. Without a render mode, `render`
            warns and returns None.

        Raises:
            RuntimeError: if the window cannot be opened, usually because there is no screen.

        """
        return self._renderer.render(self.game.states, self.game.to_play or 0)

    def close(self) -> None:
        """Close the window, if it is open."""
        self._renderer.close()
