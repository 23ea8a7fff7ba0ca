"""Rollouts, and the values of their final positions for every seat.

The values of all seats sum to 1. The value of a seat depends on the objective:

- WIN: at the end of the game, the seat's share of the win plus `MARGIN_WORTH` for each point above the mean
  score; at the end of a turn, the win probability estimated by the game's evaluation.
- SCORE: 1 / n, where n is the number of seats, plus `POINT_WORTH` for each point above the mean score; at the
  end of a turn, the final scores predicted by the game's evaluation are used instead of the current scores.
"""

from typing import Any

import numpy as np

from pocketmars_agents.search.evaluation_kernels import write_chances, write_expected_win_shares
from pocketmars_agents.search.look_ahead import first_end, next_end
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
    """Write the value of the position for every seat into `values`, ``(MAX_SEATS,)`` float64.

    The position must be at the end of a turn or of the game.
    """
    if state.over:
        write_final_values(state, objective, values)
    else:
        write_chances(state, weights, values)
        if objective == SCORE:
            write_expected_win_shares(state, mean_score(state), values)


@kernel
def write_final_values(state: Any, objective: int, values: Any) -> None:
    """Write the value of a finished game for every seat into `values`."""
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


# --- rollouts -------------------------------------------------------------------------------------


@kernel
def go_to_end_of_turn(state: Any) -> None:
    """Play default actions (see `look_ahead.py`) until the end of the turn."""
    while not is_turn_over(state):
        step(state, legal_actions.nth_legal_action(state, legal_actions.count_legal_actions(state) - 1))


@kernel
def write_best_values(
    line: Any, tried: Any, seat: int, objective: int, weights: Any, candidate: Any, values: Any
) -> None:
    """Search for the best position for `seat` at the end of the turn and write its values into `values`.

    The search starts at the state ``line[1]``; `line` holds the states along the current line of play. The
    search works like that of `planner`, but without the replies of other seats; see `look_ahead.py`. `line`,
    `tried` and `candidate` are overwritten.
    """
    values[seat], depth = -np.inf, first_end(line, tried, seat)
    while depth > 0:
        write_values(line[depth], objective, weights, candidate)
        keep_better(candidate, values, seat)
        depth = next_end(line, tried, seat, depth - 1)


@kernel
def keep_better(candidate: Any, values: Any, seat: int) -> None:
    """Copy `candidate` into `values` if the value of `seat` is higher in `candidate`."""
    if candidate[seat] > values[seat]:
        for other in range(MAX_SEATS):
            values[other] = candidate[other]


@kernel
def play_randomly(state: Any, seed: Any) -> None:
    """Play uniformly random actions to the end of the game; `seed` is uint64."""
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
