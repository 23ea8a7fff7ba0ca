"""What a simulated game is worth to every seat: at its end, at the end of a turn, after random play.

Values of all seats sum to 1, whatever is aimed at.

- Objective WIN: the share of the win, and `MARGIN_WORTH` for each point above the mean of all seats.
  At the end of a turn: the chances that the game's evaluation estimates.
- Objective SCORE: an equal share for all, and `POINT_WORTH` for each point above the mean. At the end of
  a turn those points are expected by the game's evaluation.
"""

from typing import Any

import numpy as np

from pocketmars_agents.search.evaluation_kernels import write_chances, write_expected_win_shares
from pocketmars_agents.search.look_ahead import go_to_decision
from pocketmars_agents.search.objectives import MARGIN_WORTH, POINT_WORTH, SCORE
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.card_sets import count, has
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.game_kernels import (
    MAX_SEATS,
    is_turn_over,
    number_of_seats,
    score,
    step,
    winners,
)

# --- values ---------------------------------------------------------------------------------------


@kernel
def write_values(state: Any, objective: int, weights: Any, values: Any) -> None:
    """Write every seat's value of the position into `values`, ``(MAX_SEATS,)`` float64.

    Positions that are not over should be at the end of a turn.
    """
    if state.over:
        write_final_values(state, objective, values)
    else:
        write_chances(state, weights, values)
        if objective == SCORE:
            write_expected_win_shares(state, mean_score(state), values)


@kernel
def write_final_values(state: Any, objective: int, values: Any) -> None:
    """The values of a game that is over."""
    seats, won, mean = number_of_seats(state), winners(state), mean_score(state)
    for seat in range(seats):
        ahead = score(state, seat) - mean
        if objective == SCORE:
            values[seat] = 1.0 / seats + POINT_WORTH * ahead
        else:
            values[seat] = MARGIN_WORTH * ahead + (1.0 / count(won) if has(won, seat) else 0.0)


@kernel
def mean_score(state: Any) -> Any:
    total = 0.0
    for seat in range(number_of_seats(state)):
        total += score(state, seat)
    return total / number_of_seats(state)


# --- playing on -----------------------------------------------------------------------------------


@kernel
def go_to_end_of_turn(state: Any) -> None:
    """Take the answers with the highest numbers (ACCEPT, if it is a yes/no question)."""
    while not is_turn_over(state):
        step(state, legal_actions.nth_legal_action(state, legal_actions.count_legal_actions(state) - 1))


@kernel
def write_best_values(
    line: Any, tried: Any, seat: int, objective: int, weights: Any, trial: Any, values: Any
) -> None:
    """Write the values of that end of the turn which is best for `seat`, of those in its reach.

    The turn goes on from ``line[1]``; as the planner does it, all further answers of the seat are
    searched, and others take the answers with the highest numbers. `line`, `tried` and `trial` are
    overwritten.
    """
    if go_to_decision(line[1], seat, 1):
        write_values(line[1], objective, weights, values)
        return
    values[seat], depth = -np.inf, 1
    tried[depth] = 0
    while depth > 0:
        if tried[depth] == legal_actions.count_legal_actions(line[depth]):
            depth -= 1
            continue
        line[depth + 1] = line[depth]
        step(line[depth + 1], legal_actions.nth_legal_action(line[depth], tried[depth]))
        tried[depth] += 1
        if go_to_decision(line[depth + 1], seat, depth + 1):
            write_values(line[depth + 1], objective, weights, trial)
            keep_better(trial, values, seat)
        else:
            depth += 1
            tried[depth] = 0


@kernel
def keep_better(trial: Any, values: Any, seat: int) -> None:
    """Copy `trial` into `values` if it is better for the seat."""
    if trial[seat] > values[seat]:
        for other in range(MAX_SEATS):
            values[other] = trial[other]


@kernel
def play_randomly(state: Any, seed: Any) -> None:
    """Play to the end of the game, every answer equally likely; `seed` (uint64) decides them."""
    number = 0
    while not state.over:
        word = chance.random_word(seed, number)
        step(
            state,
            legal_actions.nth_legal_action(
                state, chance.scaled(word, legal_actions.count_legal_actions(state))
            ),
        )
        number += 1
