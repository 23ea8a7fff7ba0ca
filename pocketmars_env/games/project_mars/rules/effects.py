"""Effects that happen once: of UTILITY cards, of cards when they are placed, and of traps.

A card's program in `cards.py` has one op (operation) per line. `can_op` and `do_op` handle the ops of UTILITY
cards and, except ``DISARM``, of cards with a "When placed" effect; `trigger` handles the ops of traps.
"""

from pocketmars_env.core.compiled.card_sets import NOTHING, count
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.project_mars.rules.cards import PROGRAM
from pocketmars_env.games.project_mars.rules.constants import (
    FIRST_OF_ONE,
    LANES,
    LAST_OF_ONE,
    NO_CARD,
    NO_DECISION,
    NO_SEAT,
    NO_SLOT,
    Decision,
    Op,
    Stage,
)
from pocketmars_env.games.project_mars.rules.field import (
    destroy,
    empty_slots,
    fits,
    power,
    targets,
    touch,
    touch_all,
    without_marked,
)
from pocketmars_env.games.project_mars.rules.moving_cards import (
    hidden_types,
    number_in,
    reveal_at_random,
    utilities_in_deck,
)


@hot_kernel
def ask(state, seat, decision):
    """Set the decision and the seat to play; `legality.py` lists the legal actions."""
    state.to_play, state.decision = seat, decision


@hot_kernel
def clear_decision(state):
    state.to_play, state.decision = NO_SEAT, NO_DECISION


@kernel
def set_effect(state, card, seat, slot):
    """Store the card whose effect is being carried out, its owner and slot (NO_SLOT for a UTILITY card)."""
    state.effect_card, state.effect_seat, state.effect_slot = card, seat, slot


@kernel
def clear_effect(state):
    set_effect(state, NO_CARD, NO_SEAT, NO_SLOT)


# --- programs ---------------------------------------------------------------------------------------


@kernel
def run_program(state, card, seat, slot):
    """Carry out the lines of a card's program, except lines for which `can_op` is false."""
    set_effect(state, card, seat, slot)
    line = 0
    while PROGRAM[card, line, 0] != Op.END:
        op, amount = PROGRAM[card, line, 0], PROGRAM[card, line, 3]
        found = targets_of_line(state, card, line, seat, slot)
        if can_op(state, op, seat, found):
            do_op(state, op, amount, seat, slot, found)
        line += 1


@kernel
def targets_of_line(state, card, line, seat, slot):
    """Return the targets of a program line as a set of SLOT arguments; empty if the line has no subtypes."""
    op, scope, what = PROGRAM[card, line, 0], PROGRAM[card, line, 1], PROGRAM[card, line, 2]
    if what == 0:
        return NOTHING
    return without_marked(state, seat, targets(state, seat, slot, scope, what), op)


@kernel
def can_op(state, op, seat, found):
    """Return whether an op can be carried out; `found` is the set of its targets."""
    if op == Op.REVEAL or op == Op.REVEAL_FOR_COLUMN or op == Op.FORBID_REVEALS:
        return True
    if op == Op.FIND_UTILITY:
        return number_in(state.seats[seat].hand) > 0 and utilities_in_deck(state.seats[seat]) != NOTHING
    return found != NOTHING


@kernel
def do_op(state, op, amount, seat, slot, found):
    """Carry out an op; if the op needs a choice, set the decision or, for Sinkhole, the stage."""
    if op == Op.REVEAL:
        reveal_at_random(state, 1 - seat, amount)
    elif op == Op.REVEAL_FOR_COLUMN:
        reveal_at_random(state, 1 - seat, cards_in_column(state, 1 - seat, slot))
    elif FIRST_OF_ONE <= op <= LAST_OF_ONE:
        ask(state, seat, Decision.TARGET)
    elif op == Op.FIND_UTILITY:
        ask(state, seat, Decision.GIVE)
    elif op == Op.DISCARD_TO_DESTROY:
        state.left = count(found)
        state.stage = Stage.SINKHOLE
    elif op == Op.FORBID_REVEALS:
        state.gas = 1
    else:
        touch_all(state, seat, found, op, amount)


@kernel
def cards_in_column(state, seat, slot):
    """Return the number of cards, of either owner, in the column of `slot` on the field of `seat`."""
    lane, side = slot % LANES, state.seats[seat]
    return int(side.card[lane] != NO_CARD) + int(side.card[lane + LANES] != NO_CARD)


@kernel
def effect_targets(state):
    """Return the targets of the first line of the current effect, as a set of SLOT arguments."""
    return targets_of_line(state, int(state.effect_card), 0, int(state.effect_seat), int(state.effect_slot))


@kernel
def do_target(state, argument):
    """Carry out the first op of the current effect on the chosen card; `argument` is a SLOT argument."""
    card = state.effect_card
    touch(state, int(state.effect_seat), argument, PROGRAM[card, 0, 0], PROGRAM[card, 0, 3])


# --- Sinkhole ---------------------------------------------------------------------------------------


@kernel
def continue_sinkhole(state):
    """Ask for the next discard, or end the discards if no card in hand or no target is left."""
    seat = int(state.effect_seat)
    if state.left > 0 and number_in(state.seats[seat].hand) > 0:
        ask(state, seat, Decision.DISCARD)
    else:
        end_discards(state)


@kernel
def end_discards(state):
    """End the discards, and destroy a target for each; the player chooses if there are more targets."""
    seat, found = int(state.effect_seat), effect_targets(state)
    number = count(found) - state.left
    state.left, state.stage = 0, Stage.END_TURN
    if number == count(found):
        touch_all(state, seat, found, Op.DISCARD_TO_DESTROY, 0)
    elif number > 0:
        state.left = number
        ask(state, seat, Decision.TARGET)


# --- traps ------------------------------------------------------------------------------------------


@kernel
def trigger(state, trap, owner, slot):
    """Trigger the trap of `owner` on which the enemy has just placed the card in `slot`."""
    seat = 1 - owner
    op, line = PROGRAM[trap, 0, 0], 0
    if (
        can_lose(state, trap, seat, slot)
        or can_reveal(state, trap, seat)
        or (offers_choice(op) and can_come_back(state, owner))
    ):
        set_effect(state, trap, owner, slot)
        ask(state, seat, Decision.TRAP)
        return
    while PROGRAM[trap, line, 0] != Op.END:
        if fits(state, seat, slot, PROGRAM[trap, line, 2]):
            if PROGRAM[trap, line, 0] == Op.DESTROY_PLACED:
                destroy(state, seat, slot)
            elif PROGRAM[trap, line, 0] == Op.ZERO_PLACED:
                state.seats[seat].zeroed[slot] = 1
        line += 1
    state.seats[owner].junkyard[trap] += 1


@kernel
def offers_choice(op):
    """Return whether a trap with this op offers a choice to the player who placed a card on it."""
    return op == Op.REVEAL_OR_COME_BACK or op == Op.LOSE_OR_COME_BACK


@kernel
def can_lose(state, trap, seat, slot):
    """Return whether the player who placed a card on the trap can choose to lose this card."""
    return PROGRAM[trap, 0, 0] == Op.LOSE_OR_COME_BACK and power(state, seat, slot) <= PROGRAM[trap, 0, 3]


@kernel
def can_reveal(state, trap, seat):
    """Return whether the player who placed a card on the trap can choose to reveal a hidden hand card."""
    if PROGRAM[trap, 0, 0] != Op.REVEAL_OR_COME_BACK or state.gas:
        return False
    return hidden_types(state.seats[seat].hand, state.seats[seat].revealed) != NOTHING


@kernel
def can_come_back(state, owner):
    """Return whether a trap can come back, that is, whether its owner's field has an empty slot."""
    return empty_slots(state, owner) != NOTHING


@kernel
def end_trap(state):
    """Put the triggered trap into its owner's junkyard, and end its effect."""
    state.seats[state.effect_seat].junkyard[state.effect_card] += 1
    clear_effect(state)
