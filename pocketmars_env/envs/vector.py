"""Vector versions of the environments in `single_player.py`, as subclasses of Gymnasium's `VectorEnv`.

>>> import gymnasium, numpy, pocketmars_env
>>> rng = numpy.random.default_rng(1)
>>> envs = gymnasium.make_vec("pocketmars/Solo-v1", 256, "vector_entry_point", level="cyborg")
>>> observations, infos = envs.reset(seed=1)
>>> actions = pocketmars_env.sample_actions(infos["action_mask"], rng)
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pocketmars_env.core.arrays import described, integer_array
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.compiled.threads import check_threads
from pocketmars_env.core.errors import IllegalAction, quoted
from pocketmars_env.core.game_spec import EnvMode, GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.observation_dtype import observation_dtype_of
from pocketmars_env.core.settings import check_integer
from pocketmars_env.envs.episodes import RANDOM_SEAT, checked_start, next_episodes, replacement_actions
from pocketmars_env.envs.observation_space import IN_INFO, OBSERVATION_KEYS, new_observation_space
from pocketmars_env.envs.opponents import LearnerTable, Opponents, OpponentsLike
from pocketmars_env.envs.rendering import PICTURES_PER_SECOND, Renderer, installed_modes
from pocketmars_env.envs.rewards import final_rewards_all, illegal_reward, results_of_all
from pocketmars_env.envs.single_player import LEARNER, checked, signature_of

Array = NDArray[Any]
MAX_ENVS = 2**20
VECTOR_RENDER_MODES = ("ansi", "rgb_array", "svg")
Step = tuple[Any, Array, Array, Array, dict[str, Any]]


class SeatVectorEnv(VectorEnv[Any, Array, Array]):
    """Gymnasium vector environment with N games; subclasses set `game_spec` and `env_mode`.

    Each environment gives the same results as a `SeatEnv` with the same settings and seed.

    Observations are ``(N, OBSERVATION_SIZE)`` float32 or uint8, actions ``(N,)`` integers, rewards ``(N,)``
    float64, and terminations and truncations ``(N,)`` bool. Every call returns new arrays. The infos have the
    same entries as in `SeatEnv`, each with N rows. As in Gymnasium, every entry ``name`` comes with a bool
    array ``_name`` that marks its valid rows. With ``action_mask="observation"``, observations are
    dictionaries of arrays.

    `autoreset_mode` selects what happens after the end of an episode, as in Gymnasium:

    - ``SAME_STEP``, the default: the step that ends an episode also starts the next one and returns its first
      observation. The last observation and info of the ended episode are in ``info["final_obs"]`` and
      ``info["final_info"]``. Only in ``final_info`` can a valid row of the action masks be all zeros.
    - ``NEXT_STEP``: the step after the end of an episode starts a new episode and ignores the action, which
      can be any integer. A finished game has a mask of zeros, for which `sample_actions` returns 0.
    - ``DISABLED``: ended episodes must be reset with ``reset(options={"reset_mask": mask})``.

    Args:
        num_envs: the number of environments, N.
        autoreset_mode: an `AutoresetMode`, or the name or value of one.
        render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"svg"``. To show a window, select
            ``"rgb_array"`` and use Gymnasium's wrapper ``HumanRendering`` for vector environments.
        max_episode_steps: accepted because `make_vec` passes it, but has no effect; None or at least
            `GameSpec.max_decisions`.
        num_threads: the maximum number of threads; the results do not depend on it.

    The other arguments are those of `SeatEnv`; `opponents` can also be an `Opponents` object for N games.

    Attributes:
        games: the games with all hidden information; for analysis, not for agents. Between method calls, it
            is the learner's turn in every game that has begun and is not over.
        seats: ``(N,)`` int64: the learner's seat in each game.

    Raises:
        ValueError: for an invalid setting; the message names its accepted values.
        TypeError: for a setting that is unknown or that `env_mode` does not accept.
        ModuleNotFoundError: if `render_mode` needs the extra ``render``, which is not installed.

    """

    # Gymnasium annotates `metadata` as an instance variable, but uses it as a class variable.
    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": installed_modes(VECTOR_RENDER_MODES),
        "render_fps": PICTURES_PER_SECOND,
    }

    game_spec: ClassVar[GameSpec]
    env_mode: ClassVar[EnvMode]

    def __init_subclass__(cls) -> None:
        cls.__signature__ = signature_of(cls)  # type: ignore[attr-defined]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: OpponentsLike | Opponents = "random",
        seat: int | str = RANDOM_SEAT,
        reward: str = "win",
        illegal: str = "terminate",
        illegal_penalty: float = 0.0,
        action_mask: str = IN_INFO,
        observation_keys: tuple[str, str] = OBSERVATION_KEYS,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        render_view: int | str = LEARNER,
        render_theme: str = "light",
        max_episode_steps: int | None = None,
        num_threads: int = 1,
        observation_dtype: str = "float32",
        **settings: Any,
    ) -> None:
        spec = self.game_spec
        config, line_up, seat = checked(self, opponents, seat, reward, illegal, settings)
        check_episode_steps(max_episode_steps, spec.max_decisions)
        self._renderer = Renderer(
            spec, render_mode, render_view, render_theme, config.seats, LEARNER, VECTOR_RENDER_MODES
        )
        dtype = observation_dtype_of(spec, config, observation_dtype)
        check_integer("num_envs", num_envs, 1, MAX_ENVS)
        self.games = Games.blank(spec, config, num_envs, check_threads(num_threads), dtype)
        self._table = LearnerTable(self.games, opponents_of(self.games, line_up), num_envs, num_threads)
        self._seat_setting = seat
        self._replaced = np.zeros(num_envs, dtype=np.int64)  # the number of replaced illegal actions
        self.num_envs = num_envs
        self.autoreset_mode = autoreset_mode_of(autoreset_mode)
        # Set on the instance, because the autoreset mode differs between instances.
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self.render_mode = render_mode
        self.reward = reward
        self.illegal = illegal
        self._illegal_penalty = float(illegal_penalty)
        self.single_observation_space = new_observation_space(spec, dtype, action_mask, observation_keys)
        self.single_action_space = spaces.Discrete(spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._streams, self._stream_seeds = map(list, zip(*(seeding.np_random() for _ in range(num_envs))))
        self._has_begun = False
        self._needs_reset = np.ones(num_envs, dtype=np.bool_)
        self._masks = np.zeros((num_envs, spec.num_actions), dtype=np.int8)

    @property
    def seats(self) -> NDArray[np.int64]:
        """``(N,)`` int64: the learner's seat in each game."""
        return self._table.seats

    @property  # type: ignore[misc]  # as in Gymnasium's `SyncVectorEnv`
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The random stream of each environment."""
        return tuple(self._streams)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each environment's random stream."""
        return tuple(self._stream_seeds)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action masks, ``(N, NUM_ACTIONS)`` bool, True for each legal action."""
        return self._masks.astype(np.bool_)

    # --- reset ------------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | np.integer[Any] | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start a new episode in all or some environments.

        Args:
            seed: an integer n gives the environments the seeds n .. n + N - 1; a list contains a seed or
                None for each environment. With None, an environment's random stream continues.
            options: the entry ``"reset_mask"``, an ``(N,)`` bool array, selects the environments to seed and
                restart; by default, all. With ``"games"``, a list of N `Game` objects with the environment's
                settings, they start from copies of these games. Other entries are ignored.

        Raises:
            ValueError: if `seed` is neither None, an integer nor a list of N seeds, if `options` is neither
                None nor a dict, if the mask has a wrong shape or dtype or selects no environment, if the
                first reset does not select all environments, or if the games are not N unfinished games. In
                all these cases, nothing changes. Also if a game ends before the learner's first decision.
            gymnasium.error.Error: for a seed that is negative or, in a list, not an ``int``; nothing changes.
            OpponentError: if an opponent chooses an illegal action, or does not return an integer.

        """
        reset_mask, starts = self._reset_mask(options), self._starts(options)
        for i, (stream, stream_seed) in self._new_streams(seed, reset_mask).items():
            self._streams[i], self._stream_seeds[i] = stream, stream_seed
        try:
            self._begin_episodes(np.flatnonzero(reset_mask), starts)
        except Exception:  # an agent may raise anything
            self._has_begun, self._needs_reset[:] = False, True
            raise
        self._needs_reset &= ~reset_mask
        self._has_begun = True
        observations, masks = self._observe()
        return observations, infos_of(masks, np.zeros(self.num_envs, dtype=np.bool_), reset_mask)

    def _begin_episodes(self, games: NDArray[np.int64], starts: States | None = None) -> None:
        """Start games, new or from `starts`, and play the opponents' actions up to the learners' decisions.

        A new game that ends before the learner's first decision is replaced by the next one from the same
        stream.
        """
        while len(games):
            streams = (self._streams[game] for game in games)
            episodes = next_episodes(streams, self._seat_setting, self.games.config.seats)
            self._replaced[games] = 0
            seeds = self.games.states["seed"].copy()
            seeds[games] = episodes.game_seeds
            flags = np.zeros(self.num_envs, dtype=np.bool_)
            flags[games] = True
            if starts is None:
                self.game_spec.batch.new_games(self.games.states, seeds, flags)
            else:
                self.games.states[games] = starts[games]
            self._table.seat(games, episodes.seats, episodes.opponents_seeds)
            self._table.advance(games)
            games = games[self.games.over[games]]
            if starts is not None and len(games):
                raise ValueError(f"the games {games.tolist()} end before the learner's first decision")

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        """Return the mask of the environments to restart."""
        if not isinstance(options, dict | None):
            raise ValueError(f"options must be a dictionary or None, got {quoted(options)}")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            actual = described(mask) if isinstance(mask, np.ndarray) else quoted(mask)
            raise ValueError(f"reset_mask must be a NumPy array of {self.num_envs} bools, got {actual}")
        if not mask.any():
            raise ValueError("reset_mask must select at least one environment, got only False")
        if not self._has_begun and not mask.all():
            raise ValueError("the first reset must start all environments, got a reset_mask with False")
        return mask

    def _starts(self, options: dict[str, Any] | None) -> States | None:
        """Return the states of the games to start from; None if there are none."""
        games = (options or {}).get("games")
        if games is None:
            return None
        if not isinstance(games, list | tuple) or len(games) != self.num_envs:
            raise ValueError(
                f"the option 'games' must be a list of {self.num_envs} games, got {quoted(games)}"
            )
        return np.concatenate([checked_start(game, self.games.config).states for game in games])

    def _new_streams(
        self, seed: int | np.integer[Any] | Sequence[int | None] | None, reset_mask: NDArray[np.bool_]
    ) -> dict[int, tuple[np.random.Generator, int]]:
        """Return new streams and seeds for the environments in `reset_mask` with a seed, keyed by index."""
        if seed is None:
            return {}
        if isinstance(seed, int | np.integer):
            first = int(seed)
            seeds: Sequence[int | None] = range(first, first + self.num_envs)
        elif isinstance(seed, list | tuple | range) and len(seed) == self.num_envs:
            seeds = seed
        else:
            raise ValueError(f"seed must be an integer or a list of {self.num_envs}, got {quoted(seed)}")
        return {i: seeding.np_random(n) for i, n in enumerate(seeds) if reset_mask[i] and n is not None}

    # --- step -------------------------------------------------------------------------------------

    def step(self, actions: Array) -> Step:
        """Play the learners' actions, then the opponents'; `autoreset_mode` selects how ended games restart.

        Raises:
            ValueError: if `actions` is not an ``(N,)`` array of integers; nothing changes.
            IllegalAction: if an action is illegal and ``illegal="raise"``; nothing changes.
            ResetNeeded: before the first reset, after an error while the opponents played, or, with
                ``DISABLED``, if an ended episode has not been reset.
            OpponentError: as in `reset`.

        """
        actions = integer_array("actions", actions, self.num_envs)
        resting = self._needs_reset
        if not self._has_begun or (resting.any() and self.autoreset_mode == AutoresetMode.DISABLED):
            games = np.flatnonzero(resting).tolist()
            raise gymnasium.error.ResetNeeded(
                f"no episode is running in the environments {games}: call reset()"
            )
        illegal = ~resting & ~self._is_legal(actions)
        if self.illegal == "raise" and illegal.any():
            raise self._illegal_action(int(illegal.argmax()), actions)
        if self.illegal == "random":
            replaced = np.flatnonzero(illegal)
            actions[replaced] = replacement_actions(
                self.game_spec, self.games.states, replaced, self._replaced
            )
        is_ended = illegal & (self.illegal == "terminate")
        played = np.flatnonzero(~resting & ~is_ended)
        try:
            self.games._step_some(played, actions[played])
            self._table.advance(played)
            return self._after_step(played, illegal, is_ended)
        except Exception:  # an agent may raise anything
            self._has_begun, self._needs_reset[:] = False, True
            raise

    def _finish(self, games: NDArray[np.int64]) -> tuple[NDArray[np.float64], dict[str, Array]]:
        """Return the learners' rewards, ``(n,)`` float64, and the results of ended episodes.

        The rewards of finished games are passed to `Opponents.end`. The others are meaningless.
        """
        ended, seats = self.games.take(games), self.seats[games]
        standings = ended.standings()
        rewards = final_rewards_all(self.reward, *standings)[np.arange(len(games)), seats]
        finished = ended.over
        if self._table.opponents and finished.any():
            self._table.opponents.end(games[finished], rewards[finished])
        return rewards, results_of_all(ended, *standings, seats)

    def _observe_learners(self, games: NDArray[np.int64] | None = None) -> tuple[Array, Array]:
        """Return the learners' observations and masks in the given games, by default in all games."""
        if games is None:
            return self.games._observe(self.seats)
        return self.games.take(games)._observe(self.seats[games])

    def _after_step(
        self, played: NDArray[np.int64], illegal: NDArray[np.bool_], terminations: NDArray[np.bool_]
    ) -> Step:
        """Start new episodes as `autoreset_mode` requires, and return the result of `step`.

        Args:
            played: ``(n,)`` int64: indices of the games in which an action has been played.
            illegal: ``(N,)`` bool: the games whose action was illegal.
            terminations: ``(N,)`` bool: the games in which an illegal action has ended the episode.

        """
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        rewards[illegal] = -self._illegal_penalty
        rewards[terminations] += illegal_reward(self.reward, self.game_spec)
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        is_over = np.zeros(self.num_envs, dtype=np.bool_)
        is_over[played] = self.games.over[played]
        is_done = terminations | is_over
        infos: dict[str, Any] = {}
        if is_done.any():
            games = np.flatnonzero(is_done)
            final_rewards, results = self._finish(games)
            rewards[games] += np.where(is_over[games], final_rewards, 0)
            truncations = is_over & self.games.truncated
            terminations = is_done & ~truncations
            infos = self._infos_of_results(results, games, is_done)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._final_infos(is_done, illegal, infos)
            illegal = illegal & ~is_done
            self._begin_episodes(np.flatnonzero(is_done))
        else:
            if self.autoreset_mode == AutoresetMode.NEXT_STEP:
                self._begin_episodes(np.flatnonzero(self._needs_reset))
            self._needs_reset = is_done
        observations, masks = self._observe()
        infos |= infos_of(masks, illegal, np.ones(self.num_envs, dtype=np.bool_))
        return observations, rewards, terminations, truncations, infos

    def _infos_of_results(
        self, results: dict[str, Array], games: NDArray[np.int64], is_done: NDArray[np.bool_]
    ) -> dict[str, Any]:
        """Return the results of the given games, which are those in `is_done`, as infos."""
        infos: dict[str, Any] = {}
        valid = is_done.copy()
        for name, rows in results.items():
            infos[name] = np.zeros((self.num_envs, *rows.shape[1:]), dtype=rows.dtype)
            infos[name][games] = rows
            infos[f"_{name}"] = valid
        return infos

    def _final_infos(
        self, is_done: NDArray[np.bool_], illegal: NDArray[np.bool_], results: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the final observations and infos of ended episodes; an empty dict if none has ended."""
        games = np.flatnonzero(is_done)
        if not len(games):
            return {}
        final_observations, final_masks = self._observe_learners(games)
        observations = np.full(self.num_envs, None, dtype=object)
        masks = np.zeros((self.num_envs, self.game_spec.num_actions), dtype=np.int8)
        masks[games] = final_masks
        for game, observation, mask in zip(games, final_observations, final_masks):
            observations[game] = self._with_masks(observation, mask)
        return {
            "final_obs": observations,
            "_final_obs": is_done.copy(),
            "final_info": infos_of(masks, illegal, is_done) | results,
            "_final_info": is_done.copy(),
        }

    def _with_masks(self, observations: Array, masks: Array) -> Any:
        """Return the observations, with ``action_mask="observation"`` in a dict together with the masks."""
        if not isinstance(self.single_observation_space, spaces.Dict):
            return observations
        return dict(zip(self.single_observation_space, (observations, masks.copy())))

    def _observe(self) -> tuple[Any, Array]:
        """Return all observations and masks, and store the masks for checking the next actions."""
        observations, masks = self._observe_learners()
        self._masks[:] = masks
        return self._with_masks(observations, masks), masks

    def _is_legal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which actions are legal, ``(N,)`` bool."""
        is_action = (actions >= 0) & (actions < self.game_spec.num_actions)
        allowed = self._masks[np.arange(self.num_envs), np.where(is_action, actions, 0)] != 0
        legal: NDArray[np.bool_] = is_action & allowed
        return legal

    def _illegal_action(self, i: int, actions: NDArray[np.int64]) -> IllegalAction:
        game = self.games.game(i)
        accepted = self.game_spec.names_of(game.legal)
        return IllegalAction(f"action {actions[i]} in environment {i} ({game!r}); accepted: {accepted}")

    def render(self) -> tuple[Any, ...]:
        """Return the results of `SeatEnv.render` for all N games; an empty tuple without a render mode."""
        states, seats = self.games.states, self.seats
        if self.render_mode is None:
            self._renderer.render(states[:1], 0)  # warns
            return ()
        return tuple(self._renderer.render(states[i : i + 1], int(seats[i])) for i in range(self.num_envs))


def opponents_of(games: Games, opponents: OpponentsLike | Opponents | None) -> Opponents | None:
    """Return the opponents for the given games; None if only the learner makes decisions."""
    spec, seats = games.spec, games.config.seats
    if opponents is None:
        return None
    if not isinstance(opponents, Opponents):
        return Opponents(spec, opponents, seats, len(games))
    if opponents.spec is not spec or (opponents.places, opponents.count) != (seats - 1, len(games)):
        raise ValueError(
            f"opponents must be for {len(games)} games of {spec.title} with {seats} seats, got "
            f"{opponents.count} games of {opponents.spec.title} with {opponents.places + 1}"
        )
    return opponents


def infos_of(
    masks: NDArray[np.int8], illegal: NDArray[np.bool_], selected: NDArray[np.bool_]
) -> dict[str, Any]:
    """Return the infos of the `selected` environments in Gymnasium's vector format."""
    if not selected.all():
        masks, illegal = masks * selected[:, None], illegal & selected
    return {
        "action_mask": masks,
        "_action_mask": selected.copy(),
        "illegal_action": illegal,
        "_illegal_action": selected.copy(),
    }


def check_episode_steps(steps: int | None, most: int) -> None:
    """Raise a ValueError unless `steps` is None or an ``int`` ≥ `most`, the bound on an episode's length."""
    if steps is not None and (type(steps) is not int or steps < most):
        raise ValueError(
            f"max_episode_steps must be None or an integer of at least {most}, got {quoted(steps)}; "
            "to shorten episodes, set the game's round_limit, if it has one"
        )


def autoreset_mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    """Return the autoreset mode with the given value or name, such as ``"SameStep"`` or ``"SAME_STEP"``."""
    for option in AutoresetMode:
        if isinstance(mode, str | AutoresetMode) and mode in (option, option.value, option.name):
            return option
    names = ", ".join(f"AutoresetMode.{option.name}" for option in AutoresetMode)
    raise ValueError(f"autoreset_mode must be one of {names}, got {quoted(mode)}")
