"""Look-ahead kernels of the bots `greedy` and `planner`.

Each legal action is played in the same determinizations (full states that are consistent with what the seat
knows), and then the rest of the turn is played. `planner` searches all sequences of the seat's later actions
in this turn and takes the highest value. A sequence, together with the first action, has at most
`MAX_DECISIONS` actions. Default actions are played in all decisions of the turn that are not searched: those
of other seats, those after `MAX_DECISIONS` actions and, with `greedy`, those after the first action.
The default action is the legal action with the highest number (in Pocket Mars, ACCEPT in yes/no decisions).
The game's evaluation gives the value of the position at the end of the turn. The action with the highest mean
value over the determinizations is chosen; ties go to the action with the lowest number.

The end of the turn can be too early for an accurate evaluation: the opponent may have a strong reply, or some
seats may have had more turns than others in the round. The game's evaluation therefore sets how many turns of
other seats `planner` plays greedily before it evaluates a position (see `replies` and `play_greedily`).
To save time, `planner` plays these turns only after some sequences: for each first action, the best sequence
and those whose value is at most `REPLY_TOLERANCE` lower.
"""

import math
from typing import Any

import numpy as np

from pocketmars_agents.search.arrays import MAX_DECISIONS
from pocketmars_agents.search.evaluation_kernels import REPLY_TOLERANCE, Weights, replies, value
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.game_kernels import determinize, is_turn_over, step
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.compiled.states import States

REPLY = MAX_DECISIONS + 1
"""Index in `Line.states` of the state in which the turns of other seats (replies) are played."""
WORST = -1.0
"""A value below that of any position, if the game's margins are less than ``1 / MARGIN_WORTH``."""


@entry_point
def best_actions(
    states: States,
    seats: Vector[np.int64],
    seeds: Vector[np.uint64],
    determinizations: int,
    is_planner: bool,
    weights: Weights,
    line: States,
    tried: Vector[np.int64],
    values: Matrix[np.float64],
    actions: Vector[np.int64],
) -> None:
    """Write the best action for each state into `actions`.

    Args:
        states: ``(n,)`` states of the same game mode, each in the information set of its seat.
        seats: ``(n,)``, the seat to play in each state.
        seeds: ``(n,)`` seeds of the determinizations.
        determinizations: number of determinizations for each state.
        is_planner: True for the search of `planner`, False for that of `greedy`.
        weights: weights of the game's evaluation function.
        line: ``(MAX_DECISIONS + 3,)`` states of a line of play; overwritten.
        tried: ``(MAX_DECISIONS + 1,)``, number of actions tried in each state of `line` except the last two;
            overwritten.
        values: ``(n, NUM_ACTIONS)`` output. Each row begins with the values of the state's legal actions, in
            the order of the action numbers; each value is a sum over the determinizations. The rest of the
            row is not written.
        actions: ``(n,)`` output, the best actions.

    """
    for k in range(len(states)):
        actions[k] = best_action(
            states[k], seats[k], seeds[k], determinizations, is_planner, weights, line, tried, values[k]
        )


@kernel
def best_action(
    state: Any,
    seat: int,
    seed: Any,
    determinizations: int,
    is_planner: bool,
    weights: Any,
    line: Any,
    tried: Any,
    values: Any,
) -> Any:
    """Return the best action in one state, and write the summed values of the legal actions into `values`.

    For the arguments, see `best_actions`. For `greedy`, 2 records in `line` are enough.
    """
    number = legal_actions.count_legal_actions(state)
    for choice in range(number):
        values[choice] = 0.0
    for sample in range(determinizations):
        line[0] = state
        determinize(state, line[0], seat, chance.long_word(seed, sample), True)
        turns = replies(line[0])
        for choice in range(number):
            line[1] = line[0]
            step(line[1], legal_actions.nth_legal_action(line[0], choice))
            if is_planner:
                values[choice] += value_of_turn(line, tried, seat, turns, weights)
            else:
                go_to_decision(line[1], seat, MAX_DECISIONS)
                values[choice] += value(line[1], seat, weights)
    best = 0
    for choice in range(1, number):
        if values[choice] > values[best]:
            best = choice
    return legal_actions.nth_legal_action(state, best)


# --- the rest of the turn -------------------------------------------------------------------------


@kernel
def value_of_turn(line: Any, tried: Any, seat: int, turns: int, weights: Any) -> Any:
    """Return the highest value that `seat` can reach from ``line[1]`` after this turn and the replies to it.

    `turns` is the maximum number of replies; see `value_after_replies`.
    """
    if turns == 0:
        return value_without_replies(line, tried, seat, weights)
    least = WORST
    if not math.isinf(REPLY_TOLERANCE):
        least = value_without_replies(line, tried, seat, weights) - REPLY_TOLERANCE
    best, depth = WORST, first_end(line, tried, seat)
    while depth > 0:
        if value(line[depth], seat, weights) >= least:
            best = max(best, value_after_replies(line, depth, seat, turns, weights))
        depth = next_end(line, tried, seat, depth - 1)
    return best


@kernel
def value_without_replies(line: Any, tried: Any, seat: int, weights: Any) -> Any:
    """Return the highest value that `seat` can reach from ``line[1]`` at the end of this turn."""
    best, depth = WORST, first_end(line, tried, seat)
    while depth > 0:
        best = max(best, value(line[depth], seat, weights))
        depth = next_end(line, tried, seat, depth - 1)
    return best


@kernel
def first_end(line: Any, tried: Any, seat: int) -> Any:
    """Start a depth-first search at ``line[1]`` and find the first position at the end of the turn.

    Return the index of this position in `line`.
    """
    if go_to_decision(line[1], seat, 1):
        return 1
    tried[1] = 0
    return next_end(line, tried, seat, 1)


@kernel
def next_end(line: Any, tried: Any, seat: int, depth: int) -> int:
    """Find the next position at the end of the turn, continuing the depth-first search at ``line[depth]``.

    Return the index of this position in `line`; 0 if all sequences of the seat's actions have been tried.
    """
    while depth > 0:
        if tried[depth] == legal_actions.count_legal_actions(line[depth]):
            depth -= 1
            continue
        line[depth + 1] = line[depth]
        step(line[depth + 1], legal_actions.nth_legal_action(line[depth], tried[depth]))
        tried[depth] += 1
        depth += 1
        if go_to_decision(line[depth], seat, depth):
            return depth
        tried[depth] = 0
    return 0


@kernel
def go_to_decision(state: Any, seat: int, depth: int) -> Any:
    """Play default actions until `seat` is to play or the turn ends, and return whether the turn has ended.

    `depth` is the number of the seat's actions so far in the line of play. If it is `MAX_DECISIONS`, default
    actions are also played for `seat`, to the end of the turn.
    """
    while not is_turn_over(state) and (state.to_play != seat or depth == MAX_DECISIONS):
        step(state, legal_actions.nth_legal_action(state, legal_actions.count_legal_actions(state) - 1))
    return is_turn_over(state)


# --- replies --------------------------------------------------------------------------------------


@kernel
def value_after_replies(line: Any, depth: int, seat: int, turns: int, weights: Any) -> Any:
    """Return the value for `seat` after up to `turns` turns of other seats.

    The replies start from ``line[depth]``, the position at the end of the seat's turn. ``line[REPLY]`` and
    ``line[REPLY + 1]`` are overwritten.
    """
    line[REPLY] = line[depth]
    for _ in range(turns):
        if not line[REPLY].over and line[REPLY].to_play != seat:
            play_greedily(line, weights)
            while not is_turn_over(line[REPLY]):
                play_greedily(line, weights)
    return value(line[REPLY], seat, weights)


@kernel
def play_greedily(line: Any, weights: Any) -> None:
    """Play the action in ``line[REPLY]`` that `greedy` would choose if all cards were visible.

    ``line[REPLY + 1]`` is overwritten.
    """
    seat, number = line[REPLY].to_play, legal_actions.count_legal_actions(line[REPLY])
    best, highest = 0, WORST
    for choice in range(number if number > 1 else 0):
        line[REPLY + 1] = line[REPLY]
        step(line[REPLY + 1], legal_actions.nth_legal_action(line[REPLY], choice))
        go_to_decision(line[REPLY + 1], seat, MAX_DECISIONS)
        reached = value(line[REPLY + 1], seat, weights)
        if reached > highest:
            best, highest = choice, reached
    step(line[REPLY], legal_actions.nth_legal_action(line[REPLY], best))
