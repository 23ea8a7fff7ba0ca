"""CUDA kernels for episodes with one learner per game.

All other seats that make decisions are played by opponents, which choose uniformly random legal actions. All
arrays have N rows, one per game. `seats` (int64) contains the learners' seats, `drawn` (int64) the number of
random words that the opponents have drawn in the current episode of each game, and `replaced` (int64) the
number of illegal actions that random ones have replaced.
"""

from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.batch import random_action
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.game_kernels import (
    NUM_ACTIONS,
    new_game,
    score,
    step,
    termination,
    winners,
    write_observation,
)
from pocketmars_env.core.cuda.device import cuda_module
from pocketmars_env.core.cuda.device_functions import device_kernel

cuda = cuda_module()


@kernel
def let_opponents_act(state, seat, number):
    """Play random actions until `seat` is to play or the game is over; return the number of words drawn."""
    while not state.over and state.to_play != seat:
        step(state, random_action(state, chance.random_word(~state.seed, number)))
        number += 1
    return number


@kernel
def margin_reward(state, seat, num_seats):
    """Return the reward of a seat for ``reward="margin"``: its score minus the other seats' mean score."""
    others = 0
    for other in range(num_seats):
        if other != seat:
            others += score(state, other)
    return score(state, seat) - others / (num_seats - 1)


@device_kernel
def begin_episodes(states, which, seeds, episodes, fixed_seat, num_seats, seats, drawn, replaced):
    """Start the next episode where `which` is true, and play up to the learner's first decision.

    The game's seed is the 64-bit word with index ``episodes[i]`` (int64) in the random stream seeded with
    ``seeds[i]`` (uint64); ``episodes[i]`` is then incremented. The learner plays `fixed_seat`, or, if
    `fixed_seat` is -1, one of the `num_seats` seats at random. Games that end before the learner's first
    decision are skipped.
    """
    i = cuda.grid(1)
    if i < len(states) and which[i]:
        is_running = False
        while not is_running:
            seat = chance.random_number(~seeds[i], episodes[i], num_seats)
            seats[i] = seat if fixed_seat < 0 else fixed_seat
            new_game(states[i], chance.long_word(seeds[i], episodes[i]))
            episodes[i] += 1
            replaced[i] = 0
            drawn[i] = let_opponents_act(states[i], seats[i], 0)
            is_running = states[i].over == 0


@device_kernel
def step_episodes(states, actions, seats, drawn, replaced, is_random, illegal, terminations, truncations):
    """Play the learners' actions (int64), then the opponents' actions.

    If `is_random` is true, a random legal action is played instead of an illegal one. Otherwise, an illegal
    action terminates the episode. A game ended by the round limit is marked in `truncations`. `illegal`,
    `terminations` and `truncations` are bool.
    """
    i = cuda.grid(1)
    if i < len(states):
        action = actions[i]
        illegal[i] = not (0 <= action < NUM_ACTIONS and legal_actions.is_legal(states[i], action))
        if illegal[i] and is_random:
            word = chance.random_word(states[i].seed ^ chance.REPLACEMENT_STREAM, replaced[i])
            action = random_action(states[i], word)
            replaced[i] += 1
        is_ended = illegal[i] and not is_random
        if not is_ended:
            step(states[i], action)
            drawn[i] = let_opponents_act(states[i], seats[i], drawn[i])
        truncations[i] = not is_ended and states[i].over != 0 and states[i].truncated != 0
        terminations[i] = is_ended or (states[i].over != 0 and not truncations[i])


@device_kernel
def write_results(
    states, seats, illegal, is_margin, num_seats, illegal_penalty, illegal_reward, is_random,
    done, rewards, scores, won, win_share, reasons, rounds,
):  # fmt: skip
    """Write the learners' rewards (float32), and mark ended episodes in `done` (bool).

    For ended episodes, also write the results: `scores` (N, num_seats) int64, `won` (bool), `win_share`
    (float32), `reasons` (int64; an index into `GameSpec.terminations`, -1 after an illegal action) and
    `rounds` (int64).
    """
    i = cuda.grid(1)
    if i < len(states):
        is_over = states[i].over != 0
        done[i] = is_over or (illegal[i] and not is_random)
        rewards[i] = -illegal_penalty if illegal[i] else 0.0
        if done[i]:
            winning = winners(states[i]) if is_over else 0
            number = 0
            for seat in range(num_seats):
                scores[i, seat] = score(states[i], seat)
                number += (winning >> seat) & 1
            won[i] = (winning >> seats[i]) & 1 == 1
            share = 1.0 / number if won[i] else 0.0
            win_share[i] = share
            reasons[i] = termination(states[i]) if is_over else -1
            rounds[i] = states[i].round_number
            if not is_over:
                rewards[i] += illegal_reward
            elif is_margin:
                rewards[i] += margin_reward(states[i], seats[i], num_seats)
            else:
                rewards[i] += (num_seats * share - 1.0) / (num_seats - 1)


@device_kernel
def write_final_observations(states, seats, which, observations):
    """Write the learners' observations into the rows of `observations` where `which` (bool) is true."""
    i = cuda.grid(1)
    if i < len(states) and which[i]:
        write_observation(states[i], seats[i], observations[i])
