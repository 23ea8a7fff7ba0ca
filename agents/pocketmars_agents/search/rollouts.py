"""What a simulated game is worth to every seat: at its end, at the end of a turn, after random play.

Values of all seats sum to 1, whatever is aimed at.

- Objective WIN: the share of the win, and `MARGIN_WORTH` for each point above the mean of all seats.
  At the end of a turn: the estimates of `look_ahead.py`, scaled to the sum 1. They are made for the seat
  that has just played, so the one that plays next gets `TEMPO` on top.
- Objective SCORE: an equal share for all, and `POINT_WORTH` for each point above the mean. At the end of
  a turn those points are expected from the present ones and from the chances to win.
"""

from typing import Any

import numpy as np

from pocketmars_agents.search.look_ahead import (
    MARGIN_WORTH,
    go_to_question,
    is_turn_over,
    share_left,
    value_for_player,
)
from pocketmars_env.core.compiled import chance, legal_actions
from pocketmars_env.core.compiled.card_sets import count, has
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules import turns
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, MAX_SEATS, PLAYER_SEAT, Decision
from pocketmars_env.games.pocket_mars.rules.scoring import score, winners
from pocketmars_env.games.pocket_mars.rules.state import number_of_seats

WIN, SCORE = 0, 1
"""Objectives."""
POINT_WORTH = 0.25
"""So that a point weighs about as much as what it adds to the chance to win in an even game."""

# Fitted, as the weights were, to the results of games that the planner played with itself and against DA.
# The rows go by `state.players`: the solo game is in row 1.
TEMPO = np.array([0.0, 0.0, 0.75, 0.45, 0.45])
"""Log-odds of winning that the seat whose turn comes next is better off than the weights say. In the
solo game all turns are the player's."""
POINTS_AHEAD = np.array(
    [[0.0, 0.0, 0.0], [0.4, 8.6, 4.3], [0.5, 6.6, 2.2], [0.5, 2.6, 1.7], [0.6, 4.0, 0.7]],
)
"""Points above the mean in the end, expected for: one now, in the end phase; chances to win above an equal
share, in the opening and in the end phase."""


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
            expect_points(state, values)


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


@kernel
def write_chances(state: Any, weights: Any, values: Any) -> None:
    """Every seat's estimated chance to win."""
    if state.solo:
        values[PLAYER_SEAT] = value_for_player(state, PLAYER_SEAT, weights)
        values[DA_SEAT] = 1.0 - values[PLAYER_SEAT]
        return
    total = 0.0
    for seat in range(number_of_seats(state)):
        values[seat] = value_for_player(state, seat, weights)
        if state.decision == Decision.TURN and state.active_seat == seat:
            raised = values[seat] * np.exp(TEMPO[state.players])
            values[seat] = raised / (1.0 - values[seat] + raised)
        total += values[seat]
    for seat in range(number_of_seats(state)):
        values[seat] /= total


@kernel
def expect_points(state: Any, values: Any) -> None:
    """Turn chances to win into shares by the points expected in the end."""
    seats, mean, left = number_of_seats(state), mean_score(state), share_left(state)
    now, early, late = POINTS_AHEAD[state.players]
    for seat in range(seats):
        better = values[seat] - 1.0 / seats
        ahead = (1.0 - left) * now * (score(state, seat) - mean)
        ahead += (left * early + (1.0 - left) * late) * better
        values[seat] = 1.0 / seats + POINT_WORTH * ahead


# --- playing on -----------------------------------------------------------------------------------


@kernel
def go_to_end_of_turn(state: Any) -> None:
    """Take the answers with the highest numbers (ACCEPT, if it is a yes/no question)."""
    while not is_turn_over(state):
        turns.step(state, legal_actions.nth_answer(state, legal_actions.count_answers(state) - 1))


@kernel
def write_best_values(
    line: Any, tried: Any, seat: int, objective: int, weights: Any, trial: Any, values: Any
) -> None:
    """Write the values of that end of the turn which is best for `seat`, of those in its reach.

    The turn goes on from ``line[1]``; as the planner does it, all further answers of the seat are
    searched, and others take the answers with the highest numbers. `line`, `tried` and `trial` are
    overwritten.
    """
    if go_to_question(line[1], seat, 1):
        write_values(line[1], objective, weights, values)
        return
    values[seat], depth = -np.inf, 1
    tried[depth] = 0
    while depth > 0:
        if tried[depth] == legal_actions.count_answers(line[depth]):
            depth -= 1
            continue
        line[depth + 1] = line[depth]
        turns.step(line[depth + 1], legal_actions.nth_answer(line[depth], tried[depth]))
        tried[depth] += 1
        if go_to_question(line[depth + 1], seat, depth + 1):
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
        turns.step(
            state, legal_actions.nth_answer(state, chance.scaled(word, legal_actions.count_answers(state)))
        )
        number += 1
