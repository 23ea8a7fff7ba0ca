"""Entry points (compiled functions that Python calls) for games that are stored in an array of states.

This module is compiled separately for each game (see `per_game.py`) and is available as `GameSpec.batch` and,
for uint8 observations, as `GameSpec.compact`. Every array of states is one-dimensional and contiguous.

Functions named ``*_at`` read or change only the game at index `i` of `states` and keep the GIL, so several
threads can call them on the same arrays. All other entry points release the GIL: until such a call returns,
other threads must not write to its arrays, and must not read the arrays that it modifies.
"""

import numpy as np

from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import atomic_entry_point, entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import (
    NO_SEAT,
    NUM_ACTIONS,
    OBSERVATION_TYPE,
    determinize,
    new_game,
    number_of_seats,
    score,
    step,
    termination,
    winners,
    write_observation,
)
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.compiled.states import States


@atomic_entry_point
def new_game_at(states: States, i: int, seed: np.uint64) -> None:
    """Start a new game with `seed` (uint64) at index `i`."""
    new_game(states[i], seed)


@atomic_entry_point
def step_at(states: States, i: int, action: int) -> bool:
    """Play `action` in game `i` and return True; if `action` is illegal, change nothing and return False."""
    if not 0 <= action < NUM_ACTIONS or not legal_actions.is_legal(states[i], action):
        return False
    step(states[i], action)
    return True


@atomic_entry_point
def legal_at(states: States, i: int, actions: Vector[np.int64]) -> int:
    """Write the legal actions of game `i` into `actions` (int64) in ascending order; return their number."""
    return legal_actions.write_legal(states[i], actions)


@atomic_entry_point
def scores_at(states: States, i: int, scores: Vector[np.int64]) -> int:
    """Write the scores of game `i`, as if it ended now, into `scores`; return its winners as a bit set."""
    for seat in range(len(scores)):
        scores[seat] = score(states[i], seat)
    return winners(states[i])


@atomic_entry_point
def mask_at(states: States, i: int, seat: int, mask: Vector[np.int8]) -> None:
    """Write the action mask of `seat` in game `i` into `mask` (NUM_ACTIONS,) int8; see `write_mask_of`."""
    write_mask_of(states[i], seat, mask)


@atomic_entry_point
def observe_at(
    states: States, i: int, seat: int, observation: Vector[OBSERVATION_TYPE], mask: Vector[np.int8]
) -> None:
    """Write the observation and mask of `seat` in game `i`; for the dtypes, see `observe_all`."""
    write_observation(states[i], seat, observation)
    write_mask_of(states[i], seat, mask)


@atomic_entry_point
def determinize_at(
    states: States, i: int, seat: int, seed: np.uint64, is_random: bool, targets: States, j: int
) -> None:
    """Write a determinization of game `i` for `seat` into ``targets[j]``; see `game_kernels.determinize`."""
    targets[j] = states[i]
    determinize(states[i], targets[j], seat, seed, is_random)


@kernel
def write_mask_of(state, seat, mask):
    """Write the action mask of `seat` into `mask`: all zeros unless `seat` is the seat to play."""
    if seat == state.to_play and seat != NO_SEAT:
        legal_actions.write_mask(state, mask)
    else:
        for action in range(len(mask)):
            mask[action] = 0


# --- all games of an array --------------------------------------------------------------------------


@entry_point
def new_games(states: States, seeds: Vector[np.uint64], which: Vector[np.bool_]) -> None:
    """Start a new game with ``seeds[i]`` (uint64) at every index `i` where ``which[i]`` is true."""
    for i in range(len(states)):
        if which[i]:
            new_game(states[i], seeds[i])


@entry_point
def mask_all(states: States, masks: Matrix[np.int8]) -> None:
    """Write the masks of the seats to play into `masks` (N, NUM_ACTIONS) int8; zeros for finished games."""
    for i in range(len(states)):
        legal_actions.write_mask(states[i], masks[i])


@entry_point
def observe_all(
    states: States,
    seats: Vector[np.int64],
    observations: Matrix[OBSERVATION_TYPE],
    masks: Matrix[np.int8],
) -> None:
    """Write the observation and mask of one seat per game; ``seats[i]`` = -1 selects the seat to play.

    `observations` is (N, OBSERVATION_SIZE) float32, or uint8 in `GameSpec.compact`; `masks` is (N,
    NUM_ACTIONS) int8. In a finished game, -1 selects seat 0.
    """
    for i in range(len(states)):
        seat = int(seats[i]) if seats[i] >= 0 else int(states[i].to_play)
        write_observation(states[i], max(seat, 0), observations[i])
        write_mask_of(states[i], seat, masks[i])


@entry_point
def scores_all(states: States, scores: Matrix[np.int64], winning: Vector[np.int64]) -> None:
    """Write the scores, and the winners as bit sets, as if the games ended now."""
    for i in range(len(states)):
        for seat in range(scores.shape[1]):
            scores[i, seat] = score(states[i], seat)
        winning[i] = winners(states[i])


@entry_point
def terminations_all(states: States, terminations: Vector[np.int64]) -> None:
    """Write how each game ended into `terminations` (N,) int64; -1 before the end."""
    for i in range(len(states)):
        terminations[i] = termination(states[i]) if states[i].over else -1


@entry_point
def choose_all(
    states: States, seed: np.uint64, first: int, words: Vector[np.uint64], actions: Vector[np.int64]
) -> None:
    """For each game, write a uniformly random legal action into `actions` (0 for finished games).

    The action in game `i` is chosen with the 32-bit word at index ``first + i`` of the random stream seeded
    with `seed` (uint64). `words` (N,) uint64 is a scratch buffer.
    """
    write_random_words(seed, first, words)
    for i in range(len(states)):
        actions[i] = max(0, random_action(states[i], words[i]))


# --- some games of an array -------------------------------------------------------------------------


@entry_point
def views_of(states: States, games: Vector[np.int64], seats: Vector[np.int64], targets: States) -> int:
    """For every `k`, write a state from a seat's information set into ``targets[k]``.

    The seat is ``seats[k]`` in game ``games[k]``. Each written state depends only on what the seat knows.

    Returns:
        -1, or the first `k` whose game or seat does not exist; no state is written in that case.

    """
    for k in range(len(games)):
        if not 0 <= games[k] < len(states):
            return k
        if not 0 <= seats[k] < number_of_seats(states[games[k]]):
            return k
    for k in range(len(games)):
        targets[k] = states[games[k]]
        determinize(states[games[k]], targets[k], seats[k], np.uint64(0), False)
    return -1


@entry_point
def first_illegal(states: States, games: Vector[np.int64], actions: Vector[np.int64]) -> int:
    """Return the first `k` for which ``actions[k]`` is illegal in game ``games[k]``; -1 if all are legal."""
    for k in range(len(games)):
        is_action = 0 <= actions[k] < NUM_ACTIONS
        if not (is_action and legal_actions.is_legal(states[games[k]], actions[k])):
            return k
    return -1


@entry_point
def step_some(states: States, games: Vector[np.int64], actions: Vector[np.int64]) -> None:
    """Play the legal action ``actions[k]`` in game ``games[k]`` for every `k`; `games` has no duplicates."""
    for k in range(len(games)):
        step(states[games[k]], actions[k])


@entry_point
def next_words(
    seeds: Vector[np.uint64],
    numbers: Vector[np.int64],
    games: Vector[np.int64],
    words: Vector[np.uint64],
) -> None:
    """For every `k`, write the next 64-bit word of a game's random stream into ``words[k]`` (uint64).

    The stream of game ``games[k]`` has the seed ``seeds[games[k]]`` (uint64). ``numbers[games[k]]`` (int64),
    the number of words already drawn from this stream, is incremented.
    """
    for k in range(len(games)):
        words[k] = chance.long_word(seeds[games[k]], numbers[games[k]])
        numbers[games[k]] += 1


@entry_point
def choose_by_words(states: States, words: Vector[np.uint64], actions: Vector[np.int64]) -> None:
    """For every game, write the legal action that the upper half of its word selects, or -1 if it is over."""
    for k in range(len(states)):
        actions[k] = random_action(states[k], words[k] >> chance.HALF)


@kernel
def write_random_words(seed, first, words):
    """Fill `words` with 32-bit words of the stream seeded with `seed`, starting at index `first`."""
    for i in range(len(words)):
        words[i] = chance.random_word(seed, first + i)


@kernel
def random_action(state, word):
    """Return the legal action that a random 32-bit word selects; -1 if there is no legal action."""
    number = legal_actions.count_legal_actions(state)
    return legal_actions.nth_legal_action(state, chance.scaled(word, number)) if number > 0 else -1
