"""Many tables at once: the core of the vector environments, straight over the compiled rules."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core import batch
from pocketmars_env.core.object_lock import ObjectLock
from pocketmars_env.core.warming import ensure_compiled
from pocketmars_env.envs.episodes import check_seat, next_episodes
from pocketmars_env.envs.opponents import OpponentError, Opponents, OpponentsLike
from pocketmars_env.envs.rewards import check_reward, final_rewards_all
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS, action_name
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states

MAX_TABLES = 2**20


class Tables:
    """N games, in each of which one seat is the learner's and opponents answer for the others.

    Between two calls every game that is not over puts a question to its learner.

    Args:
        count: how many games, N.
        config: the settings of the games.
        seat: the learner's seat, or ``"random"``: a new one each episode.
        opponents: see `Opponents`, or one made for so many seats and games; None if nobody else is
            ever asked (solo against the automaton).
        reward: ``"win"`` or ``"margin"``, see `final_rewards`.

    Attributes:
        config: as above.
        states: ``(N,)`` `STATE`.
        seats: ``(N,)`` int64: the learner's seat in each game.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    def __init__(
        self,
        count: int,
        config: GameConfig,
        seat: int | str,
        opponents: OpponentsLike | Opponents | None,
        reward: str,
    ) -> None:
        if type(count) is not int or not 1 <= count <= MAX_TABLES:
            raise ValueError(f"num_envs must be an integer in 1..{MAX_TABLES}, got {count!r}")
        check_seat(seat, config.seats)
        check_reward(reward)
        ensure_compiled()
        self.opponents = opponents_of(opponents, config.seats, count)
        self.states = blank_states(count, config)
        self.seats = np.zeros(count, dtype=np.int64)
        self._seat, self.config, self._reward = seat, config, reward
        self._lock = ObjectLock()  # kernels release Python's lock

    def __len__(self) -> int:
        return len(self.states)

    @property
    def over(self) -> NDArray[np.bool_]:
        """``(N,)`` bool: which games have ended."""
        return self.states["over"].astype(np.bool_)

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """``(N,)`` bool: which games were ended by the round limit."""
        return self.states["truncated"].astype(np.bool_)

    def begin(self, games: NDArray[np.int64], streams: list[np.random.Generator]) -> None:
        """Start new games.

        A game that ends without a question to the learner is passed over for the next one.

        Args:
            games: ``(n,)`` int64: which of the N.
            streams: N random streams; each game's next episode is drawn from its own.

        """
        with self._lock:
            while len(games):
                self._begin(games, streams)
                games = games[self.over[games]]

    def _begin(self, games: NDArray[np.int64], streams: list[np.random.Generator]) -> None:
        episodes = next_episodes((streams[game] for game in games), self._seat, self.config.seats)
        self.seats[games] = episodes.seats
        seeds = self.states["seed"].copy()
        seeds[games] = episodes.game_seeds
        which = np.zeros(len(self), dtype=np.bool_)
        which[games] = True
        batch.new_games(self.states, seeds, which)
        if self.opponents:
            self.opponents.begin(games, episodes.opponents_seeds)
            self._let_opponents_answer(games)

    def step(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Answer the learner's question in some games, and go on to its next.

        Args:
            games: ``(n,)`` int64: which of the N, none twice.
            actions: ``(n,)`` int64: legal actions.

        Raises:
            OpponentError: if an opponent answers illegally.

        """
        with self._lock:
            illegal = batch.step_some(self.states, games, actions)
            assert illegal < 0, "the caller has checked that all actions are legal"
            self._let_opponents_answer(games)

    def _let_opponents_answer(self, games: NDArray[np.int64]) -> None:
        """Let opponents answer until in each of the games the learner is asked, or it is over."""
        if self.opponents is None:
            return
        while True:
            asked = self.states["asked_seat"][games]
            games = games[(asked != self.seats[games]) & (asked >= 0)]
            if not len(games):
                return
            actions = self.opponents.answer(self.states, games, self.seats[games])
            illegal = batch.step_some(self.states, games, actions)
            if illegal >= 0:
                raise self._illegal_answer(int(games[illegal]), int(actions[illegal]))

    def _illegal_answer(self, game: int, action: int) -> OpponentError:
        seat = int(self.states["asked_seat"][game])
        assert self.opponents is not None
        place = (seat - int(self.seats[game])) % self.config.seats - 1
        legal = np.empty(NUM_ACTIONS, dtype=np.int64)
        accepted = legal[: batch.legal_at(self.states, game, legal)].tolist()
        names = ", ".join(f"{number} {action_name(number)}" for number in accepted)
        return OpponentError(
            f"the opponent {self.opponents.name_at(game, place)!r} in seat {seat} answered with the illegal "
            f"action {action}; accepted: {names}"
        )

    def observe(self, games: NDArray[np.int64] | None = None) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """The learners' observations ``(n, OBSERVATION_SIZE)`` float32, and masks ``(n, NUM_ACTIONS)`` int8.

        Both are new arrays. The mask of a game that is over is all zeros.

        Args:
            games: ``(n,)`` int64: which of the N; by default all.

        """
        with self._lock:
            states, seats = self.states, self.seats
            if games is not None:
                states, seats = states[games], seats[games]
            observations = np.empty((len(states), OBSERVATION_SIZE), dtype=np.float32)
            masks = np.empty((len(states), NUM_ACTIONS), dtype=np.int8)
            batch.observe_all(states, seats, observations, masks)
        return observations, masks

    def finish(self, games: NDArray[np.int64]) -> NDArray[np.float64]:
        """``(n,)`` float64: the learners' rewards in games that are over, of which opponents hear too."""
        states = self.states[games]
        scores = np.empty((len(games), MAX_SEATS), dtype=np.int64)
        winners = np.empty(len(games), dtype=np.int64)
        batch.scores_all(states, scores, winners)
        seats = np.arange(self.config.seats)
        has_won = (winners[:, None] >> seats) & 1 == 1
        by_seat = final_rewards_all(self._reward, scores[:, seats], has_won)
        rewards = by_seat[np.arange(len(games)), self.seats[games]]
        if self.opponents and len(games):
            self.opponents.end(games, rewards)
        return rewards


def opponents_of(opponents: OpponentsLike | Opponents | None, seats: int, count: int) -> Opponents | None:
    """The opponents in `count` games of so many seats; None if nobody else is ever asked."""
    if opponents is None or isinstance(opponents, Opponents):
        return opponents
    return Opponents(opponents, seats, count)
