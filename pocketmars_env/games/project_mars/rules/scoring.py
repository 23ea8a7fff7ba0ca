"""Lanes, TPR, rounds won (section 8), and who has won (section 11)."""

import numpy as np

from pocketmars_env.core.compiled.card_sets import only
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.project_mars.rules.cards import AMOUNT, FIRST_OP
from pocketmars_env.games.project_mars.rules.constants import LANES, NO_SEAT, SEATS, SLOTS, Op
from pocketmars_env.games.project_mars.rules.field import is_own, number_of_infantry, power, works

MARGIN_BOUND = 3
"""More rounds than anybody can lose by."""


@hot_kernel
def fills(state, seat, lane):
    """Whether both slots of the seat's column hold cards of its own."""
    return is_own(state, seat, lane) and is_own(state, seat, lane + LANES)


@hot_kernel
def column_power(state, seat, lane):
    return power(state, seat, lane) + power(state, seat, lane + LANES)


@hot_kernel
def lane_winner(state, lane):
    """The seat that wins the lane: one that alone has filled it, else the one with more PWR; or NO_SEAT."""
    filled_0, filled_1 = fills(state, 0, lane), fills(state, 1, lane)
    if filled_0 != filled_1:
        return 0 if filled_0 else 1
    power_0, power_1 = column_power(state, 0, lane), column_power(state, 1, lane)
    if power_0 == power_1:
        return NO_SEAT
    return 0 if power_0 > power_1 else 1


@kernel
def tpr(state, seat):
    """The total power rating of a seat, if the round were resolved now (8.2)."""
    total = 0
    for lane in range(LANES):
        total += column_power(state, seat, lane) + (lane_winner(state, lane) == seat)
    return total + tpr_additions(state, seat)


@kernel
def tpr_additions(state, seat):
    """What the seat's effects add to its TPR."""
    total, is_infantry_counted = 0, False
    for slot in range(SLOTS):
        if not works(state, seat, slot):
            continue
        card = state.seats[seat].card[slot]
        if FIRST_OP[card] == Op.ADD_TPR:
            total += AMOUNT[card]
        elif FIRST_OP[card] == Op.ADD_TPR_IF_PAIRED:
            other = (slot + LANES) % SLOTS
            if is_own(state, seat, other) and state.seats[seat].card[other] == card:
                total += AMOUNT[card]
        elif FIRST_OP[card] == Op.ADD_TPR_FOR_INFANTRY and not is_infantry_counted:
            is_infantry_counted = True
            total += AMOUNT[card] * number_of_infantry(state)
    return total


@kernel
def score(state, seat):
    """The rounds that the seat has won (int64)."""
    return np.int64(state.seats[seat].wins)


@kernel
def winners(state):
    """The seats with the most rounds won, as a bit set (int64): both in a draw."""
    lead = int(state.seats[0].wins) - int(state.seats[1].wins)
    if lead == 0:
        return only(0) | only(1)
    return only(0) if lead > 0 else only(1)


@kernel
def is_decided(state):
    """Whether the game is over after the round that has just been scored (section 11)."""
    return state.round_number == 3 or (
        state.round_number == 2 and state.seats[0].wins != state.seats[SEATS - 1].wins
    )
