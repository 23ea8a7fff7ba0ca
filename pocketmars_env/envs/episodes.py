"""How an episode starts, and its random draws: seeds, the learner's seat, and replaced illegal actions."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled import chance
from pocketmars_env.core.compiled.states import States, take_states
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import Config, GameSpec
from pocketmars_env.core.settings import did_you_mean

RANDOM_SEAT = "random"


class Episodes(NamedTuple):
    """The seeds and the learners' seats of n episodes.

    Attributes:
        game_seeds: ``(n,)`` uint64: the seeds of the games.
        opponents_seeds: ``(n,)`` uint64: the seeds of the opponents' random streams.
        seats: ``(n,)`` int64: the learners' seats.

    """

    game_seeds: NDArray[np.uint64]
    opponents_seeds: NDArray[np.uint64]
    seats: NDArray[np.int64]


def start_of(options: dict[str, Any] | None, config: Config) -> Game | None:
    """Return a copy of the game under the key ``game`` in the options of `reset`; None if there is none."""
    game = (options or {}).get("game")
    return None if game is None else checked_start(game, config).clone()


def checked_start(game: Any, config: Config) -> Game:
    """Return a game in which an episode can start; raise a ValueError for anything else."""
    if not isinstance(game, Game) or game.config != config or game.over:
        raise ValueError(f"an episode starts from an unfinished game with {config}, got {quoted(game)}")
    return game


def check_seat(seat: int | str, seats: int) -> None:
    """Raise a ValueError unless `seat` is an ``int`` in 0..seats - 1, or ``"random"``."""
    is_random = isinstance(seat, str) and seat == RANDOM_SEAT
    if not is_random and not (type(seat) is int and 0 <= seat < seats):
        suggestion = did_you_mean(seat, [RANDOM_SEAT])
        raise ValueError(f"{suggestion}seat must be in 0..{seats - 1} or {RANDOM_SEAT!r}, got {quoted(seat)}")


def next_episodes(streams: Iterable[np.random.Generator], seat: int | str, seats: int) -> Episodes:
    """Draw the seeds and the learner's seat for the next episode of each of n environments."""
    is_random = isinstance(seat, str)
    drawn_each = 2 if is_random else 1
    # NumPy guarantees the same random numbers in all versions only for the raw output of bit generators.
    drawn = [stream.bit_generator.random_raw(drawn_each) for stream in streams]
    words = np.array(drawn, dtype=np.uint64).reshape(-1, drawn_each)
    game_seeds = words[:, 0].copy()
    if is_random:
        learners = ((words[:, 1] >> np.uint64(32)) * np.uint64(seats)) >> np.uint64(32)
    else:
        learners = np.full(len(words), seat)
    return Episodes(game_seeds, ~game_seeds, learners.astype(np.int64))


def replacement_actions(
    spec: GameSpec, states: States, games: NDArray[np.int64], drawn: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return ``(n,)`` int64: a random legal action for each given game, from a stream of the game's own.

    Args:
        states: ``(N,)`` state records.
        games: ``(n,)`` int64: indices of games that are not over.
        drawn: ``(N,)`` int64: the number of actions already drawn in each game; incremented.

    """
    words, actions = np.empty(len(games), dtype=np.uint64), np.empty(len(games), dtype=np.int64)
    spec.batch.next_words(states["seed"] ^ chance.REPLACEMENT_STREAM, drawn, games, words)
    spec.batch.choose_by_words(take_states(states, games), words, actions)
    return actions
