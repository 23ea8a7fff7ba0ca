"""Kernels for the ops of the card language that concern colonists and energy.

`do_<op>` carries out an op; `colonists.py` has the kernels for simple moves, such as `launch`, `gain`,
`settle` and `upgrade`. `can_<op>` returns whether a price can be paid, or whether a move or effect would
change something. For an op with a choice, `choices_<op>` returns the set of legal arguments in the action
block of the op's decision; the op is possible if this set is not empty. Conditions are checked by kernels
such as `is_none_here`. `seat` is the number of the seat that carries out the op, and `here` is the Building
of the card's suit.
"""

from pocketmars_env.core.compiled.card_sets import NOTHING, only
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.games.pocket_mars.rules.actions import (
    decode_recall,
    decode_shift,
    decode_swap,
    encode_recall,
    encode_shift,
    encode_swap,
)
from pocketmars_env.games.pocket_mars.rules.colonists import (
    can_upgrade,
    downgrade,
    in_building,
    upgrade,
)
from pocketmars_env.games.pocket_mars.rules.constants import MAX_ENERGY, NUM_BUILDINGS
from pocketmars_env.games.pocket_mars.rules.state import number_of_seats, relative_seat, seat_at

UPWARDS = 0
DOWNWARDS = 1
ALL_BUILDINGS = (1 << NUM_BUILDINGS) - 1


# --- conditions -----------------------------------------------------------------------------------


@kernel
def is_none_here(state, seat, here):
    return in_building(state.seats[seat], here) == 0


@kernel
def is_ship_empty(state, seat):
    return state.seats[seat].ship == 0


@kernel
def holds_ship(state, seat, amount):
    return state.seats[seat].ship >= amount


# --- energy ---------------------------------------------------------------------------------------


@kernel
def can_use(state, seat, amount):
    return state.seats[seat].energy >= amount


@kernel
def can_gain(state, seat):
    return state.seats[seat].energy < MAX_ENERGY


# --- Earth → Ship, Ship → ★, Earth → ★ --------------------------------------------------------------


@kernel
def can_launch(state, seat):
    return state.seats[seat].earth > 0


@kernel
def can_settle(state, seat):
    return state.seats[seat].ship > 0


@kernel
def choices_settle_anywhere(state, seat):
    """Return the set of Buildings that can hold colonists, or the empty set if the seat's Ship is empty."""
    return ALL_BUILDINGS if can_settle(state, seat) else NOTHING


@kernel
def do_settle_from_earth(state, seat, here):
    state.seats[seat].earth -= 1
    state.seats[seat].star[here] += 1


# --- ★ → ★★ and back ------------------------------------------------------------------------------


@kernel
def choices_shift_any(state, seat):
    """Return the possible upgrades and downgrades of all seats' colonists (R-ANY) as SHIFT arguments."""
    choices = NOTHING
    for building in range(NUM_BUILDINGS):
        for owner in range(number_of_seats(state)):
            distance = relative_seat(state, seat, owner)
            if can_upgrade(state, owner, building):
                choices |= only(encode_shift(building, distance, UPWARDS))
            if state.seats[owner].star2[building] > 0:
                choices |= only(encode_shift(building, distance, DOWNWARDS))
    return choices


@kernel
def choices_downgrade_own(state, seat):
    """Return the possible downgrades of the seat's colonists as SHIFT arguments."""
    choices = NOTHING
    for building in range(NUM_BUILDINGS):
        if state.seats[seat].star2[building] > 0:
            choices |= only(encode_shift(building, 0, DOWNWARDS))
    return choices


@kernel
def do_shift(state, seat, argument):
    building, distance, direction = decode_shift(argument)
    owner = seat_at(state, seat, distance)
    if direction == UPWARDS:
        upgrade(state.seats[owner], building)
    else:
        downgrade(state.seats[owner], building)


@kernel
def choices_swap_colonists(state, seat):
    """Return the possible swaps as SWAP arguments; no ★★ place must be free for them (R-UPGRADE)."""
    choices = NOTHING
    for building in range(NUM_BUILDINGS):
        for low in range(number_of_seats(state)):
            for high in range(number_of_seats(state)):
                if low != high and can_swap(state, building, low, high):
                    first, second = relative_seat(state, seat, low), relative_seat(state, seat, high)
                    choices |= only(encode_swap(building, first, second))
    return choices


@kernel
def can_swap(state, building, low, high):
    """Return whether seat `low` has a colonist on ★ of the Building and seat `high` has one on ★★."""
    return state.seats[low].star[building] > 0 and state.seats[high].star2[building] > 0


@kernel
def do_swap_colonists(state, seat, argument):
    building, low, high = decode_swap(argument)
    upgrade(state.seats[seat_at(state, seat, low)], building)
    downgrade(state.seats[seat_at(state, seat, high)], building)


# --- Building → Ship ------------------------------------------------------------------------------


@kernel
def choices_recall(state, seat):
    """Return the seat's colonists in Buildings as RECALL arguments."""
    choices = NOTHING
    for building in range(NUM_BUILDINGS):
        if state.seats[seat].star[building] > 0:
            choices |= only(encode_recall(building, 0))
        if state.seats[seat].star2[building] > 0:
            choices |= only(encode_recall(building, 1))
    return choices


@kernel
def do_recall(state, seat, argument):
    building, star = decode_recall(argument)
    if star == 1:
        downgrade(state.seats[seat], building)
    state.seats[seat].star[building] -= 1
    state.seats[seat].ship += 1
