"""Plays cards: places cards on a field, or uses UTILITY cards."""

from pocketmars_env.core.compiled.compiling import hot_kernel, kernel
from pocketmars_env.games.project_mars.rules.cards import FIRST_OP, KIND
from pocketmars_env.games.project_mars.rules.constants import NO_CARD, NO_SLOT, Kind, Op, Stage
from pocketmars_env.games.project_mars.rules.effects import run_program, trigger
from pocketmars_env.games.project_mars.rules.field import is_own, put, works
from pocketmars_env.games.project_mars.rules.moving_cards import take_from_hand


@hot_kernel
def play_card(state, seat, card, slot):
    """Place a card from the hand: a trap on the enemy's field, any other card on the player's own field."""
    take_from_hand(state.seats[seat], card)
    if KIND[card] == Kind.TRAP:
        put(state, 1 - seat, slot, card, seat)
        state.stage = Stage.END_TURN
    else:
        place(state, seat, card, slot)


@kernel
def place(state, seat, card, slot):
    """Place a card on the player's own field; a trap in the slot triggers, or a DISARM effect destroys it."""
    trap = int(state.seats[seat].card[slot])
    put(state, seat, slot, card, seat)
    state.placed, state.stage = slot, Stage.PLACED
    if trap == NO_CARD:
        return
    if FIRST_OP[card] == Op.DISARM and works(state, seat, slot):
        state.seats[1 - seat].junkyard[trap] += 1
    else:
        trigger(state, trap, 1 - seat, slot)


@hot_kernel
def resolve_placed(state):
    """Carry out the effect of the card just placed, if the card is still there and the effect works."""
    seat, slot = int(state.turn_seat), int(state.placed)
    state.placed, state.stage = NO_SLOT, Stage.END_TURN
    if is_own(state, seat, slot):
        card = int(state.seats[seat].card[slot])
        if KIND[card] == Kind.PLACED and works(state, seat, slot):
            run_program(state, card, seat, slot)


@kernel
def play_utility(state, seat, card):
    """Use a UTILITY card, and record that the seat has used one in this round."""
    side = state.seats[seat]
    take_from_hand(side, card)
    side.utility, side.utility_used = card, 1
    state.stage = Stage.END_TURN
    run_program(state, card, seat, NO_SLOT)
