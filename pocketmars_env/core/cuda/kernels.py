"""CUDA kernels for batches of state records, compiled separately for each game (see `per_game.py`).

`states` contains N records on the device; the other arrays also have N rows. Actions are int64, and
masks int8. Observations are float32, or uint8 if the module is compiled with `GameKernels.for_counts`.
A separate kernel writes the observations, so that the other kernels do not reserve the registers that it
needs.

A GPU combines the memory accesses of neighboring threads only if the addresses are adjacent, too.
Several threads per game therefore write masks and observations; in all other kernels, each game has one
thread.
"""

import numpy as np

from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.batch import random_action
from pocketmars_env.core.compiled.card_sets import has
from pocketmars_env.core.compiled.game_kernels import (
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    new_game,
    score,
    step,
    winners,
    write_observation,
)
from pocketmars_env.core.compiled.legal_actions import ACTIONS_PER_WORD
from pocketmars_env.core.cuda.device import cuda_module
from pocketmars_env.core.cuda.device_functions import device_kernel

cuda = cuda_module()


@device_kernel
def new_games(states, seeds, which):
    """Start a new game with ``seeds[i]`` (uint64) at every index `i` where ``which[i]`` is true."""
    i = cuda.grid(1)
    if i < len(states) and which[i]:
        new_game(states[i], seeds[i])


@device_kernel
def write_next_seeds(states, seeds):
    """Write each game's next seed (uint64), which is its current seed + N."""
    i = cuda.grid(1)
    if i < len(states):
        seeds[i] = states[i].seed + np.uint64(len(states))


@device_kernel
def step_games(states, actions, which, illegal):
    """Where `which` is true, play the action (int64) if it is legal; if not, mark it in `illegal` (bool)."""
    i = cuda.grid(1)
    if i < len(states):
        illegal[i] = False
        if which[i]:
            action = actions[i]
            if 0 <= action < NUM_ACTIONS and legal_actions.is_legal(states[i], action):
                step(states[i], action)
            else:
                illegal[i] = True


@device_kernel
def write_masks(states, masks):
    """Write the masks of the seats to play into `masks` (N, NUM_ACTIONS) int8; zeros for finished games.

    A block of X times Y threads handles Y games; X threads write the mask of each game.
    """
    i = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    if i < len(states):
        for word in range(len(states[i].legal_actions)):
            legal = states[i].legal_actions[word]
            place = cuda.threadIdx.x
            while place < ACTIONS_PER_WORD:
                action = word * ACTIONS_PER_WORD + place
                if action < NUM_ACTIONS:
                    masks[i, action] = has(legal, place)
                place += cuda.blockDim.x


@device_kernel
def write_observations(states, seats, group, observations):
    """Write the observation of one seat per game into `observations` (N, OBSERVATION_SIZE).

    Seat -1 selects the seat to play (seat 0 in finished games). Each block handles `group` (int64) games, at
    most one per thread. First, one thread per game writes the observation into shared memory. Then all
    threads of the block copy the rows from there into `observations`.
    """
    rows = cuda.shared.array(0, observations.dtype)  # the launch sets the size: group * OBSERVATION_SIZE
    first, x = cuda.blockIdx.x * group, cuda.threadIdx.x
    i = first + x
    if x < group and i < len(states):
        seat = int(seats[i]) if seats[i] >= 0 else int(states[i].to_play)
        row = rows[x * OBSERVATION_SIZE : (x + 1) * OBSERVATION_SIZE]
        write_observation(states[i], max(seat, 0), row)
    cuda.syncthreads()
    # Unsigned indices halve the instructions in this loop: Numba checks whether signed ones are negative.
    step, end = np.uint64(cuda.blockDim.x), np.uint64(OBSERVATION_SIZE)
    for k in range(min(group, len(states) - first)):
        source, target = rows[k * OBSERVATION_SIZE : (k + 1) * OBSERVATION_SIZE], observations[first + k]
        entry = np.uint64(x)
        while entry < end:
            target[entry] = source[entry]
            entry += step


@device_kernel
def write_to_play(states, to_play):
    """Write each game's seat to play (int64), -1 for finished games."""
    i = cuda.grid(1)
    if i < len(states):
        to_play[i] = states[i].to_play


@device_kernel
def write_over(states, over):
    """Write whether each game has ended (bool)."""
    i = cuda.grid(1)
    if i < len(states):
        over[i] = states[i].over != 0


@device_kernel
def write_truncated(states, truncated):
    """Write whether the round limit has ended each game (bool)."""
    i = cuda.grid(1)
    if i < len(states):
        truncated[i] = states[i].truncated != 0


@device_kernel
def write_scores(states, scores, winning):
    """Write the scores (N, seats) int64 and the winners (N, seats) bool; no winners before the end."""
    i = cuda.grid(1)
    if i < len(states):
        won = winners(states[i])
        for seat in range(scores.shape[1]):
            scores[i, seat] = score(states[i], seat)
            winning[i, seat] = states[i].over != 0 and (won >> seat) & 1 == 1


@device_kernel
def choose_actions(states, seed, first, actions):
    """Write a uniformly random legal action for each game (0 for finished games), like `batch.choose_all`."""
    i = cuda.grid(1)
    if i < len(states):
        actions[i] = max(0, random_action(states[i], chance.random_word(seed, first + i)))


@device_kernel
def play_games(states, seed, first, steps, ended):
    """Play `steps` random legal actions in each game; write its number of restarts into `ended` (int64).

    A finished game is restarted before its next action, as in `random_play.py`. Action `k` (from 0) of game
    `i` is chosen with the 32-bit word at index ``first + k * N + i`` of the random stream seeded with `seed`
    (uint64).
    """
    i = cuda.grid(1)
    if i < len(states):
        ended[i] = 0
        for call in range(steps):
            if states[i].over:
                new_game(states[i], states[i].seed + np.uint64(len(states)))
                ended[i] += 1
            action = random_action(states[i], chance.random_word(seed, first + call * len(states) + i))
            if action >= 0:
                step(states[i], action)
