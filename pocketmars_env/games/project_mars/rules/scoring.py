"""Scoring: lanes, the total power rating (TPR), rounds won, and the winners of the game."""

import numpy as np

from pocketmars_env.core.compiled.card_sets import only
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.project_mars.rules.cards import AMOUNT, FIRST_OP
from pocketmars_env.games.project_mars.rules.constants import (
    LANES,
    NO_SEAT,
    ROUNDS,
    SEATS,
    SLOTS,
    Op,
    Termination,
)
from pocketmars_env.games.project_mars.rules.field import is_own, number_of_infantry, power, works

MARGIN_BOUND = 3
"""The difference between the numbers of rounds that the seats have won is always less than this number."""


@hot_kernel
def fills(state, seat, lane):
    """Return whether both slots of a lane on the seat's field contain cards of that seat."""
    return is_own(state, seat, lane) and is_own(state, seat, lane + LANES)


@hot_kernel
def column_power(state, seat, lane):
    return power(state, seat, lane) + power(state, seat, lane + LANES)


@hot_kernel
def lane_winner(state, lane):
    """Return the seat that would win a lane if the round ended now, or NO_SEAT if neither would.

    If only one seat has filled its two slots in the lane, that seat wins the lane. Otherwise, the seat with
    the higher PWR in the lane wins it; if both have the same PWR, neither does.
    """
    filled_0, filled_1 = fills(state, 0, lane), fills(state, 1, lane)
    if filled_0 != filled_1:
        return 0 if filled_0 else 1
    power_0, power_1 = column_power(state, 0, lane), column_power(state, 1, lane)
    if power_0 == power_1:
        return NO_SEAT
    return 0 if power_0 > power_1 else 1


@kernel
def tpr(state, seat):
    """Return the total power rating (TPR) of a seat as if the round ended now."""
    total = 0
    for lane in range(LANES):
        total += column_power(state, seat, lane) + (lane_winner(state, lane) == seat)
    return total + tpr_additions(state, seat)


@kernel
def tpr_additions(state, seat):
    """Return how much TPR the working effects of the seat's cards add in total."""
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
    """Return the number of rounds that the seat has won (int64)."""
    return np.int64(state.seats[seat].wins)


@kernel
def winners(state):
    """Return, as an int64 bit set, the seat that has won more rounds; both seats if they are tied."""
    lead = int(state.seats[0].wins) - int(state.seats[1].wins)
    if lead == 0:
        return only(0) | only(1)
    return only(0) if lead > 0 else only(1)


@kernel
def termination(state):
    """Return why the finished game ended, a `Termination`."""
    if state.small:
        return Termination.ONE_ROUND.value
    ended = Termination.THREE_ROUNDS if state.round_number == ROUNDS else Termination.TWO_ROUNDS
    return ended.value


@kernel
def is_decided(state):
    """Return whether the game is over after the round that has just been scored."""
    if state.small or state.round_number == 3:
        return True
    return state.round_number == 2 and state.seats[0].wins != state.seats[SEATS - 1].wins
