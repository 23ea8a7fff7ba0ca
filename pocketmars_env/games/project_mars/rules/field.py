"""The cards on the fields: their power (PWR), which of their effects work, and the effects' targets.

A set of slots has one bit per slot of a field. In functions that take or return slots, `seat` is the seat to
which the field belongs. A set of targets has one bit for each of the 16 SLOT arguments of a seat: first for
the seat's own slots, then for the enemy's slots. In functions that take or return targets, `seat` is the seat
whose card has the effect.
"""

import numpy as np

from pocketmars_env.core.compiled.card_sets import NOTHING, count, lowest, only, without_lowest
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.project_mars.rules.cards import (
    AMOUNT,
    CATEGORY,
    FIRST_OP,
    KIND,
    POWER,
    SUBTYPES,
)
from pocketmars_env.games.project_mars.rules.constants import (
    LANES,
    NO_CARD,
    NO_SEAT,
    SEATS,
    SLOTS,
    Category,
    Kind,
    Op,
    Scope,
    Subtype,
)


@hot_kernel
def is_own(state, seat, slot):
    """Return whether the slot holds a card of the field's owner."""
    return state.seats[seat].card[slot] != NO_CARD and state.seats[seat].owner[slot] == seat


@hot_kernel
def works(state, seat, slot):
    """Return whether the card in the slot is in the right row, on its owner's field, and not disabled.

    The right row is the attack row for OFFENSE cards, and the defense row for GUARDIAN cards. The result is
    False for an empty slot, and for every trap, because traps have an effect only when they trigger.
    """
    side = state.seats[seat]
    card = side.card[slot]
    if card == NO_CARD or side.owner[slot] != seat or side.disabled[slot] or KIND[card] == Kind.TRAP:
        return False
    return (CATEGORY[card] == Category.OFFENSE) == (slot < LANES)


@hot_kernel
def works_as(state, seat, slot, op):
    """Return whether the card in the slot has the continuous effect `op` and this effect works."""
    card = state.seats[seat].card[slot]
    return card != NO_CARD and FIRST_OP[card] == op and works(state, seat, slot)


@hot_kernel
def fits(state, seat, slot, what):
    """Return whether the card in the slot has a subtype in `what`; some cards count as Infantry."""
    card = state.seats[seat].card[slot]
    if card == NO_CARD:
        return False
    if SUBTYPES[card] & what:
        return True
    return what & Subtype.INFANTRY != 0 and works_as(state, seat, slot, Op.COUNT_AS_INFANTRY)


# --- PWR --------------------------------------------------------------------------------------------


@hot_kernel
def power(state, seat, slot):
    """Return the PWR of the card in the slot; 0 for an empty slot and for an enemy trap."""
    side = state.seats[seat]
    if not is_own(state, seat, slot) or side.disabled[slot] or side.zeroed[slot]:
        return 0
    card = side.card[slot]
    total = POWER[card] + side.bonus[slot]
    if POWER[card] == 1 and SUBTYPES[card] & Subtype.ARTIFICIAL:
        total += lab_bonus(state, seat)
    if slot >= LANES and FIRST_OP[card] != Op.RAISE_NEIGHBOURS:
        total += neighbour_bonus(state, seat, slot)
    return total


@kernel
def lab_bonus(state, seat):
    """Return what a Cybernetics Lab gives to ARTIFICIAL cards with printed PWR 1; given only once (R-LAB)."""
    for slot in range(LANES, SLOTS):
        if works_as(state, seat, slot, Op.RAISE_ARTIFICIAL):
            return AMOUNT[state.seats[seat].card[slot]]
    return 0


@kernel
def neighbour_bonus(state, seat, slot):
    """Return what an adjacent Comms Station gives to a card in the defense row; given only once (R-COMMS)."""
    if slot > LANES and works_as(state, seat, slot - 1, Op.RAISE_NEIGHBOURS):
        return AMOUNT[state.seats[seat].card[slot - 1]]
    if slot < SLOTS - 1 and works_as(state, seat, slot + 1, Op.RAISE_NEIGHBOURS):
        return AMOUNT[state.seats[seat].card[slot + 1]]
    return 0


# --- sets of slots and targets ----------------------------------------------------------------------


@hot_kernel
def open_slots(state, seat):
    """Return the set of slots without a card of the field's owner; they are empty or hold an enemy trap."""
    found = NOTHING
    for slot in range(SLOTS):
        if not is_own(state, seat, slot):
            found |= only(slot)
    return found & ~np.int64(state.missing_slots)


@hot_kernel
def empty_slots(state, seat):
    """Return the set of empty slots; a slot with a trap is not empty."""
    found = NOTHING
    for slot in range(SLOTS):
        if state.seats[seat].card[slot] == NO_CARD:
            found |= only(slot)
    return found & ~np.int64(state.missing_slots)


@kernel
def cards_that_fit(state, seat, what):
    """Return the set of slots with cards for which `fits` is true."""
    found = NOTHING
    for slot in range(SLOTS):
        if fits(state, seat, slot, what):
            found |= only(slot)
    return found


@kernel
def own_cards(state, seat):
    """Return the set of slots with cards of the field's owner."""
    return ~open_slots(state, seat) & ~np.int64(state.missing_slots) & np.int64((1 << SLOTS) - 1)


@kernel
def in_column(slot):
    """Return the two slots in the lane of `slot`, as a set."""
    return only(slot % LANES) | only(slot % LANES + LANES)


@kernel
def targets(state, seat, slot, scope, what):
    """Return the cards that an effect of `seat` can affect, as a set of SLOT arguments.

    `slot` is the slot of the card with the effect, on the seat's own field, or NO_SLOT for a UTILITY card;
    in that case, `scope` must be BOTH or ENEMY.
    """
    enemy = 1 - seat
    mine, others = cards_that_fit(state, seat, what), cards_that_fit(state, enemy, what)
    if scope == Scope.BOTH:
        return mine | others << SLOTS
    if scope == Scope.OWN_OTHERS:
        return mine & own_cards(state, seat) & ~only(slot)
    others &= own_cards(state, enemy)
    if scope == Scope.ENEMY_COLUMN:
        others &= in_column(slot)
    return others << SLOTS


@kernel
def without_marked(state, seat, found, op):
    """Return `found` without zeroed cards (for ``ZERO_ONE``) or disabled cards (for ``DISABLE_ONE``)."""
    left = found
    while left != NOTHING:
        target = lowest(left)
        left = without_lowest(left)
        side, slot = state.seats[side_of(seat, target)], target % SLOTS
        if (op == Op.ZERO_ONE and side.zeroed[slot]) or (op == Op.DISABLE_ONE and side.disabled[slot]):
            found &= ~only(target)
    return found


@kernel
def side_of(seat, target):
    """Return the seat whose field contains `target`, a SLOT argument from the viewpoint of `seat`."""
    return seat if target < SLOTS else 1 - seat


# --- changing the field -----------------------------------------------------------------------------


@kernel
def put(state, seat, slot, card, owner):
    """Put a card into a slot; the card has no bonus there, and it is neither zeroed nor disabled."""
    side = state.seats[seat]
    side.card[slot], side.owner[slot] = card, owner
    side.bonus[slot], side.zeroed[slot], side.disabled[slot] = 0, 0, 0


@kernel
def clear_slot(state, seat, slot):
    put(state, seat, slot, NO_CARD, NO_SEAT)


@kernel
def destroy(state, seat, slot):
    """Destroy the card in a slot: move it to its owner's junkyard."""
    side = state.seats[seat]
    state.seats[side.owner[slot]].junkyard[side.card[slot]] += 1
    clear_slot(state, seat, slot)


@kernel
def touch(state, seat, target, op, amount):
    """Carry out an op on a single target."""
    field, slot = side_of(seat, target), target % SLOTS
    if op == Op.DESTROY_ALL or op == Op.DESTROY_ONE or op == Op.DISCARD_TO_DESTROY:
        destroy(state, field, slot)
    elif op == Op.DISABLE_ALL or op == Op.DISABLE_ONE:
        state.seats[field].disabled[slot] = 1
    elif op == Op.ZERO_ONE:
        state.seats[field].zeroed[slot] = 1
    else:
        state.seats[field].bonus[slot] += amount


@kernel
def touch_all(state, seat, found, op, amount):
    """Carry out an op on every target in `found`."""
    while found != NOTHING:
        touch(state, seat, lowest(found), op, amount)
        found = without_lowest(found)


@kernel
def number_of_infantry(state):
    """Return the number of cards on both fields that are Infantry or count as Infantry."""
    number = 0
    for seat in range(SEATS):
        number += count(cards_that_fit(state, seat, np.int64(Subtype.INFANTRY)))
    return number
