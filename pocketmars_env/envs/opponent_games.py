"""`OpponentGames`, the games of a `SeatVectorEnv`, with one learner in each game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_array import GameArray, StateColumns
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.object_lock import ObjectLock
from pocketmars_env.core.observation_dtype import FLOAT32
from pocketmars_env.core.settings import check_integer
from pocketmars_env.envs.episodes import next_episodes, replacement_actions
from pocketmars_env.envs.opponents import OpponentError, Opponents, OpponentsLike
from pocketmars_env.envs.rewards import final_rewards_all, results_of_all

MAX_ENVS = 2**20


class StaleActions(AssertionError):
    """Raised if the actions are no longer legal because another thread has played; nothing changes."""


class OpponentGames(StateColumns):
    """N games, each with one learner; opponents play all other seats that make decisions.

    Between method calls, it is the learner's turn in every game that has begun and is not over.

    Args:
        count: the number of games, N.
        seat: the learner's seat, or ``"random"`` for a random seat in each episode.
        opponents: the opponents, as accepted by `Opponents`, or an `Opponents` object that was created
            for `config.seats` seats and N games; None if only the learner makes decisions, as in solo games
            against the automaton.
        reward: ``"win"`` or ``"margin"``; see `final_rewards`.
        num_threads: the maximum number of threads that work on the games.
        dtype: the dtype of the observations, float32 or uint8.

    Attributes:
        spec: the game's `GameSpec`.
        config: the settings of the games.
        seats: ``(N,)`` int64: the learner's seat in each game.

    Raises:
        ValueError: if `count` is not an ``int`` in 1..2**20, or if the opponents are invalid.

    """

    def __init__(
        self,
        count: int,
        spec: GameSpec,
        config: Any,
        seat: int | str,
        opponents: OpponentsLike | Opponents | None,
        reward: str,
        num_threads: int = 1,
        dtype: np.dtype[Any] = FLOAT32,
    ) -> None:
        check_integer("num_envs", count, 1, MAX_ENVS)
        self.spec = spec
        if opponents is not None and not isinstance(opponents, Opponents):
            opponents = Opponents(spec, opponents, config.seats, count)
        if opponents is not None and (
            opponents.spec is not spec or (opponents.places, opponents.count) != (config.seats - 1, count)
        ):
            raise ValueError(
                f"opponents must be for {count} games of {spec.title} with {config.seats} seats, got "
                f"{opponents.count} games of {opponents.spec.title} with {opponents.places + 1}"
            )
        self.opponents = opponents
        self.games = GameArray.blank(spec, config, count, num_threads)
        self._dtype = dtype
        self.seats = np.zeros(count, dtype=np.int64)
        self._replaced = np.zeros(count, dtype=np.int64)  # the number of replaced illegal actions
        self._seat, self.config, self._reward = seat, config, reward
        self._lock = ObjectLock()  # needed because compiled functions release the GIL

    @property
    def states(self) -> States:  # type: ignore[override]  # read-only
        """``(N,)`` state records: the states of the games, with all hidden information."""
        return self.games.states

    def begin(self, games: NDArray[np.int64], streams: list[np.random.Generator]) -> None:
        """Start new games, and play the opponents' actions up to the learners' first decisions.

        A game that ends before the learner's first decision is replaced by the next game from the same
        stream.

        Args:
            games: ``(n,)`` int64: indices of the games to start.
            streams: N random streams, one for each game; see `next_episodes`.

        Raises:
            OpponentError: if an opponent chooses an illegal action, or does not return an integer.

        """
        with self._lock.lock:
            while len(games):
                self._begin(games, streams)
                games = games[self.over[games]]

    def _begin(self, games: NDArray[np.int64], streams: list[np.random.Generator]) -> None:
        episodes = next_episodes((streams[game] for game in games), self._seat, self.config.seats)
        self.seats[games] = episodes.seats
        self._replaced[games] = 0
        seeds = self.states["seed"].copy()
        seeds[games] = episodes.game_seeds
        which = np.zeros(len(self), dtype=np.bool_)
        which[games] = True
        self.games.begin(seeds, which)
        if self.opponents:
            self.opponents.begin(games, episodes.opponents_seeds)
            self._let_opponents_act(games)

    def step(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Play the learner's action in each given game, and then the opponents' actions.

        The opponents act until it is the learner's turn again or the game is over.

        Args:
            games: ``(n,)`` int64: indices of the games, without duplicates.
            actions: ``(n,)`` int64: a legal action for each entry of `games`.

        Raises:
            OpponentError: if an opponent chooses an illegal action, or does not return an integer.
            StaleActions: if an action is illegal; nothing changes.

        """
        with self._lock.lock:
            illegal = self.games.step_some(games, actions)
            if illegal >= 0:
                raise StaleActions("another thread has played since the actions were checked")
            self._let_opponents_act(games)

    def replacements(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a random legal action for each given game, ``(n,)`` int64; see `replacement_actions`."""
        with self._lock.lock:
            return replacement_actions(self.spec, self.states, games, self._replaced)

    def _let_opponents_act(self, games: NDArray[np.int64]) -> None:
        """Play the opponents' actions in each game until it is the learner's turn or the game is over."""
        if self.opponents is None:
            return
        while True:
            to_play = self.states["to_play"][games]
            games = games[(to_play != self.seats[games]) & (to_play >= 0)]
            if not len(games):
                return
            actions = self.opponents.act(self.states, games, self.seats[games], self.games.num_threads)
            illegal = self.games.step_some(games, actions)
            if illegal >= 0:
                raise self._illegal_action(int(games[illegal]), int(actions[illegal]))

    def _illegal_action(self, game: int, action: int) -> OpponentError:
        seat = int(self.states["to_play"][game])
        assert self.opponents is not None
        place = (seat - int(self.seats[game])) % self.config.seats - 1
        accepted = self.spec.names_of(self.games.game(game).legal())
        return OpponentError(
            f"the opponent {quoted(self.opponents.name_at(game, place))} in seat {seat} played the illegal "
            f"action {action}; accepted: {accepted}"
        )

    def observe(self, games: NDArray[np.int64] | None = None) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return the learners' observations ``(n, OBSERVATION_SIZE)`` and masks ``(n, NUM_ACTIONS)`` int8.

        Both arrays are new. The mask of a finished game is all zeros.

        Args:
            games: ``(n,)`` int64: indices of the games; by default all games.

        """
        with self._lock.lock:
            if games is None:
                return self.games.observe(self.seats, self._dtype)
            return self.games.some(games).observe(self.seats[games], self._dtype)

    def finish(self, games: NDArray[np.int64]) -> tuple[NDArray[np.float64], dict[str, NDArray[Any]]]:
        """Return the learners' rewards, ``(n,)`` float64, and the results of ended episodes.

        The rewards of finished games are passed to `Opponents.end`. The others are meaningless.

        Args:
            games: ``(n,)`` int64: indices of the games.

        """
        ended, seats = self.games.some(games), self.seats[games]
        standings = ended.standings()
        rewards = final_rewards_all(self._reward, *standings)[np.arange(len(games)), seats]
        finished = ended.over
        if self.opponents and finished.any():
            self.opponents.end(games[finished], rewards[finished])
        return rewards, results_of_all(ended, *standings, seats)
